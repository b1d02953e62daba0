import { type JsonEdits, objectOf, parseScanned, type RequestText, scanTopLevel } from '@tollgate/formats'

/**
 * Puts large literals, which parsing left out, back into JSON text made from the parsed value. Returns the same text where it
 * has none of them, else pieces, because concatenating them would copy megabytes.
 */
export type Restore = (text: string) => string | readonly string[]

/** Restores the literals and returns one text. */
export function restored(text: string, restore: Restore): string {
  const restoredText = restore(text)
  return typeof restoredText === 'string' ? restoredText : restoredText.join('')
}

export function restoredEdits(edits: JsonEdits, restore: Restore): JsonEdits {
  return new Map([...edits].map(([key, text]) => [key, text === undefined ? text : restored(text, restore)]))
}

/** Decides whether an edit contains a literal that was cut. */
export function areCut(edits: JsonEdits, restore: Restore): boolean {
  return [...edits.values()].some((text) => text !== undefined && restore(text) !== text)
}

/** Parses a JSON object again, this time with complete literals. */
export function uncutText(native: RequestText, restore: Restore): RequestText {
  const text = restored(native.text, restore)
  const scan = scanTopLevel(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  return {
    text,
    scan: scan.ok ? scan : native.scan,
    body: objectOf(parseScanned(text, scan.ok ? scan : native.scan)),
  }
}
