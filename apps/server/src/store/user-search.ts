import type { UserRow } from './tables.ts'
import { containing, foldCase } from './text.ts'

/** No keyword has one, so that none is found across two fields. */
const between = '\n'

/** What a keyword is looked for in: the names of a user, folded, one per line. */
export function searchTextOf(row: Pick<UserRow, 'username' | 'email' | 'display_name'>): string {
  return [row.username, row.email, row.display_name].map(foldCase).join(between)
}

/** A `like … escape '\'` pattern of the search texts in which the keyword stands; nothing in it is a wildcard. */
export function searchPattern(keyword: string): string {
  return containing(foldCase(keyword.replaceAll(between, ' ')))
}
