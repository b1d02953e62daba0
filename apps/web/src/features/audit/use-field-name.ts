import { useTranslation } from 'react-i18next'
import { humanize } from './difference.ts'

/** Fields that have a name in both languages. */
const named = [
  'auto_ban',
  'balance',
  'base_url',
  'cancelled',
  'channel',
  'concurrency',
  'created_time',
  'deleted',
  'deletedAt',
  'displayName',
  'email',
  'end_timestamp',
  'failed',
  'group',
  'groups',
  'ids',
  'key',
  'key_count',
  'keys',
  'max_input_tokens',
  'model_mapping',
  'model_name',
  'models',
  'name',
  'new_tag',
  'openai_organization',
  'other',
  'param_override',
  'password',
  'priority',
  'quota',
  'reason',
  'repairs',
  'requests_per_minute',
  'role',
  'second_factor',
  'setting',
  'start_timestamp',
  'status',
  'status_code_mapping',
  'tag',
  'target_timestamp',
  'test_model',
  'token_name',
  'tokens_per_minute',
  'type',
  'user_id',
  'username',
  'value',
  'weight',
] as const

/** What a field of a record is called. Fields of a setting are models and groups: their names stay as they are. */
export function useFieldName(targetKind: string): (field: string) => string {
  const { t } = useTranslation('audit')
  return (field) => {
    const known = named.find((name) => name === field)
    if (known) return t(`field.${known}`)
    return targetKind === 'option' ? field : humanize(field)
  }
}
