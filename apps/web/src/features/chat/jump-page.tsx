import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../lib/page-title.ts'
import { ChatProblem } from './chat-problem.tsx'
import { useChatLink } from './use-chat-link.ts'

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
