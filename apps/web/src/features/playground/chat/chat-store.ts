import type { AnswerError, AnswerPart } from '../stream/answer-part.ts'
import type { ChatSettings } from './chat-request.ts'
import {
  type AssistantMessage,
  append,
  type Conversation,
  changeAnswer,
  clearContext,
  cutAt,
  emptyConversation,
  ended,
  messagesToSend,
  openAnswer,
  type SentMessage,
  withPart,
} from './conversation.ts'

/** One call on its way. */
export interface Asking {
  readonly settings: ChatSettings
  readonly messages: readonly SentMessage[]
  readonly signal: AbortSignal
  readonly onRequestId: (requestId: string) => void
  readonly onPart: (part: AnswerPart) => void
}

/** Asks a model; resolves when no more will come, and throws only what a broken connection throws. */
export type Ask = (asking: Asking) => Promise<void>

/** What to say, and how to ask. */
export interface Turn {
  readonly settings: ChatSettings
  readonly system: string
}

export interface ChatDependencies {
  readonly ask: Ask
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly nextId: () => string
  /** Calls back a little later; several changes until then are shown at once. */
  readonly later: (show: () => void) => void
}

/** A conversation that lives on while its page is not on screen. */
export interface ChatStore {
  readonly current: Conversation
  subscribe(listener: () => void): () => void
  send(text: string, turn: Turn): void
  /** Asks again for an answer; what came after it is forgotten. */
  retry(answerId: string, turn: Turn): void
  /** Says something else in place of a message; what came after it is forgotten. */
  resend(messageId: string, text: string, turn: Turn): void
  stop(): void
  clearContext(): void
  reset(): void
}

export function createChatStore(deps: ChatDependencies): ChatStore {
  let conversation = emptyConversation
  let running: AbortController | undefined
  let announced = true
  const listeners = new Set<() => void>()

  function change(next: Conversation): void {
    conversation = next
    if (!announced) return
    announced = false
    deps.later(() => {
      announced = true
      for (const listener of listeners) listener()
    })
  }

  /** Stops what runs; its answer keeps what had come. */
  function stop(): void {
    const answer = openAnswer(conversation)
    running?.abort()
    running = undefined
    if (!answer) return
    change(
      changeAnswer(conversation, answer.id, (open) => ({
        ...ended(open, deps.now() - open.createdAt),
        stopped: true,
      })),
    )
  }

  async function answer({ settings, system }: Turn): Promise<void> {
    const controller = new AbortController()
    const startedAt = deps.now()
    const id = deps.nextId()
    const messages = messagesToSend(conversation, system)
    running = controller
    change(append(conversation, newAnswer(id, startedAt, settings)))
    const edit = (how: (open: AssistantMessage) => AssistantMessage) => {
      // After a stop the answer is as it is, whatever still trickles in.
      if (running === controller) change(changeAnswer(conversation, id, how))
    }
    const elapsed = () => deps.now() - startedAt
    try {
      await deps.ask({
        settings,
        messages,
        signal: controller.signal,
        onRequestId: (requestId) => edit((open) => ({ ...open, requestId })),
        onPart: (part) => edit((open) => withPart(open, part, elapsed())),
      })
    } catch {
      edit((open) => withPart(open, { type: 'error', error: connectionLost }, elapsed()))
    }
    edit((open) => ended(open, elapsed()))
    if (running === controller) running = undefined
  }

  function say(text: string, turn: Turn): void {
    change(append(conversation, { id: deps.nextId(), createdAt: deps.now(), role: 'user', content: text }))
    void answer(turn)
  }

  return {
    get current() {
      return conversation
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send(text, turn) {
      stop()
      say(text, turn)
    },
    retry(answerId, turn) {
      stop()
      change(cutAt(conversation, answerId))
      void answer(turn)
    },
    resend(messageId, text, turn) {
      stop()
      change(cutAt(conversation, messageId))
      say(text, turn)
    },
    stop,
    clearContext() {
      stop()
      change(clearContext(conversation))
    },
    reset() {
      stop()
      change(emptyConversation)
    },
  }
}

const connectionLost: AnswerError = { message: '', status: 0, code: '' }

function newAnswer(id: string, createdAt: number, { model, group }: ChatSettings): AssistantMessage {
  return {
    id,
    createdAt,
    role: 'assistant',
    status: 'loading',
    content: '',
    reasoning: '',
    model,
    group,
    stopped: false,
    stopReason: '',
    error: undefined,
    usage: undefined,
    requestId: '',
    firstTokenMs: undefined,
    totalMs: undefined,
  }
}
