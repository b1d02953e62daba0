import { useEffect, useMemo, useRef } from 'react'
import type { ChatStore } from './chat/chat-store.ts'
import type { Column } from './chat/conversation.ts'
import { type PlaygroundSettings, targetsOf, turnOf } from './settings/settings.ts'

export interface RetryActions {
  /** One for each column. */
  readonly retry: readonly [(responseId: string) => void, (responseId: string) => void]
  readonly resend: (messageId: string, text: string) => void
}

/** Asking again with the settings of that moment; the functions stay the same, so that old messages are not redrawn. */
export function useRetryActions(chat: ChatStore, settings: PlaygroundSettings): RetryActions {
  const latest = useRef(settings)
  useEffect(() => {
    latest.current = settings
  })
  return useMemo(() => {
    const turns = () => targetsOf(latest.current).map((target) => turnOf(latest.current, target))
    const retryIn = (column: Column) => (responseId: string) => {
      const turn = turns().find((candidate) => candidate.column === column)
      if (turn) chat.retry(responseId, turn)
    }
    return {
      retry: [retryIn(0), retryIn(1)],
      resend: (messageId, text) => chat.resend(messageId, text, turns()),
    }
  }, [chat])
}
