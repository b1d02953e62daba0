import { type TokenPriceName, tokenPriceKinds } from '@tollgate/api'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { FormSection } from '../../components/ui/card.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { product, quotient } from '../../lib/format/money.ts'
import { formatPrice } from '../../lib/format/price.ts'
import { useListPrice } from './cells.tsx'
import { Fact, MarginFact, type PricedFieldProps } from './margin-fields.tsx'
import { priceInForce, standardOf } from './margin-preview.ts'
import { isUnpriced, type ModelRow } from './model-rows.ts'
import { furtherPrices, kinds, mainPrices, type PriceForm, priceForm, sampleCost } from './price-form.ts'

interface FieldProps {
  readonly row: ModelRow
  readonly form: UseFormReturn<PriceForm>
}

/** Shows the vendor's price, with a button that applies it. */
export function Suggestion({ row, form }: FieldProps) {
  const { t } = useTranslation('models')
  const text = useListPrice(row.list_price)
  const { list_price: price } = row
  if (price === undefined)
    return isUnpriced(row) ? <Notice tone="warn">{t('sheet.noSuggestion')}</Notice> : null
  function take(): void {
    for (const [name, value] of Object.entries(priceForm(price ?? {})))
      form.setValue(name as keyof PriceForm, value, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <Notice
      tone="info"
      action={
        <Button size="sm" onClick={take}>
          {t('sheet.useListPrice')}
        </Button>
      }
    >
      {t('sheet.suggestion', { vendor: row.owner_by, price: text })}
    </Notice>
  )
}

/** Chooses a price by the token or by the call. */
export function ModeField({ form }: Pick<FieldProps, 'form'>) {
  const { t } = useTranslation('models')
  const mode = useWatch({ control: form.control, name: 'mode' })
  return (
    <div className="self-start max-sm:self-stretch">
      <SegmentedControl
        label={t('sheet.mode')}
        value={mode}
        onChange={(next) => form.setValue('mode', next, { shouldDirty: true })}
        options={[
          { value: 'token', label: t('sheet.byToken') },
          { value: 'call', label: t('sheet.byCall') },
        ]}
      />
    </div>
  )
}

/** Currency per call, or per second of a video. */
export function CallField({ row, form, group }: PricedFieldProps) {
  const { t } = useTranslation('models')
  const isVideo = useWatch({ control: form.control, name: 'video' }).unit === 'second'
  return (
    <TextField<PriceForm>
      form={form}
      name="call"
      label={t(isVideo ? 'sheet.second' : 'sheet.call')}
      hint={
        <>
          {row.list_price?.call !== undefined && (
            <Fact>{t('fact.vendor', { price: formatPrice(row.list_price.call) })}</Fact>
          )}
          <MarginFact row={row} form={form} name="call" group={group} />
        </>
      }
      input={{ inputMode: 'decimal', suffix: t(isVideo ? 'unit.second' : 'unit.call') }}
    />
  )
}

/** Currency per million tokens of each kind. */
export function TokenFields({ row, form, group }: PricedFieldProps) {
  const { t } = useTranslation('models')
  const hasFurther = furtherPrices.some((field) => row.price[field] !== undefined)
  return (
    <>
      {mainPrices.map((field) => (
        <TokenField key={field} row={row} form={form} field={field} group={group} />
      ))}
      <FormSection id="further-prices" title={t('sheet.further')} folded={!hasFurther}>
        {furtherPrices.map((field) => (
          <TokenField key={field} row={row} form={form} field={field} group={group} />
        ))}
      </FormSection>
    </>
  )
}

function TokenField({ row, form, field, group }: PricedFieldProps & { readonly field: TokenPriceName }) {
  const { t } = useTranslation(['models', 'prices'])
  const values = useWatch({ control: form.control }) as PriceForm
  const standard = priceInForce(field, { ...values, [field]: '' }, row.default_completion_ratio)
  return (
    <TextField<PriceForm>
      form={form}
      name={field}
      label={t(`prices:kind.${kinds[field]}`)}
      required={field === 'input'}
      hint={<TokenFacts row={row} form={form} field={field} group={group} />}
      input={{
        inputMode: 'decimal',
        suffix: t('models:unit.million'),
        ...(field !== 'input' && standard !== undefined && { placeholder: formatPrice(standard).slice(1) }),
      }}
    />
  )
}

/** Says of a price what holds without it, what it is in ratios, what the vendor takes, and what it leaves. */
function TokenFacts({ row, form, field, group }: PricedFieldProps & { readonly field: TokenPriceName }) {
  const { t } = useTranslation('models')
  const { quotaPerUnit } = useMoneyDisplay()
  const values = useWatch({ control: form.control }) as PriceForm
  const listed = row.list_price?.[field]
  const standard = standardOf(field, values, row.default_completion_ratio)
  const ratio = ratioOf(field, values, row.default_completion_ratio, quotaPerUnit)
  return (
    <>
      {field === 'input' && <Fact>{t('hint.input')}</Fact>}
      {standard && (
        <Fact>
          {t(standard.ratio === 1 ? 'default.same' : 'default.times', {
            ratio: short(standard.ratio),
            base: t(`base.${standard.base}`),
          })}
        </Fact>
      )}
      {field === 'cache_write' && <Fact>{t('hint.cache_write')}</Fact>}
      {ratio !== undefined && <Fact>{t('fact.ratio', { ratio: short(ratio) })}</Fact>}
      {listed !== undefined && <Fact>{t('fact.vendor', { price: formatPrice(listed) })}</Fact>}
      <MarginFact row={row} form={form} name={field} group={group} />
    </>
  )
}

/** Returns the ratio that is stored for a price in force: of input the model's own, of others their multiple of the base. */
function ratioOf(
  field: TokenPriceName,
  values: PriceForm,
  familyRatio: number,
  quotaPerUnit: number,
): number | undefined {
  const price = priceInForce(field, values, familyRatio)
  if (price === undefined) return undefined
  if (field === 'input') return quotient(product(price, quotaPerUnit), million)
  const base = tokenPriceKinds.find(({ name }) => name === field)?.base ?? 'input'
  const whole = priceInForce(base, values, familyRatio)
  return whole ? quotient(price, whole) : undefined
}

const million = 1_000_000

function short(ratio: number): string {
  return String(Number(ratio.toFixed(4)))
}

/** The effect of the price in words. */
export function SampleCost({ row, form }: FieldProps) {
  const { t } = useTranslation('models')
  const values = useWatch({ control: form.control }) as PriceForm
  const output = values.input === '' ? undefined : Number(values.input) * row.default_completion_ratio
  const cost = sampleCost(values, output)
  if (values.mode === 'call' || cost === undefined || Number.isNaN(cost)) return null
  return <p className="text-muted text-sm">{t('sheet.sample', { cost: formatPrice(cost) })}</p>
}
