import type { CacheMark, ChatRequest, Message, TextPart, ToolResultPart } from '../canonical/request.ts'
import { sourcePathOf, withSourcePath } from './caller-field-names.ts'

/**
 * Claude refuses a fifth mark, wherever it is hosted. Clients of other formats count messages, not marks: an SDK that marks a turn marks
 * each of its parallel results. https://platform.claude.com/docs/en/build-with-claude/prompt-caching (2026-11-30)
 */
const maxMarks = 4

interface Markable {
  readonly cache?: CacheMark
}

/**
 * The request with its last four marks, in the order of the prompt: tools, instructions, conversation. A later mark covers all that an
 * earlier one does. The same object where there are no more.
 */
export function withinMarkLimit(request: ChatRequest, dropped: Set<string>): ChatRequest {
  let excess = marksIn(request) - maxMarks
  if (excess <= 0) return request
  dropped.add('cache_control')
  const unmarked = <Item extends Markable>(item: Item): Item => {
    if (item.cache === undefined || excess === 0) return item
    excess -= 1
    const { cache: _, ...rest } = item
    // The mark is a member that no part or tool needs.
    return withSourcePath(rest as Item, sourcePathOf(item))
  }
  const tools = request.tools.map((tool) => (tool.type === 'function' ? unmarked(tool) : tool))
  const changed = new Map<Message, Message>()
  for (const message of inPromptOrder(request)) {
    if (excess === 0) break
    changed.set(message, withParts(message, unmarked))
  }
  return { ...request, tools, messages: request.messages.map((message) => changed.get(message) ?? message) }
}

function inPromptOrder({ messages }: ChatRequest): readonly Message[] {
  const isSystem = ({ role }: Message) => role === 'system'
  return [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))]
}

type Unmark = <Item extends Markable>(item: Item) => Item

function withParts(message: Message, unmarked: Unmark): Message {
  const parts = message.parts.map((part) =>
    unmarked(part.type === 'tool-result' ? withContent(part, unmarked) : (part as TextPart)),
  )
  // Each part keeps its type.
  return withSourcePath({ ...message, parts } as Message, sourcePathOf(message))
}

function withContent(part: ToolResultPart, unmarked: Unmark): ToolResultPart {
  return withSourcePath({ ...part, content: part.content.map((item) => unmarked(item)) }, sourcePathOf(part))
}

function marksIn({ tools, messages }: ChatRequest): number {
  let count = 0
  for (const tool of tools) count += marksOf(tool)
  for (const { parts } of messages)
    for (const part of parts) {
      count += marksOf(part)
      if (part.type === 'tool-result') for (const item of part.content) count += marksOf(item)
    }
  return count
}

function marksOf(item: object): number {
  return 'cache' in item && item.cache !== undefined ? 1 : 0
}
