import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { LogEntry } from '@tollgate/api'
import { ArrowLeft, FileQuestion } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { CopyText } from '../../../components/ui/copy.tsx'
import { LinkButton } from '../../../components/ui/link-button.tsx'
import { Page, PageHeader } from '../../../components/ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../components/ui/states.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { requestQuery } from '../api.ts'
import { TypeTag } from '../cells/row-cells.tsx'
import { useAccount } from '../entry/account.tsx'
import { Facts } from '../entry/facts.tsx'
import { readOther } from '../entry/other.ts'
import { RawOther } from '../entry/raw-other.tsx'
import { isCall } from '../log-type.ts'
import { RequestFigures } from './request-figures.tsx'

const route = getRouteApi('/console/log/request/$id')

/** All about one request: who made it, what was tried, where its time went, and what it cost line by line. */
export function RequestPage(): ReactNode {
  const { t } = useTranslation('logs')
  const { id } = route.useParams()
  const admin = hasPart(useUser(), 'log')
  const query = useQuery(requestQuery({ admin, id }))
  return (
    <Page>
      <Link
        to="/log"
        className="inline-flex w-fit items-center gap-1 rounded-sm text-muted text-sm hover:text-text max-sm:min-h-10"
      >
        <ArrowLeft className="size-3.5" aria-hidden />
        {t('title')}
      </Link>
      <PageHeader
        title={query.data?.model_name || t('request.title')}
        description={<CopyText value={id} className="wrap-anywhere" />}
        {...(query.data && !isCall(query.data) && { actions: <TypeTag entry={query.data} /> })}
      />
      {query.data ? (
        <RequestAccount entry={query.data} admin={admin} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : query.data === null ? (
        <NotFound looking={query.isFetching} onLookAgain={() => void query.refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function RequestAccount({ entry, admin }: { readonly entry: LogEntry; readonly admin: boolean }) {
  const { t } = useTranslation('logs')
  const { other, broken } = useMemo(() => readOther(entry.other), [entry.other])
  const parts = useAccount(entry, other, admin)
  return (
    <>
      {broken && <Notice tone="warn">{t('entry.broken')}</Notice>}
      <RequestFigures entry={entry} other={other} />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,24rem)]">
        <div className="flex min-w-0 flex-col gap-3">
          {parts.map(({ id, title, content }) => (
            <Card key={id} title={title}>
              {content}
            </Card>
          ))}
        </div>
        <Card title={t('section.facts')}>
          <Facts entry={entry} admin={admin} other={other} />
        </Card>
      </div>
      {admin && entry.other !== '' && (
        <Card>
          <RawOther text={entry.other} />
        </Card>
      )}
    </>
  )
}

interface NotFoundProps {
  readonly looking: boolean
  readonly onLookAgain: () => void
}

function NotFound({ looking, onLookAgain }: NotFoundProps) {
  const { t } = useTranslation('logs')
  return (
    <EmptyState
      icon={FileQuestion}
      title={t('request.missing')}
      action={
        <>
          <Button loading={looking} onClick={onLookAgain}>
            {t('entry.lookAgain')}
          </Button>
          <LinkButton to="/log" variant="primary">
            {t('request.toLog')}
          </LinkButton>
        </>
      }
    >
      {t('request.missingHint')}
    </EmptyState>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton className="h-18!" />
      <Skeleton className="h-48!" />
      <Skeleton className="h-32!" />
    </div>
  )
}
