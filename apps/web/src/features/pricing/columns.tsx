import { type ReactNode, useCallback, useMemo } from 'react'
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
import { JobCell, jobColumns, measuredColumns } from './measured-cells.tsx'
import { byTokens, type ListedRow } from './price-list.ts'

export interface PricingColumnsOptions {
  readonly pricing: Pricing | undefined
  /** The group whose prices are shown. */
  readonly group: string
  readonly groupRatio: number
  readonly onShowGroup: (group: string) => void
  /** Output tokens of one call of the job whose costs are visible; `undefined` without one. */
  readonly jobOutput: number | undefined
  /** Figures of the last day are visible. */
  readonly isMeasured: boolean
}

const kinds = { input: 'input', output: 'output', cached: 'cacheRead' } as const

/** Windows that are narrower begin without what matters less to who compares prices. */
const windows = { small: 900, rail: 1100, tablet: 1200, laptop: 1440 } as const

/** Returns the columns, all of which have a width, so that nothing moves when the rows arrive. */
export function usePricingColumns(options: PricingColumnsOptions): readonly DataColumn<ListedRow>[] {
  const { pricing, group, groupRatio, onShowGroup, jobOutput, isMeasured } = options
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
  // A job or figures of the last day take the room of what matters less beside them; on a tablet names need that of prices.
  const hasJob = jobOutput !== undefined
  const hasMore = hasJob || isMeasured
  const isCrowded = laptop || hasMore
  const hidesCached = small || (tablet && isMeasured) || (laptop && hasJob)
  return useMemo((): readonly DataColumn<ListedRow>[] => {
    const price = (id: keyof typeof kinds) =>
      priceColumn(id, groupRatio, (small && hasJob) || (id === 'cached' && hidesCached))
    const columns: readonly DataColumn<ListedRow>[] = withHeaders(
      [
        {
          id: 'model',
          width: '15rem',
          grow: true,
          card: 'title',
          cell: ({ model_name }) => <ModelCell name={model_name} />,
        },
        ...jobColumns(jobOutput),
        price('input'),
        price('output'),
        price('cached'),
        ...measuredColumns(isMeasured, tablet),
        {
          id: 'context',
          numeric: true,
          width: '5.5rem',
          hidden: tablet || (laptop && hasMore) || (hasJob && isMeasured),
          card: 'none',
          cell: ({ context_size }) => <ContextSize tokens={context_size} />,
        },
        {
          id: 'vendor',
          width: '7.5rem',
          hidden: isCrowded,
          card: 'none',
          cell: ({ owner_by }) => <Vendor name={owner_by} />,
        },
        {
          id: 'billing',
          sortable: true,
          width: '6.5rem',
          hidden: isCrowded,
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
        {
          id: 'groups',
          width: '7rem',
          hidden: rail || hasJob || (laptop && hasMore),
          card: 'none',
          cell: groupsOf,
        },
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
      <CardLine row={row} groupRatio={groupRatio} jobOutput={jobOutput} groups={groupsOf(row)} />
    )
    return [...columns, phone ? { ...details, cell: onCard } : details]
  }, [
    t,
    phone,
    small,
    hidesCached,
    rail,
    tablet,
    hasJob,
    hasMore,
    laptop,
    isCrowded,
    group,
    groupRatio,
    groupsOf,
    jobOutput,
    isMeasured,
  ])
}

/** A column of prices of one kind of tokens. */
function priceColumn(id: keyof typeof kinds, groupRatio: number, hidden: boolean) {
  const cell = (row: ListedRow) => <PriceCell row={row} groupRatio={groupRatio} kind={kinds[id]} />
  return { id, numeric: true, width: '6.5rem', hidden, card: 'none', cell } as const
}

interface CardLineProps {
  readonly row: ListedRow
  readonly groupRatio: number
  readonly jobOutput: number | undefined
  readonly groups: ReactNode
}

/** Price or job, groups and details in the line of a card. */
function CardLine({ row, groupRatio, jobOutput, groups }: CardLineProps) {
  return (
    <span className="figures flex min-h-10 min-w-0 flex-1 items-center justify-between gap-2">
      {jobOutput === undefined ? (
        <PriceLine row={row} groupRatio={groupRatio} />
      ) : (
        <JobCell row={row} output={jobOutput} />
      )}
      <span className="flex min-w-0 items-center">
        {groups}
        <DetailsCell row={row} groupRatio={groupRatio} />
      </span>
    </span>
  )
}

/** Groups that reach the model and are open to the visitor. */
function choicesOf(row: ListedRow, pricing: Pricing | undefined): readonly GroupChoice[] {
  return row.enable_groups.flatMap((name) => {
    const ratio = pricing?.group_ratio[name]
    return ratio === undefined ? [] : [{ name, ratio, description: pricing?.usable_group[name] ?? '' }]
  })
}
