import type { Citation } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'

/**
 * What the whole answer is drawn from, beside its choices: Perplexity's search results, or addresses alone, which is all
 * that it gave before and xAI gives. https://docs.perplexity.ai/api-reference/chat-completions-post
 */
export function readSources(response: JsonObject): readonly ChatPart[] {
  const results = listOf(response.search_results)
  const sources =
    results.length > 0 ? results.map(objectOf) : listOf(response.citations).map((url) => ({ url }))
  return sources.flatMap((source) => {
    const citation = citationOf(source)
    return citation === undefined ? [] : [{ type: 'citation', candidate: 0, citation } as const]
  })
}

function citationOf({ url, title, snippet }: JsonObject): Citation | undefined {
  return typeof url === 'string' && url !== ''
    ? { url, title: textOf(title), text: textOf(snippet) }
    : undefined
}
