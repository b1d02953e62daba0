/** Longest text that can be a key of rollups and of the log index. */
const maxKey = 255

/** NUL, and lone halves of surrogate pairs. */
const unstorable = /[\0\p{Surrogate}]/gu

/**
 * A text that both databases can hold: PostgreSQL refuses NUL and halves of surrogate pairs, which callers can send
 * inside a model name. One such text must not block the charges of all callers.
 */
export function storableText(text: string): string {
  return text.replace(unstorable, '\ufffd')
}

/** The row with all its texts cleaned in that way. */
export function withStorableTexts<Row extends object>(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? storableText(value) : value,
    ]),
  ) as Row
}

/** A text short enough to be indexed. Longer ones with the same start share a key. */
export function clipKey(text: string): string {
  return text.length > maxKey ? text.slice(0, maxKey) : text
}

/** A text as it is stored where it is a key. */
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
 * A text for comparison without case, in any script and however its letters are composed. Upper case, because it does
 * not depend on a letter's place in the word, and maps all forms of one letter to one.
 */
export function foldCase(text: string): string {
  return storableText(text).normalize('NFKC').toUpperCase()
}
