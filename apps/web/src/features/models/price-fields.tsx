import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { FormSection } from '../../components/ui/card.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatPrice, type TokenPriceKind, tokenPriceOf } from '../../lib/format/price.ts'
import { useListPrice } from './cells.tsx'
import { isUnpriced, type ModelRow } from './model-rows.ts'
import {
  furtherPrices,
  mainPrices,
  type PriceForm,
  priceForm,
  sampleCost,
  type TokenPriceField,
} from './price-form.ts'

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
export function CallField({ row, form }: FieldProps) {
  const { t } = useTranslation('models')
  const isVideo = row.video?.unit === 'second'
  return (
    <TextField<PriceForm>
      form={form}
      name="call"
      label={t(isVideo ? 'sheet.second' : 'sheet.call')}
      input={{ inputMode: 'decimal', suffix: t(isVideo ? 'unit.second' : 'unit.call') }}
    />
  )
}

/** Currency per million tokens of each kind. */
export function TokenFields({ row, form }: FieldProps) {
  const { t } = useTranslation('models')
  const hasFurther = furtherPrices.some((field) => row.price[field] !== undefined)
  return (
    <>
      {mainPrices.map((field) => (
        <TokenField key={field} row={row} form={form} field={field} />
      ))}
      <FormSection id="further-prices" title={t('sheet.further')} folded={!hasFurther}>
        {furtherPrices.map((field) => (
          <TokenField key={field} row={row} form={form} field={field} />
        ))}
      </FormSection>
    </>
  )
}

const kinds: Readonly<Record<TokenPriceField, TokenPriceKind>> = {
  input: 'input',
  output: 'output',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  audio_input: 'audioInput',
  audio_output: 'audioOutput',
  image_input: 'imageInput',
  image_output: 'imageOutput',
}

function TokenField({ row, form, field }: FieldProps & { readonly field: TokenPriceField }) {
  const { t } = useTranslation(['models', 'prices'])
  const standard = useDefaultPrice(row, field)
  return (
    <TextField<PriceForm>
      form={form}
      name={field}
      label={t(`prices:kind.${kinds[field]}`)}
      required={field === 'input'}
      hint={t(`models:hint.${field}`, { ratio: short(row.default_completion_ratio) })}
      input={{
        inputMode: 'decimal',
        suffix: t('models:unit.million'),
        ...(standard !== undefined && { placeholder: standard }),
      }}
    />
  )
}

/** Returns the price in force while the field is blank. */
function useDefaultPrice(row: ModelRow, field: TokenPriceField): string | undefined {
  const { quotaPerUnit } = useMoneyDisplay()
  if (row.quota_type !== 0 || isUnpriced(row) || row.price[field] !== undefined) return undefined
  const price = tokenPriceOf(row, kinds[field], 1, quotaPerUnit)
  return price && formatPrice(price.price).slice(1)
}

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
