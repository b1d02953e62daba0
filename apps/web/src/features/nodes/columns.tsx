import type { NodeRow } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { StatusDot, type Tone } from '../../components/ui/tag.tsx'
import { localList } from '../../i18n/local-list.ts'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { formatDecimal, formatInteger } from '../../lib/format/format.ts'

const tones: Readonly<Record<NodeRow['state'], Tone>> = { live: 'good', draining: 'warn', gone: 'bad' }

export function useNodeColumns(): readonly DataColumn<NodeRow>[] {
  const { t } = useTranslation('nodes')
  const small = useGridBelow(820)
  return useMemo(
    (): readonly DataColumn<NodeRow>[] => [
      {
        id: 'address',
        header: t('column.address'),
        card: 'title',
        cell: ({ address, id }) => (
          <span title={id} className="font-mono text-xs">
            {address}
          </span>
        ),
      },
      {
        id: 'state',
        header: t('column.state'),
        card: 'corner',
        cell: ({ state }) => <StatusDot tone={tones[state]}>{t(`state.${state}`)}</StatusDot>,
      },
      { id: 'version', header: t('column.version'), cell: ({ version }) => version },
      {
        id: 'started',
        header: t('column.started'),
        hidden: small,
        cell: ({ started_at: at }) => <RelativeTime at={at} />,
      },
      { id: 'seen', header: t('column.seen'), cell: ({ seen_at: at }) => <RelativeTime at={at} /> },
      {
        id: 'calls',
        header: t('column.calls'),
        numeric: true,
        cell: ({ calls_per_second: calls }) => formatDecimal(calls, 1),
      },
      {
        id: 'lag',
        header: t('column.lag'),
        numeric: true,
        cell: ({ journal_lag: lag, journal_seq: seq }) => (
          <span title={t('journalSeq', { seq: formatInteger(seq) })}>{formatInteger(lag)}</span>
        ),
      },
      {
        id: 'shares',
        header: t('column.shares'),
        hidden: small,
        numeric: true,
        cell: ({ shares }) => formatInteger(shares),
      },
      {
        id: 'jobs',
        header: t('column.jobs'),
        hidden: true,
        cell: ({ jobs }) => <span className="font-mono text-xs">{localList(jobs)}</span>,
      },
    ],
    [t, small],
  )
}
