import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
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
    const columns: readonly DataColumn<LogRow>[] = withHeaders(
      [
        { id: 'time', cell: (row) => <TimeCell row={row} /> },
        { id: 'channel', hidden: narrow, cell: (row) => <ChannelCell {...row} /> },
        { id: 'user', hidden: narrow, cell: ({ entry }) => <UserCell entry={entry} /> },
        {
          id: 'token',
          hidden: tight && (admin || narrow),
          cell: ({ entry }) => <TokenCell entry={entry} />,
        },
        { id: 'group', hidden: admin ? wide : narrow, cell: ({ entry }) => <GroupCell entry={entry} /> },
        { id: 'type', cell: ({ entry }) => <TypeTag entry={entry} /> },
        { id: 'model', cell: (row) => <ModelCell {...row} /> },
        {
          id: 'prompt',
          numeric: true,
          hidden: wide,
          cell: ({ entry }) => <CountCell count={entry.prompt_tokens} />,
        },
        {
          id: 'completion',
          numeric: true,
          hidden: wide,
          cell: ({ entry }) => <CountCell count={entry.completion_tokens} />,
        },
        { id: 'tokens', numeric: true, hidden: !wide, cell: ({ entry }) => <TokensCell entry={entry} /> },
        { id: 'cost', numeric: true, cell: ({ entry }) => <CostCell entry={entry} /> },
        { id: 'took', hidden: narrow, cell: (row) => <DurationCell {...row} /> },
        { id: 'retry', hidden: wide, cell: (row) => <RetryCell {...row} /> },
        { id: 'details', grow: true, cell: (row) => <DetailCell {...row} /> },
      ],
      (id) => t(`column.${id}`),
    )
    return admin ? columns : columns.filter(({ id }) => !forAdministrators.includes(id))
  }, [t, admin, wide, tight, narrow])
}

const forAdministrators = ['channel', 'user', 'retry']

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
