import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { CopyText } from '../../components/ui/copy.tsx'
import { StatusDot, Tag } from '../../components/ui/tag.tsx'
import type { Pricing } from './api.ts'
import { type GroupChoice, GroupsCell } from './groups-cell.tsx'
import { PriceCell, RatioCell } from './price-cells.tsx'
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
  return useMemo(
    (): readonly DataColumn<ListedRow>[] => [
      {
        id: 'model',
        header: t('column.model'),
        card: 'title',
        cell: ({ model_name }) => <CopyText value={model_name} />,
      },
      {
        id: 'available',
        header: t('column.available'),
        sortable: true,
        card: 'corner',
        cell: ({ isServed }) => (
          <StatusDot tone={isServed ? 'good' : 'neutral'}>
            {t(isServed ? 'available.yes' : 'available.no', { group })}
          </StatusDot>
        ),
      },
      {
        id: 'billing',
        header: t('column.billing'),
        sortable: true,
        // A card's price says it.
        card: 'none',
        cell: ({ quota_type }) => <Tag>{t(quota_type === byTokens ? 'billing.tokens' : 'billing.call')}</Tag>,
      },
      {
        id: 'groups',
        header: t('column.groups'),
        cell: (row) => <GroupsCell groups={choicesOf(row, pricing)} shown={group} onShow={onShowGroup} />,
      },
      {
        id: 'ratio',
        header: t('column.ratio'),
        numeric: true,
        card: 'none',
        cell: (row) => <RatioCell row={row} groupRatio={groupRatio} />,
      },
      {
        id: 'price',
        header: t('column.price'),
        numeric: true,
        card: 'figure',
        cell: (row) => <PriceCell row={row} groupRatio={groupRatio} />,
      },
    ],
    [t, pricing, group, groupRatio, onShowGroup],
  )
}

/** Groups that reach the model and are open to whoever asks. */
function choicesOf(row: ListedRow, pricing: Pricing | undefined): readonly GroupChoice[] {
  return row.enable_groups.flatMap((name) => {
    const ratio = pricing?.group_ratio[name]
    return ratio === undefined ? [] : [{ name, ratio, description: pricing?.usable_group[name] ?? '' }]
  })
}
