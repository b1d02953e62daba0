import { emptyThread, type Thread } from './thread.ts'

/** The left column, and the right one when two models are compared. */
export type Column = 0 | 1
/** Names of the columns. */
export const columnLetters = ['A', 'B'] as const

/** Messages of one chat: with one model, or with two side by side. */
export interface Conversation {
  readonly id: string
  /** Name that the person gave it; empty: the words it began with. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Absent second: nothing was said there by itself yet, so it reads like the first. */
  readonly threads: readonly [Thread, Thread?]
}

export function newConversation(id: string, now: number): Conversation {
  return { id, name: '', createdAt: now, updatedAt: now, threads: [emptyThread] }
}

export function threadAt({ threads: [first, second] }: Conversation, column: Column): Thread {
  return column === 0 ? first : (second ?? first)
}

/** Changes one column. The second one becomes a thread of its own with its first change. */
export function changeThread(
  conversation: Conversation,
  column: Column,
  change: (thread: Thread) => Thread,
): Conversation {
  const [first, second] = conversation.threads
  const changed = change(threadAt(conversation, column))
  if (column === 1) return { ...conversation, threads: [first, changed] }
  return { ...conversation, threads: second === undefined ? [changed] : [changed, second] }
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
