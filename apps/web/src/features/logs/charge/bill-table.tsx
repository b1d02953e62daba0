import { type LogEntry, pricedTools } from '@tollgate/api'
import { type Decimal, formatDecimal } from '@tollgate/base/decimal'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { cx } from '../../../lib/cx.ts'
import { exactDecimals, formatInteger } from '../../../lib/format/format.ts'
import { formatMarginRate, marginRate } from '../../../lib/margin.ts'
import { type Charge, type ChargeLine, currencyOf, type TokenCharge } from './charge.ts'
import { decimal } from './decimal.ts'

interface BillProps {
  readonly entry: Pick<LogEntry, 'quota' | 'group' | 'cost'>
  readonly charge: Charge
  readonly quotaPerUnit: number
}

/** The bill: every line's tokens, price and amount, the sum, the group ratio, and what was charged. */
export function BillTable({ entry, charge, quotaPerUnit }: BillProps) {
  const { t } = useTranslation('logs')
  const group = entry.group === '' ? t('bill.group') : t('bill.groupNamed', { group: entry.group })
  return (
    <table className="figures w-full text-sm">
      <caption className="sr-only">{t('section.charge')}</caption>
      <thead className="text-muted text-xs">
        <tr>
          <th scope="col" className={cx(cell, 'pl-0! text-left font-normal')}>
            <span className="sr-only">{t('bill.line')}</span>
          </th>
          <th scope="col" className={cx(cell, 'text-right font-normal')}>
            {charge.kind === 'per-token' ? t('bill.tokens') : ''}
          </th>
          <th scope="col" className={cx(cell, 'text-right font-normal')}>
            {charge.kind === 'per-token' ? t('bill.perMillion') : t('bill.perCall')}
          </th>
          <AmountHeads />
        </tr>
      </thead>
      <tbody>
        {charge.kind === 'per-token' ? (
          <TokenLines charge={charge} quotaPerUnit={quotaPerUnit} />
        ) : (
          <Line
            label={t('bill.call')}
            price={`$${formatDecimal(charge.modelPrice, 2)}`}
            amount={charge.amount}
            quotaPerUnit={quotaPerUnit}
          />
        )}
        <Line
          label={group}
          price={`× ${formatDecimal(charge.groupRatio)}`}
          amount={charge.exact}
          quotaPerUnit={quotaPerUnit}
        />
      </tbody>
      <tfoot>
        <Line
          label={<span className="font-semibold">{t('bill.charged')}</span>}
          amount={decimal(entry.quota)}
          quotaPerUnit={quotaPerUnit}
          strong
        />
        {typeof entry.cost === 'number' && (
          <CostLines quota={entry.quota} cost={entry.cost} quotaPerUnit={quotaPerUnit} />
        )}
      </tfoot>
    </table>
  )
}

interface CostLinesProps extends Pick<BillProps, 'quotaPerUnit'> {
  readonly quota: number
  readonly cost: number
}

/** Shows administrators their costs of the call, and the remainder. */
function CostLines({ quota, cost, quotaPerUnit }: CostLinesProps) {
  const { t } = useTranslation('logs')
  const rate = marginRate(quota, cost)
  return (
    <>
      <Line label={t('bill.cost')} amount={decimal(cost)} quotaPerUnit={quotaPerUnit} />
      <Line
        label={t('bill.margin')}
        hint={rate !== undefined && formatMarginRate(rate)}
        amount={decimal(quota - cost)}
        quotaPerUnit={quotaPerUnit}
        ruled
        loss={quota < cost}
      />
    </>
  )
}

const cell = 'px-2 py-1.5 max-sm:px-1'

/** Currency; where the installation shows quota units, those first. */
function AmountHeads() {
  const { t } = useTranslation('logs')
  const { inCurrency } = useMoneyDisplay()
  const heads = inCurrency ? [t('bill.currency')] : [t('bill.quota'), t('bill.currency')]
  return (
    <>
      {heads.map((head, index) => (
        <th key={head} scope="col" className={cx(cell, 'pr-0! text-right font-normal', index > 0 && 'pl-4!')}>
          {head}
        </th>
      ))}
    </>
  )
}

function TokenLines({
  charge,
  quotaPerUnit,
}: {
  readonly charge: TokenCharge
  readonly quotaPerUnit: number
}) {
  const { t } = useTranslation('logs')
  const toolName = (kind: string) => {
    const known = pricedTools.find((tool) => tool === kind)
    return known === undefined ? kind : t(`bill.tool.${known}`)
  }
  return (
    <>
      {charge.lines.map((line) => (
        <Line
          key={line.kind}
          label={t(`bill.${line.kind}`)}
          hint={<RatioHint line={line} charge={charge} />}
          count={formatInteger(line.tokens)}
          price={`$${formatDecimal(line.pricePerMillion, 2)}`}
          amount={line.amount}
          quotaPerUnit={quotaPerUnit}
        />
      ))}
      {charge.tools.map(({ kind, calls, pricePerThousand, amount }) => (
        <Line
          key={kind}
          label={toolName(kind)}
          hint={t('bill.perThousand', { price: `$${formatDecimal(pricePerThousand, 2)}` })}
          count={formatInteger(calls)}
          amount={amount}
          quotaPerUnit={quotaPerUnit}
        />
      ))}
      {charge.lines.length + charge.tools.length > 1 && (
        <Line label={t('bill.sum')} amount={charge.sum} quotaPerUnit={quotaPerUnit} ruled />
      )}
    </>
  )
}

/** Explains a line's price: the model's ratio, or how many input tokens one such token counts. */
function RatioHint({ line, charge }: { readonly line: ChargeLine; readonly charge: TokenCharge }) {
  const { t } = useTranslation('logs')
  return line.kind === 'input'
    ? t('bill.modelRatio', { ratio: formatDecimal(charge.modelRatio) })
    : t('bill.timesInput', { ratio: formatDecimal(line.ratio) })
}

interface LineProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly count?: string
  readonly price?: string
  readonly amount: Decimal
  readonly quotaPerUnit: number
  /** A line above it: what stands above adds up to it. */
  readonly ruled?: boolean
  readonly strong?: boolean
  readonly loss?: boolean
}

function Line({
  label,
  hint,
  count,
  price,
  amount,
  quotaPerUnit,
  ruled = false,
  strong = false,
  loss = false,
}: LineProps) {
  const { inCurrency } = useMoneyDisplay()
  const currency = dollars(formatDecimal(currencyOf(amount, quotaPerUnit), exactDecimals))
  const rule = cx((ruled || strong) && 'border-t', strong && 'border-line-strong')
  return (
    <tr>
      <th scope="row" className={cx(cell, rule, 'pl-0! text-left align-baseline font-normal')}>
        {label}
        {hint && <span className="ml-1.5 text-muted text-xs max-sm:ml-0 max-sm:block">{hint}</span>}
      </th>
      <td className={cx(cell, rule, 'text-right align-baseline')}>{count}</td>
      <td className={cx(cell, rule, 'text-right align-baseline')}>{price}</td>
      <td
        className={cx(
          cell,
          rule,
          'pr-0! text-right align-baseline',
          strong && 'font-semibold text-base',
          loss && 'text-bad',
        )}
      >
        {inCurrency ? currency : formatDecimal(amount)}
      </td>
      {!inCurrency && (
        <td className={cx(cell, rule, 'pr-0! pl-4! text-right align-baseline text-muted')}>{currency}</td>
      )}
    </tr>
  )
}

function dollars(amount: string): string {
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`
}
