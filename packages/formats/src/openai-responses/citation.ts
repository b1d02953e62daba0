import type { Citation } from '../canonical/response.ts'
import { type JsonObject, textOf } from '../json-value.ts'

/** Citations of the web have an address; those of files and containers have none. */
export function decodeCitation(annotation: JsonObject): Citation | undefined {
  const url = textOf(annotation.url)
  if (annotation.type !== 'url_citation' || url === '') return undefined
  return { url, title: textOf(annotation.title), text: textOf(annotation.content) }
}

/** Where in the text it stands is not known. */
export function encodeCitation({ url, title, text }: Citation): JsonObject {
  return {
    type: 'url_citation',
    url,
    title,
    start_index: 0,
    end_index: 0,
    ...(text !== '' && { content: text }),
  }
}
