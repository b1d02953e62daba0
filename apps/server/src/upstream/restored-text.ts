import { type JsonEdits, objectOf, parseJson, type RequestText, scanTopLevel } from '@tollgate/formats'

/**
 * Puts large parts that were kept out of what was parsed back into JSON text that was made of it, wherever they stand. The very
 * text where it has none of them; pieces else, as putting them together copies megabytes.
 */
export type Restore = (text: string) => string | readonly string[]

/** The same as one text. */
export function restored(text: string, restore: Restore): string {
  const restoredText = restore(text)
  return typeof restoredText === 'string' ? restoredText : restoredText.join('')
}

export function restoredEdits(edits: JsonEdits, restore: Restore): JsonEdits {
  return new Map([...edits].map(([key, text]) => [key, text === undefined ? text : restored(text, restore)]))
}

/** Whether an edit was made of something that parts were kept out of. */
export function areCut(edits: JsonEdits, restore: Restore): boolean {
  return [...edits.values()].some((text) => text !== undefined && restore(text) !== text)
}

/** A JSON object that was parsed before, parsed again with nothing kept out. */
export function uncutText(native: RequestText, restore: Restore): RequestText {
  const text = restored(native.text, restore)
  const scan = scanTopLevel(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  return { text, scan: scan.ok ? scan : native.scan, body: objectOf(parseJson(text)) }
}
