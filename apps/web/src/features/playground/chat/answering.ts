import type { AnswerError, AnswerPart } from '../stream/answer-part.ts'
import type { ChatSettings } from './chat-request.ts'
import type { Column } from './conversation.ts'
import {
  type AnswerCharge,
  type AssistantMessage,
  append,
  changeAnswer,
  ended,
  messagesToSend,
  openAnswer,
  type SentMessage,
  type Thread,
  withPart,
} from './thread.ts'

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

/** How one column asks. */
export interface Turn {
  readonly column: Column
  readonly settings: ChatSettings
  readonly system: string
}

export interface AnsweringDependencies {
  readonly ask: Ask
  /** What the log says of a call, as soon as it says something. */
  readonly findCharge: (requestId: string) => Promise<AnswerCharge | undefined>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly nextId: () => string
}

/** Where the answers of each column go. */
export interface Columns {
  threadAt(column: Column): Thread
  change(column: Column, how: (thread: Thread) => Thread): void
}

/** The calls on their way: at most one for each column. */
export interface Answering {
  answer(turn: Turn): Promise<void>
  /** An answer keeps what had come. */
  stop(column: Column): void
  /** Puts the charge to an answer. */
  account(column: Column, answer: Pick<AssistantMessage, 'id' | 'requestId'>): Promise<void>
}

export function createAnswering(deps: AnsweringDependencies, columns: Columns): Answering {
  const running = new Map<Column, AbortController>()

  async function account(
    column: Column,
    { id, requestId }: Pick<AssistantMessage, 'id' | 'requestId'>,
  ): Promise<void> {
    if (requestId === '') return
    const charge = await deps.findCharge(requestId).catch(() => undefined)
    if (charge) columns.change(column, (thread) => changeAnswer(thread, id, (said) => ({ ...said, charge })))
  }

  return {
    account,
    stop(column) {
      const answer = running.has(column) ? openAnswer(columns.threadAt(column)) : undefined
      running.get(column)?.abort()
      running.delete(column)
      if (!answer) return
      columns.change(column, (thread) =>
        changeAnswer(thread, answer.id, (open) => ({
          ...ended(open, deps.now() - open.createdAt),
          stopped: true,
        })),
      )
      void account(column, answer)
    },
    async answer({ column, settings, system }) {
      const controller = new AbortController()
      const startedAt = deps.now()
      const id = deps.nextId()
      const messages = messagesToSend(columns.threadAt(column), system)
      let requestId = ''
      const elapsed = () => deps.now() - startedAt
      const edit = (how: (open: AssistantMessage) => AssistantMessage) => {
        // After a stop the answer is as it is, whatever still trickles in.
        if (running.get(column) !== controller) return
        columns.change(column, (thread) => changeAnswer(thread, id, how))
      }
      running.set(column, controller)
      columns.change(column, (thread) => append(thread, newAnswer(id, startedAt, settings)))
      try {
        await deps.ask({
          settings,
          messages,
          signal: controller.signal,
          onRequestId: (given) => {
            requestId = given
            edit((open) => ({ ...open, requestId }))
          },
          onPart: (part) => edit((open) => withPart(open, part, elapsed())),
        })
      } catch {
        edit((open) => withPart(open, { type: 'error', error: connectionLost }, elapsed()))
      }
      edit((open) => ended(open, elapsed()))
      if (running.get(column) !== controller) return
      running.delete(column)
      await account(column, { id, requestId })
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
    charge: undefined,
    requestId: '',
    firstTokenMs: undefined,
    totalMs: undefined,
  }
}
