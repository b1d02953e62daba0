import { useTranslation } from 'react-i18next'
import { spokenName } from './difference.ts'

/** Fields that have a name in both languages. */
const named = [
  'auto_ban',
  'balance',
  'base_url',
  'deletedAt',
  'displayName',
  'email',
  'group',
  'groups',
  'ids',
  'key_count',
  'keys',
  'model_mapping',
  'models',
  'name',
  'password',
  'priority',
  'quota',
  'role',
  'second_factor',
  'setting',
  'status',
  'tag',
  'test_model',
  'type',
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
    return targetKind === 'option' ? field : spokenName(field)
  }
}
