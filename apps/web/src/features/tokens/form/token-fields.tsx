import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { CountField } from './count-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { TokenFieldProps } from './field-props.ts'
import { GroupField } from './group-field.tsx'
import { QuotaField } from './quota-field.tsx'
import { RestrictionFields } from './restriction-fields.tsx'

export interface TokenFieldsProps extends TokenFieldProps {
  /** The key that is edited; `undefined` for a new one. */
  readonly token?: Token
}

/** The whole form, in the order in which one thinks about a key: what for, how much, how long, what not. */
export function TokenFields({ token, ...field }: TokenFieldsProps) {
  const { t } = useTranslation('tokens')
  const { form, onChange, errors } = field
  const restricted = token !== undefined && (token.model_limits_enabled || token.allow_ips !== '')
  return (
    <div className="flex flex-col gap-5">
      <Field label={t('name.label')} hint={t('name.hint')} error={errors.name} required>
        <Input
          value={form.name}
          placeholder={t('name.placeholder')}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <QuotaField {...field} {...(token && { remaining: token.remain_quota })} />
      <ExpiryField {...field} />
      <GroupField {...field} />
      {!token && <CountField {...field} />}
      <RestrictionFields {...field} open={restricted} />
    </div>
  )
}
