import { emptyThread, type Thread } from './thread.ts'

/** The first column, and those of the models that it is compared with. */
export const columns = [0, 1, 2, 3] as const
export type Column = (typeof columns)[number]
/** Names of the columns. */
export const columnLetters = ['A', 'B', 'C', 'D'] as const

/** Messages of one chat: with one model, or with several side by side. */
export interface Conversation {
  readonly id: string
  /** Name that the person gave it; empty: the words it began with. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** One by column. An absent one reads like the first: nothing was said there by itself yet. */
  readonly threads: readonly [Thread, ...(Thread | undefined)[]]
}

export function newConversation(id: string, now: number): Conversation {
  return { id, name: '', createdAt: now, updatedAt: now, threads: [emptyThread] }
}

export function threadAt({ threads }: Conversation, column: Column): Thread {
  return threads[column] ?? threads[0]
}

/** Decides whether a column has a thread of its own. */
export function hasThread({ threads }: Conversation, column: Column): boolean {
  return threads[column] !== undefined
}

/** Changes one column. Each but the first becomes a thread of its own with its first change. */
export function changeThread(
  conversation: Conversation,
  column: Column,
  change: (thread: Thread) => Thread,
): Conversation {
  const changed = change(threadAt(conversation, column))
  const [first, ...others] = conversation.threads
  if (column === 0) return { ...conversation, threads: [changed, ...others] }
  const threads = columns.slice(1).map((each, at) => (each === column ? changed : others[at]))
  return { ...conversation, threads: [first, ...threads.slice(0, Math.max(others.length, column))] }
}

export function hasMessages({ threads }: Conversation): boolean {
  return threads.some((thread) => thread !== undefined && thread.messages.length > 0)
}

const maxTitle = 80

/** Its name, or the words it began with; empty when it has neither. */
export function titleOf({ name, threads }: Conversation): string {
  if (name !== '') return name
  const first = threads[0].messages.find(({ role }) => role === 'user')
  const words = first?.content.replace(/\s+/g, ' ').trim() ?? ''
  return words.length > maxTitle ? `${words.slice(0, maxTitle)}…` : words
}
