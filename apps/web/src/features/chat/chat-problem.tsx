import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { KeyRound, MessageCircleOff } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { isSite, useConfirmHost } from '../../lib/chat-consent.ts'
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
  if (state.kind === 'unconfirmed') return <Consent name={state.name} target={state.target} />
  return (
    <EmptyState icon={MessageCircleOff} title={t(`problem.${state.kind}.title`)}>
      {t(`problem.${state.kind}.hint`)}
    </EmptyState>
  )
}

/** Before a key goes to a host for the first time. */
function Consent({ name, target }: { readonly name: string; readonly target: string }) {
  const { t } = useTranslation('chat')
  const { mutate, isPending } = useMutation({ mutationFn: useConfirmHost() })
  return (
    <EmptyState
      icon={KeyRound}
      title={t('consent.title', { host: target })}
      action={
        <Button variant="primary" loading={isPending} onClick={() => mutate(target)}>
          {t('consent.confirm')}
        </Button>
      }
    >
      {t(isSite(target) ? 'consent.description' : 'consent.descriptionProgram', { host: target, name })}
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
