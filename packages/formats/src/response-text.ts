import type { AssistantPart } from './canonical/request.ts'
import type { ChatResponse } from './canonical/response.ts'
import { type Delivered, DeliveredText } from './delivered-text.ts'
import type { Usage } from './usage.ts'

/** What a whole answer delivered, for counting tokens when the upstream sent no usage. */
export function deliveredIn({ candidates }: ChatResponse): Delivered {
  const delivered = new DeliveredText()
  for (const { parts } of candidates) for (const part of parts) appendPart(delivered, part)
  return delivered.read()
}

/** The count of an answer, if it can be one: text but no tokens for it is none. */
export function plausibleUsage(usage: Usage | undefined, delivered: () => Delivered): Usage | undefined {
  if (usage?.totalTokens !== undefined) return undefined
  if (usage?.outputTokens !== 0) return usage
  const { text, toolCalls } = delivered()
  return text === '' && toolCalls === 0 ? usage : undefined
}

function appendPart(delivered: DeliveredText, part: AssistantPart): void {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      delivered.append(part.text)
      return
    case 'tool-call':
      delivered.appendCall(part.name)
      delivered.append(part.arguments)
      return
    case 'media':
  }
}
