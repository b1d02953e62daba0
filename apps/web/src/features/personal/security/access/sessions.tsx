import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type Session } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { useAgentName } from '../../../../components/security-events/use-agent-name.ts'
import { Button } from '../../../../components/ui/button.tsx'
import { QueryBoundary } from '../../../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../../../components/ui/relative-time.tsx'
import { Tag } from '../../../../components/ui/tag.tsx'
import { request } from '../../../../lib/api/api-client.ts'
import { useConfirmedMutation } from '../../../../lib/confirmed-mutation.ts'
import { sessionsQuery } from '../../api.ts'
import { SettingRow } from '../../setting-row.tsx'
import { AccessPart } from './access-part.tsx'

/** Browsers that are logged in. */
export function Sessions() {
  const { t } = useTranslation('personal')
  const query = useQuery(sessionsQuery)
  const hasOthers = query.data?.some(({ current }) => !current) ?? false
  const client = useQueryClient()
  const endOthers = useConfirmedMutation(
    {
      title: t('session.othersTitle'),
      description: t('session.othersDescription'),
      confirmLabel: t('session.endOthers'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.sessions.endOthers),
      meta: { successMessage: t('session.othersEnded') },
      onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    },
  )
  return (
    <AccessPart
      description={t('session.description')}
      action={
        hasOthers && (
          <Button size="sm" loading={endOthers.isPending} onClick={endOthers.run}>
            {t('session.endOthers')}
          </Button>
        )
      }
    >
      <QueryBoundary query={query}>
        {(sessions) => sessions.map((session) => <SessionRow key={session.id} session={session} />)}
      </QueryBoundary>
    </AccessPart>
  )
}

/** One browser that is logged in. This browser itself logs out from the account menu. */
function SessionRow({ session }: { readonly session: Session }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const name = useAgentName()(session.user_agent)
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(calls.sessions.end, { params: { id: session.id } }),
    meta: { successMessage: t('session.ended') },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return (
    <SettingRow
      title={
        <>
          <span className="truncate" title={session.user_agent}>
            {name}
          </span>
          {session.current && <Tag tone="good">{t('session.current')}</Tag>}
        </>
      }
      description={
        <>
          {session.address}
          {' · '}
          {t('session.lastSeen')} <RelativeTime at={session.last_seen_at} />
          {' · '}
          {t('session.opened')} <RelativeTime at={session.created_at} day />
        </>
      }
      actions={
        !session.current && (
          <Button
            size="sm"
            variant="ghost"
            loading={isPending}
            aria-label={t('session.endOf', { name, address: session.address })}
            onClick={() => mutate()}
          >
            {t('session.end')}
          </Button>
        )
      }
    />
  )
}
