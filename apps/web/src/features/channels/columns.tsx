import { type Channel, channelColumns } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { useColumnLabel, useFieldColumns } from '../../components/list/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { NoValue, Tag } from '../../components/ui/tag.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { GroupsCell, ModelsCell } from './cells/list-cells.tsx'
import { NameCell, TagName, type TagNameProps } from './cells/name-cells.tsx'
import { ChannelNumber, TagNumber } from './cells/number-cells.tsx'
import { Latency, ResponseCell } from './cells/response-cell.tsx'
import { StatusCell, TagStatus } from './cells/status-cell.tsx'
import { ErrorRate, Traffic } from './cells/traffic-cells.tsx'
import { LastCell, UsedCell } from './cells/value-cells.tsx'
import { type ChannelRow, isTagRow, summaryOf, type TagRow } from './channel-rows.ts'
import { hoursTogether } from './channel-state.ts'
import { typeName } from './form/type-facts.ts'
import { RowActions, type RowActionsProps } from './row-actions.tsx'
import { TagActions, type TagActionsProps } from './tags/tag-actions.tsx'

// What a window has room for at first; the person may choose otherwise.
//  390: a card: name, state, and beside the buttons why it is off, else what it cost and how quick it is
//  600: name, status, buttons
//  768: and response
// 1100: and errors of the last hour
// 1280: and its calls, used and balance, priority
// 1440: and models, with the course of the last hour beside the response
const windows = { tablet: 1100, laptop: 1280 } as const

/** Ids in reading order: how it does, what it costs, when it is chosen, and what is below the name or in the form too. */
const order = [
  ...['name', 'status', 'response_time', 'traffic', 'error_rate', 'models', 'used_quota'],
  ...['priority', 'weight', 'last_failure', 'id', 'type', 'group', 'tag'],
]

export interface ColumnsOptions
  extends Omit<RowActionsProps, 'channel'>,
    Omit<TagActionsProps, 'row'>,
    Omit<TagNameProps, 'row'> {
  readonly byTag: boolean
}

/** One cell for a channel, another for the row of a tag. */
function cellFor(
  ofChannel: (channel: Channel) => ReactNode,
  ofTag: (row: TagRow) => ReactNode = () => null,
): DataColumn<ChannelRow>['cell'] {
  return (row) => (isTagRow(row) ? ofTag(row) : ofChannel(row))
}

const numberCell = (field: 'priority' | 'weight') =>
  cellFor(
    (channel) => <ChannelNumber channel={channel} field={field} />,
    (row) => <TagNumber row={row} field={field} />,
  )

/** Cells that say more than the value of their field; the row of a tag sums its channels up. */
const cells = {
  status: cellFor(
    (channel) => <StatusCell channel={channel} />,
    (row) => <TagStatus row={row} />,
  ),
  response_time: cellFor(
    (channel) => <ResponseCell channel={channel} />,
    ({ channels }) => <MeanResponse channels={channels} />,
  ),
  models: cellFor(({ models, sole_models = 0 }) => <ModelsCell models={models} soleCount={sole_models} />),
  used_quota: cellFor(
    (channel) => <UsedCell channel={channel} />,
    ({ channels }) => <Money quota={summaryOf(channels).used} single />,
  ),
  priority: numberCell('priority'),
  weight: numberCell('weight'),
  id: cellFor(({ id }) => <span className="text-muted">{id}</span>),
  type: cellFor(({ type }) => <span className="block max-w-32 truncate">{typeName(type)}</span>),
  group: cellFor(({ group }) => <GroupsCell group={group} />),
  tag: cellFor(({ tag }) => (tag === '' ? <NoValue /> : <Tag className="max-w-32">{tag}</Tag>)),
}

const numeric = { numeric: true } as const
const own = { models: numeric, priority: numeric, weight: numeric, id: numeric }

/** The list's columns. */
export function useChannelColumns(options: ColumnsOptions): readonly DataColumn<ChannelRow>[] {
  const { byTag, onTestModels, onFetchModels, onShowKeys, onSchedule, onEdit, onToggle } = options
  const name = useMemo(
    () =>
      cellFor(
        (channel) => <NameCell channel={channel} inTag={byTag && channel.tag !== ''} />,
        (row) => <TagName row={row} onToggle={onToggle} />,
      ),
    [byTag, onToggle],
  )
  const actions = useMemo(
    () =>
      cellFor(
        (channel) => (
          <RowActions
            channel={channel}
            onTestModels={onTestModels}
            onFetchModels={onFetchModels}
            onShowKeys={onShowKeys}
            onSchedule={onSchedule}
          />
        ),
        (row) => <TagActions row={row} onEdit={onEdit} />,
      ),
    [onTestModels, onFetchModels, onShowKeys, onSchedule, onEdit],
  )
  return useFieldColumns<ChannelRow>({
    fields: channelColumns,
    label: useColumnLabel('channels'),
    cells: useMemo(() => ({ ...cells, name }), [name]),
    actions,
    own,
    others: useHourColumns(),
    order,
  })
}

/** Columns of what the last hour brought on all nodes, which the sheet shows as well, and of the last response. */
function useHourColumns(): readonly DataColumn<ChannelRow>[] {
  const { t } = useTranslation('channels')
  const tablet = useGridBelow(windows.tablet)
  const laptop = useGridBelow(windows.laptop)
  return useMemo(
    () => [
      {
        id: 'traffic',
        header: t('column.traffic'),
        sortable: true,
        numeric: true,
        hidden: laptop,
        card: 'none',
        cell: cellFor(
          ({ health }) => <Traffic hour={health.last_hour} />,
          ({ channels }) => <Traffic hour={hourOf(channels)} />,
        ),
      },
      {
        id: 'error_rate',
        header: t('column.error_rate'),
        sortable: true,
        numeric: true,
        hidden: tablet,
        card: 'none',
        cell: cellFor(
          ({ health }) => <ErrorRate hour={health.last_hour} />,
          ({ channels }) => <ErrorRate hour={hourOf(channels)} />,
        ),
      },
      {
        id: 'last_failure',
        header: t('column.last_failure'),
        sortable: true,
        hidden: true,
        card: 'none',
        cell: cellFor((channel) => <LastCell channel={channel} />),
      },
    ],
    [t, tablet, laptop],
  )
}

function hourOf(channels: readonly Channel[]) {
  return hoursTogether(channels.map(({ health }) => health.last_hour))
}

function MeanResponse({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation('channels')
  const { response } = summaryOf(channels)
  return (
    <span className="inline-block min-w-14 text-right">
      {response === 0 ? <NoValue /> : <Latency ms={response} title={t('response.mean')} />}
    </span>
  )
}
