import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TopUpInfo } from '@tollgate/api'
import { walletRefusedFields } from '@tollgate/api/refused-fields'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormField, fieldsByCode, useSaveForm } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { RadioGroup } from '../../components/ui/field/choice.tsx'
import { Form } from '../../components/ui/field/field.tsx'
import { NumberInput } from '../../components/ui/field/input.tsx'
import { PresetChips } from '../../components/ui/field/preset-chips.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { useDebounced } from '../../lib/browser/timers.ts'
import { confirm } from '../../lib/confirm.ts'
import { abbreviateNumber, formatInteger, formatPayment, formatQuota } from '../../lib/format/format.ts'
import { choiceOf, minAmount, quotaOf, type TopUpForm } from './amount.ts'
import { type Checkout, payableQuery, startPayment, topUpInfoQuery } from './api.ts'
import { canGoTo, goToCheckout } from './checkout.ts'

/** Buying balance online, where the administrator has set it up. */
export function TopUpCard() {
  const { t } = useTranslation('wallet')
  return (
    <Card title={t('topUp.title')}>
      <QueryBoundary query={useQuery(topUpInfoQuery)}>
        {(info) =>
          info.enable_online_topup ? (
            <TopUpFields info={info} />
          ) : (
            <Notice tone="info">{t('topUp.disabled')}</Notice>
          )
        }
      </QueryBoundary>
    </Card>
  )
}

interface TopUpFieldsProps {
  readonly info: TopUpInfo
}

/** Edits amount and method, and shows the price before anything is ordered. */
function TopUpFields({ info }: TopUpFieldsProps) {
  const { t } = useTranslation('wallet')
  const { form, submit, saving, failure } = useTopUpForm(info)
  return (
    <Form onSubmit={submit}>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <AmountField info={info} form={form} />
      <MethodField info={info} form={form} />
      <Payable info={info} values={form.watch()} />
      <Button type="submit" variant="primary" className="self-start" loading={saving}>
        {t('topUp.submit')}
      </Button>
    </Form>
  )
}

interface FieldProps extends TopUpFieldsProps {
  readonly form: ReturnType<typeof useTopUpForm>['form']
}

function AmountField({ info, form }: FieldProps) {
  const { t } = useTranslation('wallet')
  const unit = info.display_in_currency ? '$' : ''
  return (
    <FormField<TopUpForm, number | undefined>
      form={form}
      name="amount"
      label={t(info.display_in_currency ? 'topUp.amount' : 'topUp.quota')}
      hint={t('topUp.minimum', { min: unit + formatInteger(minAmount(info)) })}
      required
    >
      {({ value, onChange, onBlur }) => (
        <>
          <PresetChips
            chips={info.presets.map((preset) => ({
              label: unit + (info.display_in_currency ? formatInteger(preset) : abbreviateNumber(preset)),
              pressed: value === preset,
              choose: () => onChange(preset),
            }))}
          />
          <NumberInput
            value={value}
            onValueChange={onChange}
            onBlur={() => {
              if (value !== undefined && value < 1) onChange(1)
              onBlur()
            }}
          />
        </>
      )}
    </FormField>
  )
}

function MethodField({ info, form }: FieldProps) {
  const { t, i18n } = useTranslation('wallet')
  const nameOf = useMethodName()
  return (
    <FormField<TopUpForm, string> form={form} name="method" label={t('topUp.method')}>
      {({ value, onChange }) => (
        <RadioGroup
          look="cards"
          className="sm:grid! sm:grid-cols-3"
          value={value}
          onValueChange={onChange}
          options={info.methods.map(({ method, currency, price }) => ({
            value: method,
            label: nameOf(method),
            hint: t('topUp.price', {
              price: formatPayment(String(price * info.group_ratio), currency, i18n.language),
            }),
          }))}
        />
      )}
    </FormField>
  )
}

/** The top-up form: shows what it costs, asks, places the order and leaves for the provider. */
function useTopUpForm(info: TopUpInfo) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const nameOf = useMethodName()
  const start = useMemo(
    (): TopUpForm => ({ amount: minAmount(info), method: info.methods[0]?.method ?? '' }),
    [info],
  )

  /** `undefined` when the user cancels. */
  async function pay(values: TopUpForm): Promise<Checkout | undefined> {
    const choice = choiceOf(values, info)
    const currency = info.methods.find(({ method }) => method === values.method)?.currency
    if (!choice || !currency) return undefined
    const money = formatPayment(await client.fetchQuery(payableQuery(choice)), currency, i18n.language)
    const sure = await confirm({
      title: t('pay.title', { money, method: nameOf(choice.method) }),
      description: t('pay.description', { amount: formatQuota(quotaOf(choice.amount, info), display) }),
      confirmLabel: t('pay.confirm', { money }),
    })
    if (!sure) return undefined
    const checkout = await startPayment(choice)
    if (!canGoTo(checkout)) throw new Error(t('pay.insecure'))
    return checkout
  }

  return useSaveForm<TopUpForm, Checkout | undefined>({
    start,
    check: (values) => ({
      amount: choiceOf(values, info) ? undefined : t('topUp.tooLow', { min: formatInteger(minAmount(info)) }),
    }),
    fieldOf: fieldsByCode(walletRefusedFields, { amount: 'amount', payment_method: 'method' }),
    save: pay,
    onSaved: (checkout) => checkout && goToCheckout(checkout),
  })
}

interface PayableProps {
  readonly info: TopUpInfo
  readonly values: TopUpForm
}

/** Long enough to finish typing a number. */
const typingMs = 300

/** Shows the price of the amount as typed, computed by the server. */
function Payable({ info, values }: PayableProps) {
  const { t, i18n } = useTranslation('wallet')
  const amount = useDebounced(values.amount, typingMs)
  const choice = choiceOf({ amount, method: values.method }, info)
  const { queryFn, ...query } = payableQuery(choice ?? { amount: 0, method: '' })
  const { data, error, isPlaceholderData } = useQuery({
    ...query,
    queryFn: choice ? (queryFn ?? skipToken) : skipToken,
    placeholderData: keepPreviousData,
  })
  const currency = info.methods.find(({ method }) => method === values.method)?.currency
  const known = choice && data !== undefined && currency && !(error || isPlaceholderData)
  return (
    <p className="flex items-baseline justify-between gap-3 rounded border bg-sunken px-3 py-2.5">
      <span className="text-muted text-sm">{t('payable.label')}</span>
      <span className="figures font-semibold text-base" aria-live="polite">
        {known ? (
          formatPayment(data, currency, i18n.language)
        ) : error && choice ? (
          <span className="font-normal text-bad text-sm">{error.message}</span>
        ) : (
          '…'
        )}
      </span>
    </p>
  )
}

const known = ['zfb', 'wx', 'stripe'] as const

/** Returns a function that names a method of payment; one that only a newer server knows has its own word. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation('wallet')
  return (method) => {
    const name = known.find((one) => one === method)
    return name ? t(`method.${name}`) : method
  }
}
