import type { Channel } from '@tollgate/api'
import { findChannelType, hasServiceAccounts, keyShape, keysIn } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Textarea } from '../../../components/ui/field/input.tsx'
import { FormField, type SectionProps } from './form-field.tsx'
import { KeyList } from './keys/key-list.tsx'

export interface KeysFieldProps extends SectionProps {
  /** The stored channel, when one is edited. */
  readonly channel: Channel | undefined
}

/** The keys, one on each line, each looked at while it is typed. */
export function KeysField({ form, change, problems, channel }: KeysFieldProps) {
  const { t } = useTranslation('channels')
  const { type } = form
  const count = keysIn(form.keys, type).length
  const shape = keyShape(type)
  const accounts = hasServiceAccounts(type)
  const manner = t(channel ? 'hint.keysEdit' : 'hint.keys')
  return (
    <div className="flex flex-col gap-2">
      <FormField
        name="keys"
        problem={problems.keys}
        label={t(channel ? 'field.keysEdit' : 'field.keys')}
        required={!channel}
        aside={count > 1 && <span className="figures">{t('form.keyCount', { count })}</span>}
        hint={
          accounts
            ? t(channel ? 'hint.accountsEdit' : 'hint.accounts')
            : shape === ''
              ? manner
              : `${t('hint.keyFormat', { format: shape })} ${manner}`
        }
      >
        <Textarea
          mono
          rows={accounts ? 4 : 2}
          autoComplete="off"
          autoCapitalize="none"
          className="min-h-14!"
          value={form.keys}
          placeholder={
            channel ? t('placeholder.keysEdit', { count: channel.key_count }) : exampleOf(type, shape)
          }
          onChange={(event) => change({ keys: event.target.value })}
        />
      </FormField>
      {!channel && count > 1 && (
        <Checkbox
          checked={form.separate}
          onCheckedChange={(separate) => change({ separate })}
          label={t('form.separate', { count })}
        />
      )}
      {channel && <KeyList channel={channel} />}
    </div>
  )
}

/** Returns an example of a key of the type; empty where the catalogue only has words for it. */
function exampleOf(type: number, shape: string): string {
  if (hasServiceAccounts(type))
    return '{"type":"service_account", "project_id":"…", "client_email":"…", "private_key":"…"}'
  if (shape !== '') return shape
  const hint = findChannelType(type)?.keyHint ?? ''
  return hint.includes('...') && !hint.includes(' ') ? hint : ''
}
