import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { Tag } from '../../components/ui/tag.tsx'
import { usePhone } from '../../lib/browser/media-query.ts'
import type { Pricing } from './api.ts'
import {
  AvailabilityCell,
  type GroupChoice,
  GroupsCell,
  ModelCell,
  PriceCell,
  RatioCell,
  Surcharges,
} from './cells.tsx'
import { byTokens, type ListedRow } from './price-list.ts'

export interface PricingColumnsOptions {
  readonly pricing: Pricing | undefined
  /** The group whose prices are shown. */
  readonly group: string
  readonly groupRatio: number
  readonly onShowGroup: (group: string) => void
}

export function usePricingColumns(options: PricingColumnsOptions): readonly DataColumn<ListedRow>[] {
  const { pricing, group, groupRatio, onShowGroup } = options
  const { t } = useTranslation('pricing')
  const phone = usePhone()
  const groupsOf = useCallback(
    (row: ListedRow) => <GroupsCell groups={choicesOf(row, pricing)} shown={group} onShow={onShowGroup} />,
    [pricing, group, onShowGroup],
  )
  return useMemo((): readonly DataColumn<ListedRow>[] => {
    const columns: readonly DataColumn<ListedRow>[] = withHeaders(
      [
        { id: 'model', card: 'title', cell: ({ model_name }) => <ModelCell name={model_name} /> },
        {
          id: 'available',
          sortable: true,
          card: 'corner',
          cell: (row) => <AvailabilityCell row={row} group={group} />,
        },
        {
          id: 'billing',
          sortable: true,
          // A card's price says it.
          card: 'none',
          cell: ({ quota_type }) => (
            <Tag>{t(quota_type === byTokens ? 'billing.tokens' : 'billing.call')}</Tag>
          ),
        },
        { id: 'groups', card: 'none', cell: groupsOf },
        {
          id: 'ratio',
          numeric: true,
          card: 'none',
          cell: (row) => <RatioCell row={row} groupRatio={groupRatio} />,
        },
        {
          id: 'price',
          numeric: true,
          card: 'none',
          cell: (row) => (
            <span className="flex items-center justify-end gap-2">
              <Surcharges row={row} groupRatio={groupRatio} />
              <PriceCell row={row} groupRatio={groupRatio} />
            </span>
          ),
        },
      ],
      (id) => t(`column.${id}`),
    )
    const onCard = (row: ListedRow) => (
      <span className="flex min-h-10 min-w-0 flex-1 items-center justify-between gap-2">
        <PriceCell row={row} groupRatio={groupRatio} />
        <span className="flex min-w-0 items-center">
          <Surcharges row={row} groupRatio={groupRatio} />
          {groupsOf(row)}
        </span>
      </span>
    )
    return phone ? [...columns, { id: actionsColumn, header: '', cell: onCard }] : columns
  }, [t, phone, group, groupRatio, groupsOf])
}

/** Groups that reach the model and are open to the visitor. */
function choicesOf(row: ListedRow, pricing: Pricing | undefined): readonly GroupChoice[] {
  return row.enable_groups.flatMap((name) => {
    const ratio = pricing?.group_ratio[name]
    return ratio === undefined ? [] : [{ name, ratio, description: pricing?.usable_group[name] ?? '' }]
  })
}
