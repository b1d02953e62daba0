import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { ContextSize, Vendor } from '../../components/prices/model-facts.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import type { Pricing } from '../../lib/api/pricing.ts'
import { useGridBelow, usePhone } from '../../lib/browser/media-query.ts'
import {
  AvailabilityCell,
  DetailsCell,
  type GroupChoice,
  GroupsCell,
  ModelCell,
  PriceCell,
  PriceLine,
  RatioCell,
} from './cells.tsx'
import { byTokens, type ListedRow } from './price-list.ts'

export interface PricingColumnsOptions {
  readonly pricing: Pricing | undefined
  /** The group whose prices are shown. */
  readonly group: string
  readonly groupRatio: number
  readonly onShowGroup: (group: string) => void
}

const kinds = { input: 'input', output: 'output', cached: 'cacheRead' } as const

/** Windows that are narrower begin without what matters less to who compares prices. */
const windows = { small: 768, rail: 1100, tablet: 1200, laptop: 1440 } as const

/** Returns the columns, all of which have a width, so that nothing moves when the rows arrive. */
export function usePricingColumns(options: PricingColumnsOptions): readonly DataColumn<ListedRow>[] {
  const { pricing, group, groupRatio, onShowGroup } = options
  const { t } = useTranslation('pricing')
  const phone = usePhone()
  const small = useGridBelow(windows.small)
  const rail = useGridBelow(windows.rail)
  const tablet = useGridBelow(windows.tablet)
  const laptop = useGridBelow(windows.laptop)
  const groupsOf = useCallback(
    (row: ListedRow) => <GroupsCell groups={choicesOf(row, pricing)} visible={group} onShow={onShowGroup} />,
    [pricing, group, onShowGroup],
  )
  return useMemo((): readonly DataColumn<ListedRow>[] => {
    const price = (id: keyof typeof kinds) =>
      ({
        id,
        numeric: true,
        width: '6.5rem',
        hidden: id === 'cached' && small,
        card: 'none',
        cell: (row: ListedRow) => <PriceCell row={row} groupRatio={groupRatio} kind={kinds[id]} />,
      }) as const
    const columns: readonly DataColumn<ListedRow>[] = withHeaders(
      [
        {
          id: 'model',
          width: '10rem',
          grow: true,
          card: 'title',
          cell: ({ model_name }) => <ModelCell name={model_name} />,
        },
        price('input'),
        price('output'),
        price('cached'),
        {
          id: 'context',
          numeric: true,
          width: '5.5rem',
          hidden: tablet,
          card: 'none',
          cell: ({ context_size }) => <ContextSize tokens={context_size} />,
        },
        {
          id: 'vendor',
          width: '7.5rem',
          hidden: laptop,
          card: 'none',
          cell: ({ owner_by }) => <Vendor name={owner_by} />,
        },
        {
          id: 'billing',
          sortable: true,
          width: '6.5rem',
          hidden: laptop,
          card: 'none',
          cell: ({ quota_type }) => (
            <Tag>{t(quota_type === byTokens ? 'billing.tokens' : 'billing.call')}</Tag>
          ),
        },
        {
          id: 'ratio',
          numeric: true,
          width: '11rem',
          hidden: true,
          card: 'none',
          cell: (row) => <RatioCell row={row} groupRatio={groupRatio} />,
        },
        { id: 'groups', width: '7rem', hidden: rail, card: 'none', cell: groupsOf },
        {
          id: 'available',
          sortable: true,
          width: '8rem',
          card: 'corner',
          cell: (row) => <AvailabilityCell row={row} group={group} />,
        },
      ],
      (id) => t(`column.${id}`),
    )
    const details: DataColumn<ListedRow> = {
      id: actionsColumn,
      header: '',
      width: '3.5rem',
      cell: (row) => <DetailsCell row={row} groupRatio={groupRatio} />,
    }
    const onCard = (row: ListedRow) => (
      <span className="figures flex min-h-10 min-w-0 flex-1 items-center justify-between gap-2">
        <PriceLine row={row} groupRatio={groupRatio} />
        <span className="flex min-w-0 items-center">
          {groupsOf(row)}
          <DetailsCell row={row} groupRatio={groupRatio} />
        </span>
      </span>
    )
    return [...columns, phone ? { ...details, cell: onCard } : details]
  }, [t, phone, small, rail, tablet, laptop, group, groupRatio, groupsOf])
}

/** Groups that reach the model and are open to the visitor. */
function choicesOf(row: ListedRow, pricing: Pricing | undefined): readonly GroupChoice[] {
  return row.enable_groups.flatMap((name) => {
    const ratio = pricing?.group_ratio[name]
    return ratio === undefined ? [] : [{ name, ratio, description: pricing?.usable_group[name] ?? '' }]
  })
}
