import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { usePhone } from '../../lib/use-phone.ts'
import { ModelCell, RetryCell, TookCell } from './cells/call-cells.tsx'
import { DetailCell } from './cells/detail-cell.tsx'
import {
  ChannelCell,
  CostCell,
  CountCell,
  GroupCell,
  TimeCell,
  TokenCell,
  TokensCell,
  TypeTag,
  UserCell,
} from './cells/row-cells.tsx'
import type { LogRow } from './log-row.ts'

/**
 * The log's columns in reading order; channel, person and retries are for administrators alone. On a phone's cards both
 * token counts are one figure.
 */
export function useLogColumns(admin: boolean): readonly DataColumn<LogRow>[] {
  const { t } = useTranslation('logs')
  const phone = usePhone()
  return useMemo(() => {
    const onlyAdmin = (column: DataColumn<LogRow>) => (admin ? [column] : [])
    const prompt: DataColumn<LogRow> = {
      id: 'prompt',
      header: t('column.prompt'),
      numeric: true,
      cell: ({ entry }) => <CountCell count={entry.prompt_tokens} />,
    }
    const completion: DataColumn<LogRow> = {
      id: 'completion',
      header: t('column.completion'),
      numeric: true,
      cell: ({ entry }) => <CountCell count={entry.completion_tokens} />,
    }
    const tokens: DataColumn<LogRow> = {
      id: 'tokens',
      header: t('column.tokens'),
      card: 'figure',
      cell: (row) => <TokensCell {...row} />,
    }
    const columns: readonly DataColumn<LogRow>[] = [
      {
        id: 'time',
        header: t('column.time'),
        card: 'line',
        cell: (row) => <TimeCell row={row} />,
      },
      ...onlyAdmin({
        id: 'channel',
        header: t('column.channel'),
        card: 'none',
        cell: ({ entry }) => <ChannelCell entry={entry} />,
      }),
      ...onlyAdmin({ id: 'user', header: t('column.user'), cell: ({ entry }) => <UserCell entry={entry} /> }),
      { id: 'token', header: t('column.token'), cell: ({ entry }) => <TokenCell entry={entry} /> },
      {
        id: 'group',
        header: t('column.group'),
        card: 'none',
        cell: ({ entry }) => <GroupCell entry={entry} />,
      },
      {
        id: 'type',
        header: t('column.type'),
        card: 'corner',
        cell: ({ entry }) => <TypeTag entry={entry} />,
      },
      { id: 'model', header: t('column.model'), card: 'title', cell: (row) => <ModelCell {...row} /> },
      ...(phone ? [] : [prompt, completion]),
      {
        id: 'cost',
        header: t('column.cost'),
        numeric: true,
        card: 'figure',
        cell: ({ entry }) => <CostCell entry={entry} />,
      },
      ...(phone ? [tokens] : []),
      { id: 'took', header: t('column.took'), cell: (row) => <TookCell {...row} /> },
      ...onlyAdmin({
        id: 'retry',
        header: t('column.retry'),
        card: 'none',
        cell: (row) => <RetryCell {...row} />,
      }),
      { id: 'details', header: t('column.details'), cell: (row) => <DetailCell {...row} /> },
    ]
    return columns
  }, [t, admin, phone])
}
