import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { request } from '../../../lib/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { sessionsQuery } from '../api.ts'
import { SessionRow } from './session-row.tsx'

/** Browsers that are logged in. */
export function SessionsCard() {
  const { t } = useTranslation('personal')
  const query = useQuery(sessionsQuery)
  const hasOthers = query.data?.some(({ current }) => !current) ?? false
  const { endOthers, isEnding } = useEndOthers()
  return (
    <Card
      title={t('session.title')}
      description={t('session.description')}
      action={
        hasOthers && (
          <Button size="sm" loading={isEnding} onClick={endOthers}>
            {t('session.endOthers')}
          </Button>
        )
      }
    >
      <QueryBoundary query={query}>
        {(sessions) => sessions.map((session) => <SessionRow key={session.id} session={session} />)}
      </QueryBoundary>
    </Card>
  )
}

function useEndOthers() {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(calls.sessions.endOthers),
    meta: { successMessage: t('session.othersEnded') },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  async function endOthers(): Promise<void> {
    const isSure = await confirm({
      title: t('session.othersTitle'),
      description: t('session.othersDescription'),
      confirmLabel: t('session.endOthers'),
      danger: true,
    })
    if (isSure) mutate()
  }
  return { endOthers: () => void endOthers(), isEnding: isPending }
}
