import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ExternalLink, KeyRound, MessageCircleOff } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { isSite, useConfirmHost } from '../../lib/chat-consent.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { type ChatLinkState, useChatLink } from './use-chat-link.ts'

const route = getRouteApi('/embedded/chat/$id')

/** The chat client at an index of the saved links. */
export function ChatPage(): ReactNode {
  const { id } = route.useParams()
  return <ChatFrame index={/^\d{1,4}$/.test(id) ? Number(id) : -1} />
}

/** Shows the first chat, as the address has no index. */
export function DefaultChatPage(): ReactNode {
  return <ChatFrame index={0} />
}

function ChatFrame({ index }: { readonly index: number }) {
  const { t } = useTranslation('chat')
  const state = useChatLink(index)
  const name = state.kind === 'ready' ? state.name : t('title')
  usePageTitle(name)
  return (
    <>
      <h1 className="sr-only">{name}</h1>
      {state.kind !== 'ready' ? (
        <ChatProblem state={state} />
      ) : /^https?:/i.test(state.link) ? (
        <iframe
          key={state.link}
          src={state.link}
          title={name}
          allow="camera; microphone; clipboard-write"
          className="w-full flex-1 border-0 max-sm:min-h-[85dvh]"
        />
      ) : (
        <NativeClient name={name} link={state.link} />
      )}
    </>
  )
}

/** Links to a program on this device, which cannot be framed. */
function NativeClient({ name, link }: { readonly name: string; readonly link: string }) {
  const { t } = useTranslation('chat')
  return (
    <EmptyState
      icon={ExternalLink}
      title={name}
      action={
        <a href={link} className={buttonClass('primary')}>
          {t('native.open', { name })}
        </a>
      }
    >
      {t('native.hint')}
    </EmptyState>
  )
}

/** Leaves the console for the first chat client. */
export function ChatJumpPage(): ReactNode {
  const { t } = useTranslation('chat')
  const state = useChatLink(0)
  const link = state.kind === 'ready' ? state.link : undefined
  usePageTitle(t('title'))
  useEffect(() => {
    if (link !== undefined) window.location.replace(link)
  }, [link])
  return (
    <>
      <h1 className="sr-only">{t('title')}</h1>
      {state.kind === 'ready' ? (
        <p role="status" className="p-5 text-muted">
          {t('jumping', { name: state.name })}
        </p>
      ) : (
        <ChatProblem state={state} />
      )}
    </>
  )
}

const leaveAfterMs = 1500

type NotReady = Exclude<ChatLinkState, { readonly kind: 'ready' }>

/** Shown without a link to open: why, and where to go. */
function ChatProblem({ state }: { readonly state: NotReady }): ReactNode {
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

/** Opens the page on which keys are made, as there is none. */
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
          <LinkButton to="/token" variant="primary">
            {t('noKey.toKeys')}
          </LinkButton>
        }
      >
        {t('noKey.hint')}
      </EmptyState>
    </div>
  )
}
