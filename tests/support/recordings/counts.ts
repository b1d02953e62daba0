import type { Json } from '../agents/agent.ts'
import type { Counts } from '../protocols/protocol.ts'
import type { Exchange } from './exchanges.ts'
import type { RecordedFormat } from './vendors.ts'

/** Returns the vendor's counts for its response, each kind apart; `undefined` for a response without counts. */
export function recordedCounts({ vendor, replies }: Exchange): Counts | undefined {
  const reported = replies.flatMap((reply) => usageIn(reply)).map((usage) => meanings[vendor.format](usage))
  return reported.at(-1)
}

/** Every place in which a format reports its counts. */
function usageIn(reply: Json): readonly Usage[] {
  const positions = [reply.usage, reply.usageMetadata, (reply.response as Json | undefined)?.usage]
  return positions.filter((position): position is Usage => typeof position === 'object' && position !== null)
}

type Usage = { readonly [name: string]: number | Usage | undefined | null }

const meanings: Readonly<Record<RecordedFormat, (usage: Usage) => Counts>> = {
  chat: ofOpenAi,
  completions: ofOpenAi,
  embeddings: ofOpenAi,
  rerank: ofOpenAi,
  responses: (usage) => ({
    ...prompted(numberIn(usage, 'input_tokens'), numberIn(usage, 'input_tokens_details', 'cached_tokens')),
    output: numberIn(usage, 'output_tokens'),
    reasoning: numberIn(usage, 'output_tokens_details', 'reasoning_tokens'),
  }),
  // Cached tokens are extra there.
  messages: (usage) => ({
    input: numberIn(usage, 'input_tokens'),
    cacheRead: numberIn(usage, 'cache_read_input_tokens'),
    cacheWrite: numberIn(usage, 'cache_creation_input_tokens'),
    output: numberIn(usage, 'output_tokens'),
    reasoning: numberIn(usage, 'output_tokens_details', 'thinking_tokens'),
  }),
  gemini: (usage) => ({
    ...prompted(numberIn(usage, 'promptTokenCount'), numberIn(usage, 'cachedContentTokenCount')),
    output: numberIn(usage, 'candidatesTokenCount') + numberIn(usage, 'thoughtsTokenCount'),
    reasoning: numberIn(usage, 'thoughtsTokenCount'),
  }),
}

/** Some vendors leave reasoning out of the completion; the total includes it. */
function ofOpenAi(usage: Usage): Counts {
  const prompt = numberIn(usage, 'prompt_tokens')
  return {
    ...prompted(prompt, numberIn(usage, 'prompt_tokens_details', 'cached_tokens')),
    output: numberIn(usage, 'total_tokens') - prompt,
    reasoning: numberIn(usage, 'completion_tokens_details', 'reasoning_tokens'),
  }
}

function prompted(all: number, cacheRead: number) {
  return { input: all - cacheRead, cacheRead, cacheWrite: 0 }
}

function numberIn(usage: Usage, ...path: readonly string[]): number {
  let found: Usage[string] = usage
  for (const name of path) found = typeof found === 'object' ? found?.[name] : undefined
  return typeof found === 'number' ? found : 0
}
