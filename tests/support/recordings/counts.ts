import type { Json } from '../agents/agent.ts'
import type { Counts } from '../upstream-protocol.ts'
import type { Exchange } from './exchanges.ts'
import type { RecordedFormat } from './vendors.ts'

/** What the vendor counted for its answer, each kind apart; `undefined` for an answer that tells no counts. */
export function recordedCounts({ vendor, answers }: Exchange): Counts | undefined {
  const told = answers.flatMap((answer) => usageIn(answer)).map((usage) => meanings[vendor.format](usage))
  return told.at(-1)
}

/** Every place in which a format tells its counts. */
function usageIn(answer: Json): readonly Usage[] {
  const places = [answer.usage, answer.usageMetadata, (answer.response as Json | undefined)?.usage]
  return places.filter((place): place is Usage => typeof place === 'object' && place !== null)
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
    thoughts: numberIn(usage, 'output_tokens_details', 'reasoning_tokens'),
  }),
  // Cached tokens are extra there.
  messages: (usage) => ({
    input: numberIn(usage, 'input_tokens'),
    cacheRead: numberIn(usage, 'cache_read_input_tokens'),
    cacheWrite: numberIn(usage, 'cache_creation_input_tokens'),
    output: numberIn(usage, 'output_tokens'),
    thoughts: numberIn(usage, 'output_tokens_details', 'thinking_tokens'),
  }),
  gemini: (usage) => ({
    ...prompted(numberIn(usage, 'promptTokenCount'), numberIn(usage, 'cachedContentTokenCount')),
    output: numberIn(usage, 'candidatesTokenCount') + numberIn(usage, 'thoughtsTokenCount'),
    thoughts: numberIn(usage, 'thoughtsTokenCount'),
  }),
}

/** Some leave thoughts out of the completion; the total has everything. */
function ofOpenAi(usage: Usage): Counts {
  const prompt = numberIn(usage, 'prompt_tokens')
  return {
    ...prompted(prompt, numberIn(usage, 'prompt_tokens_details', 'cached_tokens')),
    output: numberIn(usage, 'total_tokens') - prompt,
    thoughts: numberIn(usage, 'completion_tokens_details', 'reasoning_tokens'),
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
