import { listSeparators, listText, type TextDetails } from '@tollgate/api'
import { currentLanguage } from './index.ts'

/** Returns items in a row, as the reader's language enumerates them. */
export function localList(items: readonly string[]): string {
  return listText(items, currentLanguage())
}

/** Returns the details of a sentence with each list as the reader's language enumerates it. */
export function localDetails(details: TextDetails): Record<string, string | number> {
  const entries = Object.entries(details)
  return Object.fromEntries(
    entries.map(([name, detail]) => [name, typeof detail === 'object' ? localList(detail) : detail]),
  )
}

/** Returns the text between two items, for lists of elements. */
export function localListSeparator(): string {
  return listSeparators[currentLanguage()]
}
