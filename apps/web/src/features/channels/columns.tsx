import type { Channel } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn } from '../../components/data-table/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { InlineNumber } from './cells/inline-number.tsx'
import { GroupsCell, ModelsCell } from './cells/list-cells.tsx'
import { ResponseCell } from './cells/response-cell.tsx'
import { StatusCell } from './cells/status-cell.tsx'
import { typeName } from './form/type-facts.ts'
import { RowActions, type RowActionsProps } from './row-actions.tsx'

/** The list's columns, in reading order. */
export function useChannelColumns({ onTestModels }: Omit<RowActionsProps, 'channel'>) {
  const { t } = useTranslation('channels')
  return useMemo(
    (): readonly DataColumn<Channel>[] => [
      {
        id: 'id',
        header: t('column.id'),
        numeric: true,
        sortable: true,
        card: 'none',
        cell: ({ id }) => <span className="text-muted">{id}</span>,
      },
      {
        id: 'name',
        header: t('column.name'),
        fixed: true,
        card: 'title',
        cell: (channel) => <NameCell channel={channel} />,
      },
      {
        id: 'type',
        header: t('column.type'),
        cell: ({ type }) => (
          <span className="block max-w-32 truncate" title={`${typeName(type)} (${type})`}>
            {typeName(type)}
          </span>
        ),
      },
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (channel) => <StatusCell channel={channel} />,
      },
      {
        id: 'response',
        header: t('column.response'),
        card: 'figure',
        cell: (channel) => <ResponseCell channel={channel} />,
      },
      { id: 'groups', header: t('column.groups'), cell: ({ group }) => <GroupsCell group={group} /> },
      {
        id: 'models',
        header: t('column.models'),
        numeric: true,
        cell: ({ models }) => <ModelsCell models={models} />,
      },
      {
        id: 'used',
        header: t('column.used'),
        numeric: true,
        card: 'figure',
        cell: ({ used_quota }) => <Money quota={used_quota} single />,
      },
      {
        id: 'priority',
        header: t('column.priority'),
        numeric: true,
        sortable: true,
        cell: (channel) => <InlineNumber channel={channel} field="priority" />,
      },
      {
        id: 'weight',
        header: t('column.weight'),
        numeric: true,
        cell: (channel) => <InlineNumber channel={channel} field="weight" />,
      },
      {
        id: 'tag',
        header: t('column.tag'),
        hidden: true,
        cell: ({ tag }) =>
          tag === '' ? <span className="text-faint">–</span> : <Tag className="max-w-32">{tag}</Tag>,
      },
      {
        id: actionsColumn,
        header: '',
        cell: (channel) => <RowActions channel={channel} onTestModels={onTestModels} />,
      },
    ],
    [t, onTestModels],
  )
}

function NameCell({ channel }: { readonly channel: Channel }) {
  return (
    <span className="flex max-w-56 items-baseline gap-1.5 max-sm:max-w-full" title={channel.name}>
      <span className="truncate font-medium">{channel.name}</span>
      <span className="font-normal text-muted text-xs sm:hidden">#{channel.id}</span>
    </span>
  )
}
