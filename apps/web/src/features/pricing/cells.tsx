import { Link } from '@tanstack/react-router'
import { Check, ListPlus, ScrollText, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPriceDetails, PriceDetails } from '../../components/prices/price-details.tsx'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { CopyText } from '../../components/ui/copy.tsx'
import { Popover } from '../../components/ui/overlay/popover.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { product } from '../../lib/format/money.ts'
import { formatPrice, type TokenPriceKind, tokenPriceOf, tokenPrices } from '../../lib/format/price.ts'
import { useUser } from '../../lib/session/session.ts'
import { byTokens, type ListedRow } from './price-list.ts'

interface CellProps {
  readonly row: ListedRow
  readonly groupRatio: number
}

/** Writes a ratio with at most three decimals, without trailing zeros. */
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

interface PriceCellProps extends CellProps {
  readonly kind: TokenPriceKind
}

/** Currency per million tokens of a kind; a price per call stands in the place of input. */
export function PriceCell({ row, groupRatio, kind }: PriceCellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const { quotaPerUnit } = useMoneyDisplay()
  if (row.unpriced) return kind === 'input' ? <NoPrice row={row} groupRatio={groupRatio} /> : <NoValue />
  if (row.quota_type !== byTokens) {
    if (kind !== 'input') return <NoValue />
    const price = formatPrice(product(row.model_price, groupRatio))
    return t(row.video?.unit === 'second' ? 'price.second' : 'price.call', { price })
  }
  const found = tokenPriceOf(row, kind, groupRatio, quotaPerUnit)
  if (found === undefined) return <NoValue />
  const isNoDiscount = kind === 'cacheRead' && found.ratio === 1
  return <span className={isNoDiscount ? 'text-muted' : undefined}>{formatPrice(found.price)}</span>
}

/** Nobody set a price; who is charged nevertheless learns how much. */
function NoPrice({ row, groupRatio }: CellProps) {
  const { t } = useTranslation('pricing')
  const { quotaPerUnit } = useMoneyDisplay()
  const charged = row.model_ratio > 0 ? tokenPriceOf(row, 'input', groupRatio, quotaPerUnit) : undefined
  const text = charged && t('price.charged', { price: formatPrice(charged.price) })
  return (
    <span className="text-muted" title={text}>
      {t('price.none')}
      {text && <span className="block text-2xs">{text}</span>}
    </span>
  )
}

/** The ratios that the price is made of. */
export function RatioCell({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.unpriced) return <NoValue />
  if (row.quota_type !== byTokens) return t('ratio.group', { ratio: groupRatio })
  return t('ratio.tokens', { model: short(row.model_ratio), completion: short(row.completion_ratio) })
}

/** Prices in one line, for a card. */
export function PriceLine({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const { quotaPerUnit } = useMoneyDisplay()
  if (row.unpriced || row.quota_type !== byTokens)
    return <PriceCell row={row} groupRatio={groupRatio} kind="input" />
  const [input, output] = tokenPrices(row, groupRatio, quotaPerUnit)
  return t('price.line', { input: formatPrice(input?.price ?? 0), output: formatPrice(output?.price ?? 0) })
}

/** Everything that a model charges, behind a press; nothing where the columns say it all. */
export function DetailsCell({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.unpriced || !hasPriceDetails({ row })) return null
  return (
    <Popover
      label={t('details', { model: row.model_name })}
      align="end"
      trigger={<IconButton icon={ListPlus} size="sm" label={t('details', { model: row.model_name })} />}
    >
      <div className="max-h-96 min-w-72 overflow-y-auto">
        <PriceDetails row={row} groupRatio={groupRatio} />
      </div>
    </Popover>
  )
}

/** Shows whether a call in the visible group would be served, or why it would not. */
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
  /** Group whose prices are visible. */
  readonly visible: string
  readonly onShow: (group: string) => void
}

/** The groups that reach a model; one of them has its prices shown. */
export function GroupsCell({ groups, visible, onShow }: GroupsCellProps): ReactNode {
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
              aria-pressed={name === visible}
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
              <Check className={name === visible ? 'size-4' : 'invisible size-4'} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
