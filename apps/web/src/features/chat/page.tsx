import { getRouteApi } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { ChatProblem } from './chat-problem.tsx'
import { useChatLink } from './use-chat-link.ts'

const route = getRouteApi('/embedded/chat/$id')

/** The chat client at a position of the saved links. */
export function ChatPage(): ReactNode {
  const { id } = route.useParams()
  return <ChatFrame position={/^\d{1,4}$/.test(id) ? Number(id) : -1} />
}

/** Without a position it is the first one. */
export function DefaultChatPage(): ReactNode {
  return <ChatFrame position={0} />
}

function ChatFrame({ position }: { readonly position: number }) {
  const { t } = useTranslation('chat')
  const state = useChatLink(position)
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

/** A program on this device cannot be framed; its link opens it. */
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
