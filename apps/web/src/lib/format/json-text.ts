/** Reason for which a text is not JSON. */
export interface JsonFault {
  /** Counted from one. */
  readonly line: number
  /** Message of the browser, without the position. */
  readonly problem: string
}

/** The first fault of a JSON text, or `undefined` when there is none (an empty text counts as valid). */
export function findJsonFault(text: string): JsonFault | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    return {
      line: faultLine(text, message),
      problem: message.replace(/ (in JSON )?at (position|line) .*$/, ''),
    }
  }
}

/** JSON with two spaces of indentation; a text that is not JSON stays as it is. */
export function prettyJson(text: string): string {
  return text.trim() === '' || findJsonFault(text) !== undefined
    ? text
    : JSON.stringify(JSON.parse(text), null, 2)
}

/** Browsers name a line or a position; a text that ends too soon is at fault at its end. */
function faultLine(text: string, message: string): number {
  const line = /\bline (\d+)/.exec(message)?.[1]
  if (line !== undefined) return Number(line)
  const position = /\bposition (\d+)/.exec(message)?.[1]
  return text.slice(0, position === undefined ? undefined : Number(position)).split('\n').length
}
