/** A JSON object as parsed: its members are of any type until looked at. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object: no list, and not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object; an empty one when it is something else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : noMembers
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : noItems
}

/** The value as a text; an empty one when it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Parses upstream text; `undefined` when it is not JSON (JSON itself has no `undefined`). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const noMembers: JsonObject = {}
const noItems: readonly unknown[] = []

/** Bytes as base64, and what they are. */
export interface Base64Data {
  readonly mediaType: string
  readonly data: string
}

/** Reads `data:<type>;base64,<data>`; `undefined` for other addresses. Parameters of the type are left out. */
export function readDataUrl(url: string): Base64Data | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  if (!parameters.includes('base64')) return undefined
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) }
}

/** The data URL of bytes. */
export function dataUrl({ mediaType, data }: Base64Data): string {
  return `data:${mediaType};base64,${data}`
}
