/**
 * The same text in memory of its own. A slice holds the text that it was cut from in memory, and a concatenation stays
 * a list of parts until it is read: texts that live long should be neither.
 * @param text of characters up to U+00FF; others come out wrong
 */
export function detachedCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
