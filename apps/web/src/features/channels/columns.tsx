import type { Channel } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn } from '../../components/data-table/index.ts'
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
const windows = { small: 768, tablet: 1100, laptop: 1280, wide: 1440 } as const

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

/** The list's columns, in reading order. */
export function useChannelColumns(options: ColumnsOptions): readonly DataColumn<ChannelRow>[] {
  const { t } = useTranslation('channels')
  const small = useGridBelow(windows.small)
  const tablet = useGridBelow(windows.tablet)
  const laptop = useGridBelow(windows.laptop)
  const wide = useGridBelow(windows.wide)
  const { byTag, onTestModels, onFetchModels, onShowKeys, onEdit, onToggle } = options
  return useMemo(
    (): readonly DataColumn<ChannelRow>[] => [
      {
        id: 'name',
        header: t('column.name'),
        sortable: true,
        card: 'title',
        cell: cellFor(
          (channel) => <NameCell channel={channel} inTag={byTag && channel.tag !== ''} />,
          (row) => <TagName row={row} onToggle={onToggle} />,
        ),
      },
      {
        id: 'status',
        header: t('column.status'),
        sortable: true,
        card: 'corner',
        cell: cellFor(
          (channel) => <StatusCell channel={channel} />,
          (row) => <TagStatus row={row} />,
        ),
      },
      ...figureColumns(t, { small, tablet, laptop, wide }),
      {
        id: actionsColumn,
        header: '',
        cell: cellFor(
          (channel) => (
            <RowActions
              channel={channel}
              onTestModels={onTestModels}
              onFetchModels={onFetchModels}
              onShowKeys={onShowKeys}
            />
          ),
          (row) => <TagActions row={row} onEdit={onEdit} />,
        ),
      },
    ],
    [t, byTag, small, tablet, laptop, wide, onTestModels, onFetchModels, onShowKeys, onEdit, onToggle],
  )
}

type Translate = ReturnType<typeof useTranslation<'channels'>>['t']
/** Widths that the window is below. */
type Below = Readonly<Record<keyof typeof windows, boolean>>

/** Returns the columns of condition, cost and routing; the row of a tag sums its channels up. */
function figureColumns(t: Translate, below: Below): readonly DataColumn<ChannelRow>[] {
  const numberColumn = (field: 'priority' | 'weight', hidden: boolean): DataColumn<ChannelRow> => ({
    id: field,
    header: t(`column.${field}`),
    sortable: true,
    numeric: true,
    hidden,
    card: 'none',
    cell: cellFor(
      (channel) => <ChannelNumber channel={channel} field={field} />,
      (row) => <TagNumber row={row} field={field} />,
    ),
  })
  return [
    {
      id: 'response_time',
      header: t('column.response'),
      sortable: true,
      hidden: below.small,
      card: 'none',
      cell: cellFor(
        (channel) => <ResponseCell channel={channel} />,
        ({ channels }) => <MeanResponse channels={channels} />,
      ),
    },
    ...trafficColumns(t, below),
    {
      id: 'models',
      header: t('column.models'),
      numeric: true,
      hidden: below.wide,
      card: 'none',
      cell: cellFor(({ models }) => <ModelsCell models={models} />),
    },
    {
      id: 'used_quota',
      header: t('column.used'),
      sortable: true,
      numeric: true,
      hidden: below.laptop,
      card: 'none',
      cell: cellFor(
        (channel) => <UsedCell channel={channel} />,
        ({ channels }) => <Money quota={summaryOf(channels).used} single />,
      ),
    },
    numberColumn('priority', below.laptop),
    numberColumn('weight', true),
    ...detailColumns(t),
  ]
}

/** Returns the columns of the last hour's traffic, on all nodes; the sheet shows the same. */
function trafficColumns(t: Translate, below: Below): readonly DataColumn<ChannelRow>[] {
  const hourOf = (channels: readonly Channel[]) =>
    hoursTogether(channels.map(({ health }) => health.last_hour))
  return [
    {
      id: 'traffic',
      header: t('column.traffic'),
      sortable: true,
      numeric: true,
      hidden: below.laptop,
      card: 'none',
      cell: cellFor(
        ({ health }) => <Traffic hour={health.last_hour} />,
        ({ channels }) => <Traffic hour={hourOf(channels)} />,
      ),
    },
    {
      id: 'error_rate',
      header: t('column.errorRate'),
      sortable: true,
      numeric: true,
      hidden: below.tablet,
      card: 'none',
      cell: cellFor(
        ({ health }) => <ErrorRate hour={health.last_hour} />,
        ({ channels }) => <ErrorRate hour={hourOf(channels)} />,
      ),
    },
  ]
}

/** Returns the columns of facts that are below the name or in the form too: hidden by default. */
function detailColumns(t: Translate): readonly DataColumn<ChannelRow>[] {
  return [
    {
      id: 'last_failure',
      header: t('column.last'),
      sortable: true,
      hidden: true,
      card: 'none',
      cell: cellFor((channel) => <LastCell channel={channel} />),
    },
    {
      id: 'id',
      header: t('column.id'),
      numeric: true,
      sortable: true,
      hidden: true,
      card: 'none',
      cell: cellFor(({ id }) => <span className="text-muted">{id}</span>),
    },
    {
      id: 'type',
      header: t('column.type'),
      hidden: true,
      card: 'none',
      cell: cellFor(({ type }) => <span className="block max-w-32 truncate">{typeName(type)}</span>),
    },
    {
      id: 'groups',
      header: t('column.groups'),
      hidden: true,
      card: 'none',
      cell: cellFor(({ group }) => <GroupsCell group={group} />),
    },
    {
      id: 'tag',
      header: t('column.tag'),
      hidden: true,
      card: 'none',
      cell: cellFor(({ tag }) => (tag === '' ? <NoValue /> : <Tag className="max-w-32">{tag}</Tag>)),
    },
  ]
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
