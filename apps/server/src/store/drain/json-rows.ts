import { storableText } from '../text.ts'

/** What `JSON.stringify` writes for NUL and for halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f])/i

/** Rows as one JSON parameter, an array of arrays, for `insertRows` and `updateRows`. */
export function jsonRows<Item>(
  items: readonly Item[],
  toRow: (item: Item) => readonly (number | string)[],
): string {
  const rows = items.map(toRow)
  const json = JSON.stringify(rows)
  // Hardly any text has such an escape, and looking for its beginning alone is quicker.
  if (!json.includes('\\u') || !unstorable.test(json)) return json
  return JSON.stringify(
    rows.map((row) => row.map((value) => (typeof value === 'string' ? storableText(value) : value))),
  )
}
