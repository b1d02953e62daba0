import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { useGridBelow, usePhone } from '../../lib/browser/media-query.ts'
import { CostCell, CountCell, MarginCell, TokensCell } from './cells/amount-cells.tsx'
import { CallerLine, ModelCell, RetryCell, StreamCell, TitleCell } from './cells/call-cells.tsx'
import { DetailCell, FailureCell } from './cells/detail-cell.tsx'
import { DurationCell, FirstTokenCell } from './cells/duration-cells.tsx'
import {
  ChannelCell,
  CornerCell,
  GroupCell,
  TimeCell,
  TokenCell,
  TypeTag,
  UserCell,
} from './cells/row-cells.tsx'
import type { LogRow } from './log-row.ts'
import { isAboutCall, isCall, isFailedCall } from './log-type.ts'

/** The log's columns: all of them in a grid, four figures on a phone's cards. */
export function useLogColumns(admin: boolean): readonly DataColumn<LogRow>[] {
  const phone = usePhone()
  const grid = useGridColumns(admin)
  const cards = useCardColumns(admin)
  return phone ? cards : grid
}

/** Windows that are narrower have less: the menu beside the table takes 208 px from 1024 px on. */
const windows = {
  largePhone: 760,
  tablet: 1250,
  laptop: 1400,
  desk: 1680,
  wideDesk: 1760,
  wall: 2200,
} as const

/** A failed call has no amounts: its reason stands in their place. */
const amounts = ['first', 'prompt', 'completion', 'tokens', 'cost', 'margin', 'retry']

/**
 * Returns the columns in reading order; channel, person and retries are for administrators alone. Each narrower window starts without
 * those that another column repeats, that are mostly the same in every row, or that are in the details; on a tablet the channel stands
 * under the model and the tokens under the cost, on a large phone the user beside the channel.
 */
function useGridColumns(admin: boolean): readonly DataColumn<LogRow>[] {
  const { t } = useTranslation('logs')
  const tiny = useGridBelow(windows.largePhone)
  const tablet = useGridBelow(windows.tablet)
  const tight = useGridBelow(windows.laptop)
  const narrow = useGridBelow(windows.desk)
  const short = useGridBelow(windows.wideDesk)
  const crowded = useGridBelow(windows.wall)
  return useMemo(() => {
    const room = { admin, tiny, tablet, tight, narrow, short, crowded }
    const columns = withHeaders([...identityColumns(room), ...figureColumns(room)], (id) => t(`column.${id}`))
    return admin ? columns : columns.filter(({ id }) => !forAdministrators.includes(id))
  }, [t, admin, tiny, tablet, tight, narrow, short, crowded])
}

/** Reader, and columns that the window has no room for. */
type Room = Readonly<Record<'admin' | 'tiny' | 'tablet' | 'tight' | 'narrow' | 'short' | 'crowded', boolean>>

type Column<Id extends string> = Omit<DataColumn<LogRow>, 'id' | 'header'> & { readonly id: Id }

/** Returns the columns of time, model, caller and channel. */
function identityColumns({ admin, tiny, tablet, tight, narrow }: Room) {
  return [
    { id: 'time', width: '5.25rem', cell: (row) => <TimeCell row={row} /> },
    {
      id: 'model',
      width: tablet ? 'clamp(10rem, 27vw, 18rem)' : 'clamp(14.5rem, 16.5vw, 17.5rem)',
      cell: (row) => <ModelCell {...row} withUser={tiny && admin} withChannel={tablet && admin} />,
    },
    { id: 'user', width: '7.25rem', hidden: tiny, cell: ({ entry }) => <UserCell entry={entry} /> },
    {
      id: 'channel',
      width: 'clamp(9rem, 11vw - 2rem, 11rem)',
      hidden: tablet,
      cell: (row) => <ChannelCell {...row} />,
    },
    {
      id: 'token',
      width: 'clamp(6.5rem, 10vw - 3rem, 9rem)',
      hidden: admin ? tight : false,
      cell: ({ entry }) => <TokenCell entry={entry} />,
    },
    {
      id: 'group',
      width: '6rem',
      hidden: admin ? narrow : tablet,
      cell: ({ entry }) => <GroupCell entry={entry} />,
    },
    { id: 'type', width: '7rem', hidden: true, cell: ({ entry }) => <TypeTag entry={entry} /> },
    { id: 'stream', width: '7rem', hidden: true, cell: ({ entry }) => <StreamCell entry={entry} /> },
  ] as const satisfies readonly Column<string>[]
}

