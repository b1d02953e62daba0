import { type Column, type Conversation, hasThread, threadAt } from './conversation.ts'
import { type AssistantMessage, isOpen, type Thread } from './thread.ts'

/** Difference between the response of a column and that of the first one, to the same words. */
export interface Difference {
  /** Price of the first one divided by this one's; `undefined` until both are charged, and where one of them is free. */
  readonly timesCheaper: number | undefined
  /** Time that the first one took beyond this one's; below 0 where this one took longer. */
  readonly fasterMs: number | undefined
  readonly isSameAnswer: boolean
}

/** Compares the latest response of a column with that of the first; `undefined` until both are whole. */
export function differenceOf(conversation: Conversation, column: Column): Difference | undefined {
  const first = latestTurn(threadAt(conversation, 0))
  const other = hasThread(conversation, column) ? latestTurn(threadAt(conversation, column)) : undefined
  if (!first || !other || first.promptId !== other.promptId) return undefined
  const [a, b] = [first.response, other.response]
  if (!isWhole(a) || !isWhole(b)) return undefined
  return {
    timesCheaper: a.charge?.quota && b.charge?.quota ? a.charge.quota / b.charge.quota : undefined,
    fasterMs: a.totalMs === undefined || b.totalMs === undefined ? undefined : a.totalMs - b.totalMs,
    isSameAnswer: plain(a.content) !== '' && plain(a.content) === plain(b.content),
  }
}

/** Charges in quota units: of the latest words in all columns, and of everything since the conversation began. */
export interface Totals {
  readonly turn: number
  readonly all: number
}

export function totalsOf(conversation: Conversation, columns: readonly Column[]): Totals {
  const threads = columns
    .filter((column) => hasThread(conversation, column))
    .map((column) => threadAt(conversation, column))
  const responses = new Map(threads.flatMap(responsesIn).map((response) => [response.id, response]))
  return {
    turn: sum(threads.map((thread) => latestTurn(thread)?.response)),
    // Columns begin with what was said in the first one before, which was charged once.
    all: sum([...responses.values()]),
  }
}

function sum(responses: readonly (AssistantMessage | undefined)[]): number {
  return responses.reduce((total, response) => total + (response?.charge?.quota ?? 0), 0)
}

function responsesIn({ messages }: Thread): readonly AssistantMessage[] {
  return messages.filter((message) => message.role === 'assistant')
}

function latestTurn({ messages }: Thread) {
  const response = messages.at(-1)
  const prompt = messages.at(-2)
  if (response?.role !== 'assistant' || prompt?.role !== 'user') return undefined
  return { response, promptId: prompt.id }
}

function isWhole(response: AssistantMessage): boolean {
  return !isOpen(response) && response.error === undefined && !response.stopped
}

/** The words of a response, whatever their case, spaces and marks. */
function plain(content: string): string {
  return content
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, ' ')
    .trim()
}
