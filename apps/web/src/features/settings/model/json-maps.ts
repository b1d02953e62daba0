import { parseJson } from '../../../lib/format/json.ts'

/** Name → value of a JSON text; `undefined` when the text is not a JSON object. */
export function readMap(text: string): ReadonlyMap<string, unknown> | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : undefined
}

/** Returns the object for a JSON text, in the order of the map. */
export function mapObject(map: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(map)
}

export interface NamedLink {
  readonly name: string
  readonly link: string
}

/** The chat links of a JSON text; `undefined` when it is not a list of objects with one text each. */
export function readLinks(text: string): readonly NamedLink[] | undefined {
  const value = parseJson(text)
  if (!Array.isArray(value)) return undefined
  const links = value.map((entry: unknown): NamedLink | undefined => {
    if (typeof entry !== 'object' || entry === null) return undefined
    const [pair, ...more] = Object.entries(entry)
    if (pair === undefined || more.length > 0 || typeof pair[1] !== 'string') return undefined
    return { name: pair[0], link: pair[1] }
  })
  return links.every((link) => link !== undefined) ? links : undefined
}

export function linkObjects(links: readonly NamedLink[]): readonly object[] {
  return links.map(({ name, link }) => ({ [name]: link }))
}
