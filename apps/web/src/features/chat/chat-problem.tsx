import { Link, useNavigate } from '@tanstack/react-router'
import { MessageCircleOff } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/ui/states.tsx'
import type { ChatLinkState } from './use-chat-link.ts'

const leaveAfterMs = 1500

export type NotReady = Exclude<ChatLinkState, { readonly kind: 'ready' }>

/** While there is no link to open: why, and where to go. */
export function ChatProblem({ state }: { readonly state: NotReady }): ReactNode {
  const { t } = useTranslation('chat')
  if (state.kind === 'loading') {
    return (
      <div aria-busy className="flex-1 p-5">
        <p role="status" className="mb-3 text-muted text-sm">
          {t('opening')}
        </p>
        <Skeleton className="h-[60dvh]!" />
      </div>
    )
  }
  if (state.kind === 'failed') return <ErrorState error={state.error} onRetry={state.retry} />
  if (state.kind === 'noKey') return <NoKey />
  return (
    <EmptyState icon={MessageCircleOff} title={t(`problem.${state.kind}.title`)}>
      {t(`problem.${state.kind}.hint`)}
    </EmptyState>
  )
}

/** Keys are made on another page, which opens by itself. */
function NoKey() {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/token' }), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <div role="alert">
      <EmptyState
        icon={MessageCircleOff}
        title={t('noKey.title')}
        action={
          <Link to="/token" className={buttonClass('primary')}>
            {t('noKey.toKeys')}
          </Link>
        }
      >
        {t('noKey.hint')}
      </EmptyState>
    </div>
  )
}
