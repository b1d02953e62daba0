import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SecurityEventRow } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EventName, useEventDetail } from '../../../../components/security-events/event-words.tsx'
import { useAgentName } from '../../../../components/security-events/use-agent-name.ts'
import { Button } from '../../../../components/ui/button.tsx'
import { QueryBoundary } from '../../../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../../../components/ui/relative-time.tsx'
import { eventsQuery } from '../../api.ts'
import { SettingRow } from '../../setting-row.tsx'
import { AccessPart } from './access-part.tsx'

const firstVisible = 5
/** Number of events that one call returns. */
const maxVisible = 100

/** Shows the events about the ways into the account, newest first. */
export function Events() {
  const { t } = useTranslation('personal')
  const [count, setCount] = useState(firstVisible)
  const query = useQuery({ ...eventsQuery(count), placeholderData: keepPreviousData })
  const hasMore = query.data !== undefined && query.data.total > count && count < maxVisible
  return (
    <AccessPart description={t('events.description')}>
      <QueryBoundary query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted text-sm">{t('events.none')}</p>
          ) : (
            items.map((event) => <EventRow key={event.id} event={event} />)
          )
        }
      </QueryBoundary>
      {hasMore && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-2"
          loading={query.isPlaceholderData}
          onClick={() => setCount(Math.min(count * 4, maxVisible))}
        >
          {t('events.more')}
        </Button>
      )}
    </AccessPart>
  )
}

function EventRow({ event }: { readonly event: SecurityEventRow }) {
  const detail = useEventDetail()(event)
  const agent = useAgentName()(event.user_agent)
  return (
    <SettingRow
      title={
        <>
          <EventName event={event} />
          {detail && <span className="truncate font-normal text-muted">{detail}</span>}
        </>
      }
      description={
        <>
          <RelativeTime at={event.created_at} />
          {' · '}
          <span title={event.user_agent}>{agent}</span>
          {event.address && ` · ${event.address}`}
        </>
      }
    />
  )
}
