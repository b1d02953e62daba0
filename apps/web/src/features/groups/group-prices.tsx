import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PricingRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../components/ui/card.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { useStatus } from '../../lib/api/status.ts'
import { formatPrice, tokenPriceOf } from '../../lib/format/price.ts'
import { groupPricesQuery } from './api.ts'

interface GroupPricesProps {
  readonly group: string
  readonly ratio: number
}

const byCall = 1
/** More are on the page of prices. */
const maxRows = 100

/** The prices of the models that the group reaches, as its members pay them. */
export function GroupPrices({ group, ratio }: GroupPricesProps) {
  const { t } = useTranslation('groups')
  const query = useQuery(groupPricesQuery)
  return (
    <FormSection id="prices" title={t('section.prices')} description={t('section.pricesHint')} folded>
      <QueryBoundary query={query}>
        {(all) => {
          const rows = all.filter(
            ({ enable_groups: groups, unpriced }) => groups.includes(group) && !unpriced,
          )
          if (rows.length === 0) return <p className="text-muted text-sm">{t('prices.none')}</p>
          return <PriceTable rows={rows.slice(0, maxRows)} ratio={ratio} more={rows.length - maxRows} />
        }}
      </QueryBoundary>
      <Link to="/pricing" search={{ group }} className="text-accent-text text-sm underline">
        {t('prices.all')}
      </Link>
    </FormSection>
  )
}

interface PriceTableProps {
  readonly rows: readonly PricingRow[]
  readonly ratio: number
  readonly more: number
}

function PriceTable({ rows, ratio, more }: PriceTableProps) {
  const { t } = useTranslation('groups')
  const quotaPerUnit = useStatus()?.quota_per_unit ?? 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
    <section aria-label={t('section.prices')} tabIndex={0} className="max-h-96 overflow-auto rounded">
      <table className="w-full text-sm">
        <thead className="text-muted text-xs">
          <tr>
            <th scope="col" className="py-1 text-left font-normal">
              {t('prices.model')}
            </th>
            {(['input', 'output'] as const).map((kind) => (
              <th key={kind} scope="col" className="py-1 pl-4 text-right font-normal">
                {t(`prices.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.model_name} className="border-t">
              <th scope="row" className="wrap-anywhere py-1.5 text-left font-mono font-normal text-xs">
                {row.model_name}
              </th>
              <Prices row={row} ratio={ratio} quotaPerUnit={quotaPerUnit} />
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className="pt-2 text-muted text-xs">{t('prices.more', { count: more })}</p>}
    </section>
  )
}

const figure = 'figures whitespace-nowrap py-1.5 pl-4 text-right'

function Prices({
  row,
  ratio,
  quotaPerUnit,
}: {
  readonly row: PricingRow
  readonly ratio: number
  readonly quotaPerUnit: number
}) {
  const { t } = useTranslation('groups')
  if (row.quota_type === byCall)
    return (
      <td colSpan={2} className={figure}>
        {t('prices.call', { price: formatPrice(row.model_price * ratio) })}
      </td>
    )
  return (['input', 'output'] as const).map((kind) => {
    const price = tokenPriceOf(row, kind, ratio, quotaPerUnit)?.price
    return (
      <td key={kind} className={figure}>
        {price === undefined ? <NoValue /> : formatPrice(price)}
      </td>
    )
  })
}
