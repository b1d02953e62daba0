import { type Citation, listOf, objectOf, textOf } from '@tollgate/formats'

/** A page of the web that an answer rests on; `undefined` for places in the caller's own documents. */
export function readCitation(value: unknown): Citation | undefined {
  const citation = objectOf(value)
  const url = textOf(objectOf(objectOf(citation.location).web).url)
  if (url === '') return undefined
  const text = listOf(citation.sourceContent)
    .map((piece) => textOf(objectOf(piece).text))
    .join('')
  return { url, title: textOf(citation.title), text }
}
