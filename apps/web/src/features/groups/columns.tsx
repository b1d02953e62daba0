import type { GroupRow, GroupUsage } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { CallsLink, CountCell, CountLink, LimitsCell, NameCell, OpenCell } from './cells.tsx'

/** A group with its calls and charges of 30 days, where the person may see them. */
export interface ListedGroup extends GroupRow {
  readonly calls?: number | undefined
  readonly quota?: number | undefined
  readonly usage?: GroupUsage | undefined
}

/**
 * Returns the columns of the list.
 * @param hasUsage the person may see calls and charges
 */
export function useGroupColumns(hasUsage: boolean): readonly DataColumn<ListedGroup>[] {
  const { t } = useTranslation('groups')
  const small = useGridBelow(820)
  const tablet = useGridBelow(1100)
  const laptop = useGridBelow(1280)
  return useMemo(() => {
    const columns: readonly Omit<DataColumn<ListedGroup>, 'header'>[] = [
      { id: 'name', sortable: true, card: 'title', cell: (row) => <NameCell row={row} /> },
      {
        id: 'ratio',
        sortable: true,
        numeric: true,
        card: 'corner',
        cell: ({ ratio, has_ratio: has }) => (has ? <span className="figures">×{ratio}</span> : <NoValue />),
      },
      { id: 'open', hidden: small, card: 'none', grow: true, cell: (row) => <OpenCell row={row} /> },
      { id: 'limits', hidden: tablet, card: 'none', cell: (row) => <LimitsCell row={row} /> },
      {
        id: 'users',
        sortable: true,
        numeric: true,
        cell: ({ name, users }) => <CountLink group={name} count={users} of="users" />,
      },
      {
        id: 'tokens',
        sortable: true,
        numeric: true,
        hidden: laptop,
        card: 'none',
        cell: ({ tokens }) => <CountCell count={tokens} />,
      },
      {
        id: 'channels',
        sortable: true,
        numeric: true,
        card: 'none',
        cell: ({ name, channels }) => <CountLink group={name} count={channels} of="channels" />,
      },
      ...(hasUsage ? usageColumns(small) : []),
    ]
    return withHeaders(columns as Parameters<typeof withHeaders<ListedGroup, string>>[0], (id) =>
      t(`column.${id as 'name'}`),
    )
  }, [t, hasUsage, small, tablet, laptop])
}

function usageColumns(small: boolean): readonly Omit<DataColumn<ListedGroup>, 'header'>[] {
  return [
    {
      id: 'calls',
      sortable: true,
      numeric: true,
      hidden: small,
      card: 'none',
      cell: ({ calls, usage }) => (calls === undefined ? <NoValue /> : <CallsLink usage={usage} />),
    },
    {
      id: 'quota',
      sortable: true,
      numeric: true,
      cell: ({ quota }) => (quota === undefined ? <NoValue /> : <Money quota={quota} single />),
    },
  ]
}