/** Returns the columns of duration, tokens and cost; or of the failure's reason. */
function figureColumns({ admin, tablet, tight, narrow, short, crowded }: Room) {
  return [
    { id: 'took', width: '5rem', numeric: true, cell: (row) => <DurationCell {...row} /> },
    {
      id: 'first',
      width: '5.5rem',
      numeric: true,
      hidden: admin ? tight : tablet,
      cell: (row) => <FirstTokenCell {...row} />,
    },
    {
      id: 'prompt',
      width: '5.5rem',
      numeric: true,
      hidden: narrow,
      cell: ({ entry }) => <CountCell count={entry.prompt_tokens} />,
    },
    {
      id: 'completion',
      width: '6.5rem',
      numeric: true,
      hidden: narrow,
      cell: ({ entry }) => <CountCell count={entry.completion_tokens} />,
    },
    {
      id: 'tokens',
      width: '8.25rem',
      numeric: true,
      hidden: tablet || !narrow,
      cell: ({ entry }) => <TokensCell entry={entry} />,
    },
    {
      id: 'cost',
      width: tablet ? '7.5rem' : '6rem',
      numeric: true,
      cell: ({ entry }) => <CostCell entry={entry} withTokens={tablet} />,
    },
    {
      id: 'margin',
      width: '10rem',
      numeric: true,
      hidden: crowded,
      cell: ({ entry }) => <MarginCell entry={entry} />,
    },
    { id: 'retry', width: '10rem', hidden: crowded, cell: (row) => <RetryCell {...row} /> },
    {
      id: 'details',
      grow: true,
      over: ({ entry }) => (isFailedCall(entry) ? amounts : isCall(entry) ? none : figuresOfCalls),
      cell: (row) => <DetailCell {...row} withPrice={!short} />,
    },
  ] as const satisfies readonly Column<string>[]
}

const none: readonly string[] = []
/** A row that is no call has none of these: what it says, with its amount, stands in their place. */
const figuresOfCalls = ['token', 'group', 'stream', 'took', ...amounts]
const forAdministrators = ['channel', 'user', 'margin', 'retry']

/**
 * Returns the cards' columns: the request and its time; caller, channel and duration; cost and
 * tokens; the failure's reason.
 */
function useCardColumns(admin: boolean): readonly DataColumn<LogRow>[] {
  const { t } = useTranslation('logs')
  return useMemo(
    () => [
      {
        id: 'model',
        header: t('column.model'),
        card: 'title',
        cell: ({ entry }) => <TitleCell entry={entry} />,
      },
      { id: 'time', header: t('column.time'), card: 'corner', cell: (row) => <CornerCell row={row} /> },
      {
        id: 'cost',
        header: t('column.cost'),
        card: 'figure',
        onCard: ({ entry }) => isCall(entry) || entry.quota !== 0,
        cell: ({ entry }) => <CostCell entry={entry} />,
      },
      {
        id: 'tokens',
        header: t('column.tokens'),
        card: 'figure',
        onCard: ({ entry }) => isCall(entry),
        cell: ({ entry }) => <TokensCell entry={entry} />,
      },
      {
        id: 'caller',
        header: t(admin ? 'column.user' : 'column.token'),
        card: 'subtitle',
        onCard: ({ entry }) => isAboutCall(entry),
        cell: (row) => <CallerLine {...row} />,
      },
      {
        id: 'details',
        header: t('section.failure'),
        card: 'line',
        onCard: ({ entry }) => isFailedCall(entry),
        cell: (row) => <FailureCell {...row} />,
      },
    ],
    [t, admin],
  )
}
