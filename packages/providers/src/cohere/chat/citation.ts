import { type Citation, listOf, objectOf, textOf } from '@tollgate/formats'

/**
 * The pages that a passage rests on: sources that name an address, whether a document or what a tool gave. Others are
 * the caller's own and have none.
 */
export function readCitations(value: unknown): readonly Citation[] {
  const { text, sources } = objectOf(value)
  return listOf(sources).flatMap((source) => {
    const { document, tool_output } = objectOf(source)
    const { url, title } = { ...objectOf(tool_output), ...objectOf(document) }
    return textOf(url) === '' ? [] : [{ url: textOf(url), title: textOf(title), text: textOf(text) }]
  })
}
