import type { TokenPriceName } from '@tollgate/api'
import type { ReactNode } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from '../../components/ui/field/field.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { cx } from '../../lib/cx.ts'
import { formatPrice } from '../../lib/format/price.ts'
import { formatMarginRate } from '../../lib/margin.ts'
import { previewMargin, priceInForce } from './margin-preview.ts'
import type { ModelRow } from './model-rows.ts'
import { amountOf, type PriceForm } from './price-form.ts'

/** Properties of a field whose price has a margin. */
export interface PricedFieldProps {
  readonly row: ModelRow
  readonly form: UseFormReturn<PriceForm>
  /** The group whose margin is visible. */
  readonly group: string
}

/** One fact of a line; the next one stands behind a dot. */
export function Fact({
  isBad = false,
  children,
}: {
  readonly isBad?: boolean
  readonly children: ReactNode
}) {
  return (
    <span
      className={cx(
        'figures inline-block whitespace-nowrap not-last:after:mx-1 not-last:after:content-["·"]',
        isBad && 'font-medium text-bad',
      )}
    >
      {children}
    </span>
  )
}

/** Margin that a price leaves in the group, red where it loses. */
export function MarginFact({
  row,
  form,
  name,
  group,
}: PricedFieldProps & { readonly name: TokenPriceName | 'call' }) {
  const { t } = useTranslation('models')
  const values = useWatch({ control: form.control }) as PriceForm
  const { default_completion_ratio: familyRatio, group_ratios: groups } = row
  const price = name === 'call' ? amountOf(values.call) : priceInForce(name, values, familyRatio)
  const found = previewMargin(name, price, groups[group] ?? 1, row.costs, values.costs, familyRatio)
  if (found === undefined) return null
  const { cost, margin, rate } = found
  return (
    <Fact isBad={margin < 0}>
      {t(rate === undefined ? 'fact.marginOnly' : 'fact.margin', {
        cost: formatPrice(cost),
        margin: formatPrice(margin),
        rate: rate === undefined ? '' : formatMarginRate(rate),
      })}
    </Fact>
  )
}

/** Chooses the group whose margins are visible. */
export function GroupField({
  row,
  group,
  onChange,
}: {
  readonly row: ModelRow
  readonly group: string
  readonly onChange: (group: string) => void
}) {
  const { t } = useTranslation('models')
  const groups = Object.entries(row.group_ratios)
  if (groups.length === 0 || row.costs.every(({ source }) => source === 'unknown')) return null
  return (
    <Field label={t('sheet.group')} className="w-64 max-sm:w-full">
      <Select
        value={group}
        onValueChange={onChange}
        options={groups.map(([name, ratio]) => ({ value: name, label: `${name} × ${ratio}` }))}
      />
    </Field>
  )
}
