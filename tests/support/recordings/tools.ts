import type { Json } from '../agents/agent.ts'
import type { Exchange } from './exchanges.ts'

/** Numbers of runs of each of the vendor's tools for a response, by the words of the price table. */
export type RecordedTools = Readonly<Record<string, number>>

/** The tools that a recorded response shows, read from its items and from what its vendor counts. */
export function recordedTools({ vendor, replies }: Exchange): RecordedTools {
  const last = replies.at(-1) ?? {}
  const finished = replies.map((reply) => (reply.response ?? reply) as Json).findLast(({ output }) => output)
  if (vendor.format === 'responses' || finished !== undefined) return toolsInItems(finished ?? last)
  return vendor.format === 'messages' ? toolsInMessage(replies) : {}
}

/** USD per 1,000 calls, by the vendors' price lists; `undefined` for a tool that has no default price. */
export function listedFee(model: string, tool: string): number | undefined {
  const vendor = Object.keys(fees).find((name) => model.startsWith(name))
  return vendor === undefined ? undefined : fees[vendor]?.[tool]
}

const fees: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'gpt-': { web_search: 10, file_search: 2.5, code_interpreter: 30 },
  'grok-': { web_search: 5, file_search: 2.5 },
  'claude-': { web_search: 10 },
}

/** OpenAI charges searches, not looking into what they found; code by the container. */
function toolsInItems({ output }: Json): RecordedTools {
  const items = (output ?? []) as readonly Json[]
  const calls = (type: string) => items.filter((item) => item.type === `${type}_call`)
  const searches = calls('web_search').filter(
    ({ action }) => ((action as Json)?.type ?? 'search') === 'search',
  )
  return used({
    web_search: searches.length,
    file_search: calls('file_search').length,
    code_interpreter: new Set(calls('code_interpreter').map(({ container_id }) => container_id)).size,
    image_generation: calls('image_generation').length,
  })
}

/** Anthropic counts searches; runs of code are in the message alone. */
function toolsInMessage(replies: readonly Json[]): RecordedTools {
  const usages = replies.map(({ usage }) => (usage as Json | undefined)?.server_tool_use as Json | undefined)
  const blocks = replies.flatMap(
    ({ content, content_block: started }) => [content, started].flat() as (Json | undefined)[],
  )
  const code = blocks.filter(
    (block) => block?.type === 'server_tool_use' && /code_execution$/.test(String(block.name)),
  )
  return used({
    web_search: Number(usages.findLast(Boolean)?.web_search_requests ?? 0),
    code_execution: code.length,
  })
}

function used(counts: RecordedTools): RecordedTools {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
