import type { Column } from './conversation.ts'
import type { ResponseError } from './response-part.ts'
import type { ChatSettings, SendChat } from './send-chat.ts'
import {
  type AssistantMessage,
  append,
  changeResponse,
  ended,
  messagesToSend,
  openResponse,
  type ResponseCharge,
  type Thread,
  withPart,
} from './thread.ts'

/** Parameters of one column's request. */
export interface Turn {
  readonly column: Column
  readonly settings: ChatSettings
  readonly system: string
}

export interface ChatCallDependencies {
  readonly sendChat: SendChat
  /** Reads the charge of a call from the log, as soon as it has one. */
  readonly findCharge: (requestId: string) => Promise<ResponseCharge | undefined>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly nextId: () => string
}

/** Receives the responses of each column. */
export interface Columns {
  threadAt(column: Column): Thread
  change(column: Column, how: (thread: Thread) => Thread): void
}

/** The calls on their way: at most one for each column. */
export interface ChatCalls {
  response(turn: Turn): Promise<void>
  /** Stops a response, which keeps the text it has. */
  stop(column: Column): void
  /** Attaches the charge to a response. */
  account(column: Column, response: Pick<AssistantMessage, 'id' | 'requestId'>): Promise<void>
}

export function createChatCalls(deps: ChatCallDependencies, columns: Columns): ChatCalls {
  const running = new Map<Column, AbortController>()

  async function account(
    column: Column,
    { id, requestId }: Pick<AssistantMessage, 'id' | 'requestId'>,
  ): Promise<void> {
    if (requestId === '') return
    const charge = await deps.findCharge(requestId).catch(() => undefined)
    if (charge)
      columns.change(column, (thread) => changeResponse(thread, id, (stated) => ({ ...stated, charge })))
  }

  return {
    account,
    stop(column) {
      const response = running.has(column) ? openResponse(columns.threadAt(column)) : undefined
      running.get(column)?.abort()
      running.delete(column)
      if (!response) return
      columns.change(column, (thread) =>
        changeResponse(thread, response.id, (open) => ({
          ...ended(open, deps.now() - open.createdAt),
          stopped: true,
        })),
      )
      void account(column, response)
    },
    async response({ column, settings, system }) {
      const controller = new AbortController()
      const startedAt = deps.now()
      const id = deps.nextId()
      const messages = messagesToSend(columns.threadAt(column), system)
      let requestId = ''
      const elapsed = () => deps.now() - startedAt
      const edit = (how: (open: AssistantMessage) => AssistantMessage) => {
        // After a stop the response does not change, whatever still arrives.
        if (running.get(column) !== controller) return
        columns.change(column, (thread) => changeResponse(thread, id, how))
      }
      running.set(column, controller)
      columns.change(column, (thread) => append(thread, newResponse(id, startedAt, settings)))
      try {
        await deps.sendChat({
          settings,
          messages,
          signal: controller.signal,
          onRequestId: (provided) => {
            requestId = provided
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

const connectionLost: ResponseError = { message: '', status: 0, code: '' }

function newResponse(id: string, createdAt: number, { model, group }: ChatSettings): AssistantMessage {
  return {
    id,
    createdAt,
    role: 'assistant',
    status: 'loading',
    content: '',
    reasoning: '',
    images: [],
    audio: [],
    toolCalls: [],
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
