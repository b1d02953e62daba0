import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Popover } from '../../components/ui/popover.tsx'
import { formatInteger, quotaToCurrency } from '../../lib/format.ts'
import { product } from '../../lib/money.ts'
import { useMoneyDisplay } from '../../lib/status.ts'
import type { ListedRow } from './price-list.ts'

interface SurchargesProps {
  readonly row: ListedRow
  readonly groupRatio: number
}

/** What a model charges beside its tokens, or for making them dearer; nothing for most. */
export function Surcharges({ row, groupRatio }: SurchargesProps): ReactNode {
  const { t } = useTranslation('pricing')
  const { tool_prices: tools, tier_ratios: tiers, length_steps: steps } = row
  if (tools === undefined && tiers === undefined && steps === undefined) return null
  return (
    <Popover
      label={t('surcharges.title')}
      trigger={
        <Button size="sm" variant="ghost" className="text-muted text-xs">
          {t('surcharges.open')}
        </Button>
      }
    >
      <div className="flex max-h-80 min-w-64 flex-col gap-3 overflow-y-auto text-sm">
        <ToolTerms row={row} groupRatio={groupRatio} />
        <Terms
          title={t('surcharges.tiers')}
          terms={Object.entries(tiers ?? {}).map(([tier, ratio]) => [tier, t('surcharges.tier', { ratio })])}
        />
        <Terms
          title={t('surcharges.steps')}
          terms={(steps ?? []).map(({ above, ...step }) => [
            t('surcharges.above', { above: formatInteger(above) }),
            t(step.cached === undefined ? 'surcharges.step' : 'surcharges.stepCached', step),
          ])}
        />
      </div>
    </Popover>
  )
}

type Term = readonly [name: string, value: string]

/** In the group that is shown, under the names by which callers ask for the tools. */
function ToolTerms({ row: { tool_prices: tools = {} }, groupRatio }: SurchargesProps): ReactNode {
  const { t } = useTranslation('pricing')
  const display = useMoneyDisplay()
  const terms = Object.entries(tools).map(
    ([tool, price]): Term => [
      tool,
      quotaToCurrency(product(price, display.quotaPerUnit, groupRatio), display),
    ],
  )
  return <Terms title={t('surcharges.tools')} terms={terms} />
}

function Terms({ title, terms }: { readonly title: string; readonly terms: readonly Term[] }): ReactNode {
  if (terms.length === 0) return null
  return (
    <section>
      <h3 className="text-muted text-xs">{title}</h3>
      <dl className="figures">
        {terms.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt>{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
