/** Longest text that is kept as a key of rollups and of the log index. */
const longestKey = 255

/** NUL, and halves of surrogate pairs that stand alone. */
const unstorable = /[\0\p{Surrogate}]/gu

/**
 * A text that both databases can hold: PostgreSQL refuses NUL and halves of surrogate pairs, which callers can send
 * inside a model name. One such text must not stop the writing of everybody's charges.
 */
export function storableText(text: string): string {
  return text.replace(unstorable, '\ufffd')
}

/** The row with all its texts so. */
export function withStorableTexts<Row extends object>(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? storableText(value) : value,
    ]),
  ) as Row
}

/** A text short enough to be indexed. Longer ones share what they have in common. */
export function clipKey(text: string): string {
  return text.length > longestKey ? text.slice(0, longestKey) : text
}

/** A text as it stands where it is a key. */
export function storableKey(text: string): string {
  return storableText(clipKey(text))
}

/** A `like … escape '\'` pattern of texts that contain `part`; nothing in `part` is a wildcard. */
export function containing(part: string): string {
  return `%${escapeLike(storableText(part))}%`
}

/** A pattern from a text in which `%` alone is a wildcard. */
export function percentPattern(text: string): string {
  return storableKey(text).split('%').map(escapeLike).join('%')
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * A text as it is compared where case does not count, in any script and however its letters were composed. Upper case,
 * because it does not depend on where in a word a letter stands, and tells no two forms of one letter apart.
 */
export function foldCase(text: string): string {
  return storableText(text).normalize('NFKC').toUpperCase()
}
