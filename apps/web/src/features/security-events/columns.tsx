import type { SecurityEventRow } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { EventName, useEventDetail } from '../../components/security-events/event-words.tsx'
import { useAgentName } from '../../components/security-events/use-agent-name.ts'
import { RelativeTime } from '../../components/ui/relative-time.tsx'

/** Returns the columns of an event: its kind, its account, its time and address. */
export function useSecurityEventColumns(): readonly DataColumn<SecurityEventRow>[] {
  const { t } = useTranslation('securityEvents')
  return useMemo(
    (): readonly DataColumn<SecurityEventRow>[] =>
      withHeaders(
        [
          { id: 'event', card: 'title', cell: (event) => <EventCell event={event} /> },
          {
            id: 'user',
            cell: ({ username }) => (
              <span className="block max-w-48 truncate max-sm:max-w-full" title={username}>
                {username}
              </span>
            ),
          },
          { id: 'time', card: 'corner', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
          {
            id: 'address',
            cell: ({ address }) => <span className="font-mono text-xs">{address}</span>,
          },
          { id: 'agent', card: 'none', cell: (event) => <AgentCell event={event} /> },
        ],
        (id) => t(`column.${id}`),
      ),
    [t],
  )
}

interface CellProps {
  readonly event: SecurityEventRow
}

function EventCell({ event }: CellProps) {
  const detail = useEventDetail()(event)
  return (
    <>
      <EventName event={event} />
      {detail && <span className="ml-1.5 text-muted">{detail}</span>}
    </>
  )
}

function AgentCell({ event: { user_agent: userAgent } }: CellProps) {
  return (
    <span className="text-muted" title={userAgent}>
      {useAgentName()(userAgent)}
    </span>
  )
}
