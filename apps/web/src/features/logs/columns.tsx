import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { useGridBelow, usePhone } from '../../lib/browser/media-query.ts'
import { DurationCell, ModelCell, RetryCell } from './cells/call-cells.tsx'
import { DetailCell, FailureCell } from './cells/detail-cell.tsx'
import {
  ChannelCell,
  CornerCell,
  CostCell,
  CountCell,
  GroupCell,
  TimeCell,
  TitleCell,
  TokenCell,
  TokensCell,
  TypeTag,
  UserCell,
} from './cells/row-cells.tsx'
import type { LogRow } from './log-row.ts'
import { isCall, isFailedCall } from './log-type.ts'

/** The log's columns: all of them in a grid, four figures on a phone's cards. */
export function useLogColumns(admin: boolean): readonly DataColumn<LogRow>[] {
  const phone = usePhone()
  const grid = useGridColumns(admin)
  const cards = useCardColumns()
  return phone ? cards : grid
}

/**
 * In reading order; channel, person and retries are for administrators alone. Each narrower window starts without what
 * is said elsewhere in the row, is mostly the same in every row, or is in the details.
 */
function useGridColumns(admin: boolean): readonly DataColumn<LogRow>[] {
  const { t } = useTranslation('logs')
  const wide = useGridBelow(1600)
  const tight = useGridBelow(1360)
  const narrow = useGridBelow(1024)
  return useMemo(() => {
    const onlyAdmin = (column: DataColumn<LogRow>) => (admin ? [column] : [])
    const columns: readonly DataColumn<LogRow>[] = [
      { id: 'time', header: t('column.time'), cell: (row) => <TimeCell row={row} /> },
      ...onlyAdmin({
        id: 'channel',
        header: t('column.channel'),
        hidden: narrow,
        cell: (row) => <ChannelCell {...row} />,
      }),
      ...onlyAdmin({
        id: 'user',
        header: t('column.user'),
        hidden: narrow,
        cell: ({ entry }) => <UserCell entry={entry} />,
      }),
      {
        id: 'token',
        header: t('column.token'),
        hidden: tight && (admin || narrow),
        cell: ({ entry }) => <TokenCell entry={entry} />,
      },
      {
        id: 'group',
        header: t('column.group'),
        hidden: admin ? wide : narrow,
        cell: ({ entry }) => <GroupCell entry={entry} />,
      },
      { id: 'type', header: t('column.type'), cell: ({ entry }) => <TypeTag entry={entry} /> },
      { id: 'model', header: t('column.model'), cell: (row) => <ModelCell {...row} /> },
      {
        id: 'prompt',
        header: t('column.prompt'),
        numeric: true,
        hidden: wide,
        cell: ({ entry }) => <CountCell count={entry.prompt_tokens} />,
      },
      {
        id: 'completion',
        header: t('column.completion'),
        numeric: true,
        hidden: wide,
        cell: ({ entry }) => <CountCell count={entry.completion_tokens} />,
      },
      {
        id: 'tokens',
        header: t('column.tokens'),
        numeric: true,
        hidden: !wide,
        cell: ({ entry }) => <TokensCell entry={entry} />,
      },
      {
        id: 'cost',
        header: t('column.cost'),
        numeric: true,
        cell: ({ entry }) => <CostCell entry={entry} />,
      },
      { id: 'took', header: t('column.took'), hidden: narrow, cell: (row) => <DurationCell {...row} /> },
      ...onlyAdmin({
        id: 'retry',
        header: t('column.retry'),
        hidden: wide,
        cell: (row) => <RetryCell {...row} />,
      }),
      {
        id: 'details',
        header: t('column.details'),
        grow: true,
        cell: (row) => <DetailCell {...row} />,
      },
    ]
    return columns
  }, [t, admin, wide, tight, narrow])
}

/** What was asked and when; what it cost and how much it was, or why it failed. */
function useCardColumns(): readonly DataColumn<LogRow>[] {
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
        onCard: ({ entry }) => !isFailedCall(entry),
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
        id: 'details',
        header: t('section.failure'),
        card: 'line',
        onCard: ({ entry }) => isFailedCall(entry),
        cell: (row) => <FailureCell {...row} />,
      },
    ],
    [t],
  )
}
