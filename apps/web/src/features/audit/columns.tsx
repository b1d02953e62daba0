import { useQuery } from '@tanstack/react-query'
import type { AuditRecordRow } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { type AuditFilter, callsQuery } from './api.ts'
import { ActionCell, ActorCell, ChangesCell, TargetCell } from './cells.tsx'
import { effectAt, mayHaveEffect } from './effect.ts'
import { EffectText } from './effect-text.tsx'

/** The log's columns, as one tells it: what was done to what, by whom, when. */
export function useAuditColumns(filter: AuditFilter): readonly DataColumn<AuditRecordRow>[] {
  const { t } = useTranslation('audit')
  const wide = useGridBelow(1400)
  const tight = useGridBelow(1320)
  const tablet = useGridBelow(1040)
  const small = useGridBelow(800)
  const { data: histogram } = useQuery(callsQuery(filter))
  return useMemo(
    (): readonly DataColumn<AuditRecordRow>[] =>
      withHeaders(
        [
          { id: 'action', card: 'title', cell: (record) => <ActionCell record={record} /> },
          { id: 'target', cell: (record) => <TargetCell record={record} /> },
          {
            id: 'changes',
            card: 'none',
            hidden: tight,
            cell: (record) => <ChangesCell record={record} />,
          },
          {
            id: 'effect',
            hidden: tablet,
            card: 'none',
            width: '9rem',
            cell: (record) => (
              <EffectText
                effect={
                  histogram && mayHaveEffect(record) ? effectAt(histogram, record.created_at) : undefined
                }
              />
            ),
          },
          { id: 'actor', hidden: small, cell: (record) => <ActorCell record={record} /> },
          { id: 'time', card: 'corner', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
          {
            id: 'address',
            card: 'none',
            hidden: wide,
            cell: ({ address }) => <span className="font-mono text-muted text-xs">{address}</span>,
          },
        ],
        (id) => t(`column.${id}`),
      ),
    [t, wide, tight, tablet, small, histogram],
  )
}
