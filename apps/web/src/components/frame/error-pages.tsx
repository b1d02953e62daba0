import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Bug, CloudAlert, Compass, RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api/api-client.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button } from '../ui/button.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, type Forbiddance, Forbidden, Skeleton } from '../ui/states.tsx'

/** Shows that an address leads nowhere, where no page's layout is around it. */
export function UnknownAddress() {
  return (
    <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
      <NotFoundPage />
    </main>
  )
}

/** Shows that an address leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation()
  usePageTitle(t('notFound.title'))
  return (
    <EmptyState
      icon={Compass}
      title={<h1>{t('notFound.title')}</h1>}
      action={<LinkButton to="/">{t('notFound.home')}</LinkButton>}
    >
      {t('notFound.description')}
    </EmptyState>
  )
}

/** Thrown by route guards for someone who is logged in but may not see the page. */
export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError'
  readonly who: Forbiddance

  constructor(who: Forbiddance) {
    super(`This page is for others: ${who}`)
    this.who = who
  }
}

/** Recognises errors that the page can explain: no fault of ours. */
function isExpected(error: unknown): boolean {
  return error instanceof ForbiddenError || error instanceof ApiError
}

/** A page that failed: forbidden, unreachable server, or a fault of ours. The frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    // Said in the browser's log too, with its stack: the page shows only the message.
    if (!isExpected(error)) reportError(error)
  }, [error])
  if (error instanceof ForbiddenError) return <Forbidden who={error.who} />
  const ours = !isExpected(error)
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div role="alert">
      <EmptyState
        icon={ours ? Bug : CloudAlert}
        title={t(ours ? 'crash.title' : 'state.failed')}
        action={
          <>
            <Button icon={RotateCw} variant="primary" onClick={retry}>
              {t('action.retry')}
            </Button>
            {!(error instanceof ApiError) && (
              <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
            )}
          </>
        }
      >
        {ours ? t('crash.description') : message}
        {ours && <p className="mt-2 wrap-anywhere font-mono text-2xs">{message}</p>}
      </EmptyState>
    </div>
  )
}

/** While a page's code is on its way. */
export function PagePending() {
  return (
    <Page>
      <div aria-busy className="flex flex-col gap-3">
        <div className="flex min-h-control items-center">
          <Skeleton className="h-5! w-40!" />
        </div>
        <Skeleton className="h-8! w-72!" />
        <Skeleton className="h-72!" />
      </div>
    </Page>
  )
}
