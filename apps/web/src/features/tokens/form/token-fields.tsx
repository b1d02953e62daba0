import { type Token, tokenFields } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import {
  PlainFields,
  PresetNumberField,
  type Problems,
  RateLimitFields,
  TextField,
} from '../../../components/form/index.ts'
import { FormSection } from '../../../components/ui/card.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { exactQuota } from '../../../lib/format/format.ts'
import { secondsNow } from '../../../lib/server-clock.ts'
import { listOf } from '../token-state.ts'
import { addressLines } from './addresses.ts'
import { ExpiryField } from './expiry-field.tsx'
import type { TokenFieldProps } from './field-props.ts'
import { GroupField } from './group-field.tsx'
import { QuotaField } from './quota-field.tsx'
import { AddressesField, ModelsField } from './restriction-fields.tsx'
import { countPresets, fieldLabels, problemsOf, type TokenForm } from './token-form.ts'

/**
 * Sentences for what keeps the form from being saved.
 * @param stored the key that is edited; `undefined` for a new one
 */
export function useCheckToken(stored?: TokenForm): (form: TokenForm) => Problems<TokenForm> {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  return (form) =>
    Object.fromEntries(
      Object.entries(problemsOf(form, secondsNow(), stored)).map(([name, { code, max, ...details }]) => [
        name,
        t(`problem.${code}`, {
          ...details,
          max: max !== undefined && code === 'token_quota_invalid' ? exactQuota(max, display) : max,
        }),
      ]),
    )
}

export interface TokenFieldsProps extends TokenFieldProps {
  /** The key that is edited; `undefined` for a new one. */
  readonly token?: Token
}

/** The form, in the order in which one thinks about a key: what for, how much, how long, what not. */
export function TokenFields({ token, form }: TokenFieldsProps) {
  const { t } = useTranslation(['tokens', 'fields'])
  return (
    <>
      <TextField<TokenForm>
        form={form}
        name="name"
        label={t(fieldLabels.name)}
        hint={t('name.hint')}
        input={{ placeholder: t('name.placeholder') }}
        required
      />
      <QuotaField form={form} remaining={token?.remain_quota} />
      <ExpiryField form={form} />
      <GroupField form={form} />
      <PlainFields
        form={form}
        fields={tokenFields}
        section="plain"
        label={(name) => t(`fields:${name as 'name'}`)}
      />
      {!token && <CountField form={form} />}
      <RestrictionFields form={form} open={token !== undefined && isRestricted(token)} />
    </>
  )
}

/** Edits the number of keys of this kind to create. */
function CountField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const name = form.watch('name').trim() || t('count.exampleName')
  const count = form.watch('count')
  return (
    <PresetNumberField<TokenForm>
      form={form}
      name="count"
      label={t(fieldLabels.count)}
      hint={count !== undefined && count > 1 ? t('count.words', { name }) : t('count.one')}
      presets={[1, ...countPresets]}
    />
  )
}

function isRestricted(token: Token): boolean {
  const limits = [token.requests_per_minute, token.tokens_per_minute, token.concurrency]
  return token.model_limits_enabled || token.allow_ips !== '' || limits.some(Boolean)
}

interface RestrictionFieldsProps extends TokenFieldProps {
  /** Opens the section from the start: the key has restrictions. */
  readonly open: boolean
}

/** Edits the further limits of a key: its models, its addresses, and its calls at once. */
function RestrictionFields({ form, open }: RestrictionFieldsProps) {
  const { t } = useTranslation('tokens')
  const { model_limits: models, allow_ips: addresses } = form.formState.errors
  return (
    <FormSection
      id="restrictions"
      title={<RestrictionsTitle form={form} />}
      description={t('restrictions.description')}
      folded={!open && !models && !addresses}
    >
      <ModelsField form={form} />
      <AddressesField form={form} />
      <RateLimitFields form={form} />
    </FormSection>
  )
}

/** Says what is set, so that a folded section hides nothing. */
function RestrictionsTitle({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const [limitsModels, models, addresses] = form.watch(['model_limits_enabled', 'model_limits', 'allow_ips'])
  const isLimited = form.watch(['requests_per_minute', 'tokens_per_minute', 'concurrency']).some(Boolean)
  const modelCount = listOf(models).length
  const addressCount = addressLines(addresses).length
  const allowed = modelCount === 0 ? t('models.noneChosen') : t('models.count', { count: modelCount })
  return (
    <>
      {t('restrictions.title')}
      <span className="ml-1 font-normal text-muted text-xs">
        {limitsModels ? allowed : t('models.any')}
        {' · '}
        {addressCount > 0 ? t('addresses.count', { count: addressCount }) : t('addresses.any')}
        {' · '}
        {isLimited ? t('restrictions.limited') : t('restrictions.unlimited')}
      </span>
    </>
  )
}
