import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type Session } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api-client.ts'
import { sessionsQuery } from '../api.ts'
import { SettingRow } from '../setting-row.tsx'
import { readUserAgent } from './user-agent.ts'

interface SessionRowProps {
  readonly session: Session
}

/** One browser that is logged in. The one that asks logs out by the menu of the page. */
export function SessionRow({ session }: SessionRowProps) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const name = useAgentName(session.user_agent)
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

function useAgentName(userAgent: string): string {
  const { t } = useTranslation('personal')
  const { browser, system } = readUserAgent(userAgent)
  if (browser && system) return t('session.agent', { browser, system })
  return browser ?? system ?? t('session.unknown')
}
