import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../components/form/index.ts'
import { CountField } from './count-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { TokenFieldProps } from './field-props.ts'
import { GroupField } from './group-field.tsx'
import { QuotaField } from './quota-field.tsx'
import { RestrictionFields } from './restriction-fields.tsx'
import type { TokenForm } from './token-form.ts'

export interface TokenFieldsProps extends TokenFieldProps {
  /** The key that is edited; `undefined` for a new one. */
  readonly token?: Token
}

/** The whole form, in the order in which one thinks about a key: what for, how much, how long, what not. */
export function TokenFields({ token, form }: TokenFieldsProps) {
  const { t } = useTranslation('tokens')
  const restricted =
    token !== undefined && (token.model_limits_enabled || token.allow_ips !== '' || hasRateLimit(token))
  return (
    <>
      <TextField<TokenForm>
        form={form}
        name="name"
        label={t('name.label')}
        hint={t('name.hint')}
        input={{ placeholder: t('name.placeholder') }}
        required
      />
      <QuotaField form={form} remaining={token?.remain_quota} />
      <ExpiryField form={form} />
      <GroupField form={form} />
      {!token && <CountField form={form} />}
      <RestrictionFields form={form} open={restricted} />
    </>
  )
}

function hasRateLimit(token: Token): boolean {
  return token.requests_per_minute > 0 || token.tokens_per_minute > 0 || token.concurrency > 0
}
