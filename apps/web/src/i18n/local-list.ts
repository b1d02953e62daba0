import { listSeparators, listText } from '@tollgate/api'
import { currentLanguage } from './index.ts'

/** Returns items in a row, as the reader's language enumerates them. */
export function localList(items: readonly string[]): string {
  return listText(items, currentLanguage())
}

/** Returns the text between two items, for lists of elements. */
export function localListSeparator(): string {
  return listSeparators[currentLanguage()]
}
