import { Link } from '@tanstack/react-router'
import type { ModelPrice, ServedModel } from '@tollgate/api'
import { Pencil, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass, IconButton } from '../../components/ui/button.tsx'
import { CopyText } from '../../components/ui/copy.tsx'
import { NoValue, Tag } from '../../components/ui/tag.tsx'
import { localList } from '../../i18n/local-list.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatInteger } from '../../lib/format/format.ts'
import { formatPrice, type TokenPriceKind, tokenPriceOf, tokenPrices } from '../../lib/format/price.ts'
import { isUnpriced, type ModelRow } from './model-rows.ts'
import type { PriceView } from './search.ts'

export function ModelCell({ row }: { readonly row: ModelRow }): ReactNode {
  return <CopyText value={row.model_name} pressable className="min-w-0" />
}

interface PriceCellProps {
  readonly row: ModelRow
  readonly kind: TokenPriceKind
  readonly view: PriceView
}

/** Shows the price of a kind of token, or its ratio; a price per call stands in place of input. */
export function PriceCell({ row, kind, view }: PriceCellProps): ReactNode {
  const { t } = useTranslation('models')
  const { quotaPerUnit } = useMoneyDisplay()
  if (row.quota_type !== 0) {
    if (kind !== 'input') return <NoValue />
    const unit = row.video?.unit === 'second' ? 'perSecond' : 'perCall'
    return t(unit, { price: formatPrice(row.model_price) })
  }
  const found = tokenPriceOf(row, kind, 1, quotaPerUnit)
  if (found === undefined) return <NoValue />
  return view === 'ratios' ? short(found.ratio) : formatPrice(found.price)
}

/** Writes a ratio with at most four decimals, without trailing zeros. */
function short(ratio: number): string {
  return String(Number(ratio.toFixed(4)))
}

/** Shows in place of all prices that there is none, the calls refused for it, and the vendor's price. */
export function NoPriceCell({ row }: { readonly row: ModelRow }): ReactNode {
  const { t } = useTranslation('models')
  const suggestion = useListPrice(row.list_price)
  return (
    <span className="flex min-w-0 items-center justify-end gap-2">
      <NoPriceTag row={row} />
      {suggestion && (
        <span className="truncate text-muted text-xs">{t('listPrice', { price: suggestion })}</span>
      )}
    </span>
  )
}

interface NoPriceTagProps {
  readonly row: ModelRow
  /** Leaves out in what time. */
  readonly short?: boolean
}

function NoPriceTag({ row: { refused }, short: isShort = false }: NoPriceTagProps) {
  const { t } = useTranslation('models')
  const counted = { count: refused, visible: formatInteger(refused) }
  return (
    <Tag tone={refused > 0 ? 'bad' : 'warn'} className="min-w-0">
      {refused === 0 ? t('noPrice') : t(isShort ? 'refusedShort' : 'refused', counted)}
    </Tag>
  )
}

/** The vendor's price in a few words; `undefined` without one. */
export function useListPrice(price: ModelPrice | undefined): string | undefined {
  const { t } = useTranslation('models')
  if (price === undefined) return undefined
  if (price.call !== undefined) return t('perCall', { price: formatPrice(price.call) })
  const input = formatPrice(price.input ?? 0)
  return price.output === undefined
    ? t('inputOnly', { input })
    : t('inputOutput', { input, output: formatPrice(price.output) })
}

/** The channels that serve a model: the one by its name, several by their number. */
export function ChannelsCell({
  channels,
  model,
}: {
  readonly channels: ServedModel['channels']
  readonly model: string
}) {
  const { t } = useTranslation('models')
  const [first] = channels
  if (first === undefined) return <NoValue />
  const className = 'truncate hover:text-accent-text hover:underline'
  if (channels.length === 1)
    return (
      <Link to="/channel/edit/$id" params={{ id: String(first.id) }} className={className}>
        {first.name}
      </Link>
    )
  return (
    <Link
      to="/channel"
      search={{ model }}
      className={className}
      title={localList(channels.map(({ name }) => name))}
    >
      {t('channels', { count: channels.length })}
    </Link>
  )
}

interface ActionsCellProps {
  readonly row: ModelRow
  readonly onOpen: (model: string) => void
}

/** The price in one line and what can be done, for a card. */
export function CardCell({ row, onOpen }: ActionsCellProps): ReactNode {
  const { quotaPerUnit } = useMoneyDisplay()
  const [input, output] = tokenPrices(row, 1, quotaPerUnit)
  const text = useListPrice({ input: input?.price, output: output?.price })
  return (
    <span className="figures flex min-w-0 flex-1 items-center justify-between gap-2">
      {isUnpriced(row) ? (
        <NoPriceTag row={row} short />
      ) : row.quota_type === 0 ? (
        text
      ) : (
        <PriceCell row={row} kind="input" view="prices" />
      )}
      <ActionsCell row={row} onOpen={onOpen} />
    </span>
  )
}

/** Links to the price, and to the calls. */
export function ActionsCell({ row, onOpen }: ActionsCellProps): ReactNode {
  const { t } = useTranslation('models')
  const { model_name: model } = row
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {isUnpriced(row) ? (
        <Button variant={row.refused > 0 ? 'primary' : 'secondary'} size="sm" onClick={() => onOpen(model)}>
          {t('setPrice')}
        </Button>
      ) : (
        <IconButton size="sm" icon={Pencil} label={t('edit', { model })} onClick={() => onOpen(model)} />
      )}
      <Link
        to="/log"
        search={{ model, range: '24h' }}
        aria-label={t('calls', { model })}
        data-tooltip={t('calls', { model })}
        className={buttonClass('ghost', 'sm', 'aspect-square px-0!')}
      >
        <ScrollText className="size-3.5" aria-hidden />
      </Link>
    </span>
  )
}
