import type { Citation } from '../canonical/response.ts'
import { wrapSignature } from '../foreign-signatures.ts'
import { type JsonObject, textOf } from '../json-value.ts'

/** Citations of the web and of search results have an address; those of the caller's own documents have none. */
export function decodeCitation(citation: JsonObject): Citation | undefined {
  const url = textOf(citation.url) || textOf(citation.source)
  if (url === '') return undefined
  const title = textOf(citation.title) || textOf(citation.document_title)
  return { url, title, text: textOf(citation.cited_text) }
}

/** The index is for the vendor that searched; the mark keeps ours from being sent to it. */
export function encodeCitation({ url, title, text }: Citation): JsonObject {
  return {
    type: 'web_search_result_location',
    url,
    title,
    cited_text: text,
    encrypted_index: wrapSignature('citation'),
  }
}
