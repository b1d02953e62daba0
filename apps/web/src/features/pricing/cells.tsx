import { Link } from '@tanstack/react-router'
import { Check, ScrollText, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { CopyText } from '../../components/ui/copy.tsx'
import { Popover } from '../../components/ui/overlay/popover.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatInteger, quotaToCurrency } from '../../lib/format/format.ts'
import { product } from '../../lib/format/money.ts'
import { useUser } from '../../lib/session/session.ts'
import { byTokens, type ListedRow, tokenPrices } from './price-list.ts'

interface CellProps {
  readonly row: ListedRow
  readonly groupRatio: number
}

/** At most three decimals, and no zeros that say nothing. */
const short = (ratio: number): string => String(Number(ratio.toFixed(3)))

/** The model's name, and for people who are logged in the way to its calls. */
export function ModelCell({ name }: { readonly name: string }): ReactNode {
  const { t } = useTranslation('pricing')
  const user = useUser()
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <CopyText value={name} pressable className="min-w-0" />
      {user && (
        <Link
          to="/log"
          search={{ model: name, range: '24h' }}
          aria-label={t('calls', { model: name })}
          data-tooltip={t('calls', { model: name })}
          className="grid size-6 shrink-0 place-items-center rounded-sm text-faint hover:bg-hover hover:text-text max-sm:hidden"
        >
          <ScrollText className="size-3.5" aria-hidden />
        </Link>
      )}
    </span>
  )
}

/** What the price is made of. */
export function RatioCell({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.unpriced) return <NoValue />
  if (row.quota_type !== byTokens)
    return <span className="figures text-muted">{t('ratio.group', { ratio: groupRatio })}</span>
  return (
    <span className="figures block text-muted text-xs leading-snug">
      <span className="block">{t('ratio.model', { ratio: short(row.model_ratio) })}</span>
      <span className="block">{t('ratio.completion', { ratio: short(row.completion_ratio) })}</span>
    </span>
  )
}

/** In currency: a million tokens in and out, or one call. */
export function PriceCell({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const display = useMoneyDisplay()
  if (row.unpriced) return <span className="text-muted">{t('price.none')}</span>
  if (row.quota_type !== byTokens) {
    const price = quotaToCurrency(product(row.model_price, display.quotaPerUnit, groupRatio), display)
    const unit = row.video?.unit === 'second' ? 'price.second' : 'price.call'
    return (
      <span className="figures block whitespace-nowrap leading-snug">
        <span className="block">{t(unit, { price })}</span>
        <ResolutionLines row={row} />
      </span>
    )
  }
  const { input, output } = tokenPrices(row, groupRatio)
  return (
    <span className="figures block whitespace-nowrap leading-snug">
      <span className="block">{t('price.input', { price: quotaToCurrency(input, display) })}</span>
      <span className="block">{t('price.output', { price: quotaToCurrency(output, display) })}</span>
    </span>
  )
}

/** What resolutions and sound make of the price of a video. */
function ResolutionLines({ row }: Pick<CellProps, 'row'>): ReactNode {
  const { t } = useTranslation('pricing')
  const { resolutions = {}, sound } = row.video ?? {}
  const lines = Object.entries(resolutions).map(([resolution, ratio]) =>
    t('price.resolution', { resolution, ratio: short(ratio) }),
  )
  if (sound !== undefined) lines.push(t('price.sound', { ratio: short(sound) }))
  return lines.map((line) => (
    <span key={line} className="block text-muted text-xs">
      {line}
    </span>
  ))
}

/** Whether a call in the group that is shown would be served, and why it would not. */
export function AvailabilityCell({ row, group }: { readonly row: ListedRow; readonly group: string }) {
  const { t } = useTranslation('pricing')
  if (row.isServed)
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap align-middle">
        <Check className="size-3.5 shrink-0 text-good" aria-hidden />
        {t('available.yes')}
      </span>
    )
  const reason = row.enable_groups.includes(group) ? t('available.notNow') : t('available.no', { group })
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle text-muted" title={reason}>
      <X className="size-3.5 shrink-0 text-bad" aria-hidden />
      <span className="max-w-40 truncate">{reason}</span>
    </span>
  )
}

export interface GroupChoice {
  readonly name: string
  readonly ratio: number
  readonly description: string
}

interface GroupsCellProps {
  /** Groups of the model that the visitor may use. */
  readonly groups: readonly GroupChoice[]
  /** Whose prices are shown. */
  readonly shown: string
  readonly onShow: (group: string) => void
}

/** The groups that reach a model; one of them has its prices shown. */
export function GroupsCell({ groups, shown, onShow }: GroupsCellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const [open, setOpen] = useState(false)
  const [first] = groups
  if (!first) return <span className="text-muted">{t('groups.none')}</span>
  return (
    <Popover
      label={t('groups.title')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" className="-ml-2 max-w-48">
          <span className="truncate">
            {groups.length === 1 ? first.name : t('groups.count', { count: groups.length })}
          </span>
        </Button>
      }
    >
      <ul className="flex max-h-72 min-w-56 flex-col overflow-y-auto p-1">
        {groups.map(({ name, ratio, description }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={name === shown}
              className="flex w-full items-center gap-3 rounded px-2 py-1.5 text-left text-sm hover:bg-hover max-sm:min-h-11"
              onClick={() => {
                setOpen(false)
                onShow(name)
              }}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-muted text-xs">{description}</span>
              </span>
              <span className="figures text-muted">× {ratio}</span>
              <Check className={name === shown ? 'size-4' : 'invisible size-4'} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}

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
