import { type ChatCallDependencies, createChatCalls, type Turn } from './chat-calls.ts'
import { type Column, type Conversation, changeThread, columns, hasThread, threadAt } from './conversation.ts'
import {
  type AssistantMessage,
  type AttachedImage,
  append,
  clearContext,
  cutAt,
  type Message,
  type Thread,
  type UserMessage,
} from './thread.ts'

/** Message of the person. */
export interface Prompt {
  readonly text: string
  readonly images: readonly AttachedImage[]
}

export interface ChatDependencies extends ChatCallDependencies {
  /** Calls back a little later; several changes until then are shown at once. */
  readonly later: (show: () => void) => void
}

/** A conversation that lives on while its page is not on screen. */
export interface ChatStore {
  readonly current: Conversation
  subscribe(listener: () => void): () => void
  /** Sends the message in every column that responds. */
  send(prompt: Prompt, turns: readonly Turn[]): void
  /** Requests a response again; drops the messages after it in its column. */
  retry(responseId: string, turn: Turn): void
  /** Says something else in place of a message; what came after it is forgotten. */
  resend(messageId: string, text: string, turns: readonly Turn[]): void
  /** Stops running responses, in one column or in all; a response keeps the text it has. */
  stop(column?: Column): void
  clearContext(): void
  rename(name: string): void
  /** Goes on under another id. */
  moveTo(id: string): void
  /** Looks up the cost of responses that had none when the page was left. */
  findCharges(): void
}

export function createChatStore(start: Conversation, deps: ChatDependencies): ChatStore {
  let conversation = start
  const { listeners, announce } = createAnnouncer(deps.later)
  const calls = createChatCalls(deps, {
    threadAt: (column) => threadAt(conversation, column),
    change: changeColumn,
  })

  function change(next: Conversation): void {
    conversation = next
    announce()
  }
  function changeColumn(column: Column, how: (thread: Thread) => Thread): void {
    change(changeThread(conversation, column, how))
  }
  function userMessage({ text, images }: Prompt): UserMessage {
    return { id: deps.nextId(), createdAt: deps.now(), role: 'user', content: text, images }
  }

  /** Sends the message in every column that responds, each cut as before. */
  function say(message: UserMessage, turns: readonly Turn[], cut: (thread: Thread) => Thread): void {
    // A column begins with what was said in the first one before, so it has to be there before that one goes on.
    for (const { column } of turns) changeColumn(column, (thread) => thread)
    for (const turn of turns) {
      calls.stop(turn.column)
      changeColumn(turn.column, (thread) => append(cut(thread), message))
      void calls.response(turn)
    }
    change({ ...conversation, updatedAt: message.createdAt })
  }

  return {
    get current() {
      return conversation
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send(prompt, turns) {
      say(userMessage(prompt), turns, (thread) => thread)
    },
    retry(responseId, turn) {
      calls.stop(turn.column)
      changeColumn(turn.column, (thread) => cutAt(thread, responseId))
      void calls.response(turn)
    },
    resend(messageId, text, turns) {
      const affected = turns.filter(({ column }) => messageIn(threadAt(conversation, column), messageId))
      const before = affected[0] && messageIn(threadAt(conversation, affected[0].column), messageId)
      const message = userMessage({ text, images: before?.images ?? [] })
      say(message, affected, (thread) => cutAt(thread, messageId))
    },
    stop(column) {
      for (const each of column === undefined ? columns : [column]) calls.stop(each)
    },
    clearContext() {
      for (const column of columns) {
        calls.stop(column)
        if (hasThread(conversation, column)) changeColumn(column, clearContext)
      }
    },
    rename(name) {
      change({ ...conversation, name })
    },
    moveTo(id) {
      change({ ...conversation, id })
    },
    findCharges() {
      for (const column of columns) {
        if (!hasThread(conversation, column)) continue
        for (const response of unaccounted(threadAt(conversation, column).messages, deps.now()))
          void calls.account(column, response)
      }
    },
  }
}

/** Tells listeners of changes, at most once for each time `later` calls back. */
function createAnnouncer(later: ChatDependencies['later']) {
  let announced = true
  const listeners = new Set<() => void>()
  return {
    listeners,
    announce() {
      if (!announced) return
      announced = false
      later(() => {
        announced = true
        for (const listener of listeners) listener()
      })
    },
  }
}

function messageIn({ messages }: Thread, id: string): UserMessage | undefined {
  return messages.find((message): message is UserMessage => message.id === id && message.role === 'user')
}

/** A row that the log does not have after an hour will not come. */
const accountedWithinMs = 3_600_000

function unaccounted(messages: readonly Message[], now: number): readonly AssistantMessage[] {
  return messages
    .filter((message) => message.role === 'assistant')
    .filter(
      ({ charge, requestId, createdAt }) =>
        charge === undefined && requestId !== '' && now - createdAt < accountedWithinMs,
    )
}
