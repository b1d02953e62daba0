/** A field that matters, noted on the head it belongs to. */
export interface FieldReader<Head> {
  /** Name in lower case. */
  readonly name: string
  read(value: string, head: Head): void
}

/** Readers by the length of their names: of most fields nothing but that is looked at. */
export type FieldReaders<Head> = readonly (readonly FieldReader<Head>[] | undefined)[]

/** Sorts readers by the length of their names. */
export function fieldReaders<Head>(readers: readonly FieldReader<Head>[]): FieldReaders<Head> {
  const maxLength = Math.max(...readers.map(({ name }) => name.length))
  return Array.from({ length: maxLength + 1 }, (_, length) => {
    const ofLength = readers.filter(({ name }) => name.length === length)
    return ofLength.length === 0 ? undefined : ofLength
  })
}

/** Positions of the field lines in a head: start, colon and end of each, one after the other. */
export type FieldPositions = number[]

/**
 * Reads the few fields that matter.
 * @param text a head that begins with its first line, and whose other lines all have a name and a colon
 * @param positions where the places of all fields are added; for heads that are asked for others later
 */
export function readFields<Head>(
  text: string,
  readers: FieldReaders<Head>,
  head: Head,
  positions?: FieldPositions,
): void {
  for (let lineEnd = text.indexOf('\r'); lineEnd !== -1 && lineEnd < text.length; ) {
    const start = lineEnd + 2
    const colon = text.indexOf(':', start)
    lineEnd = endOfLine(text, colon)
    if (positions !== undefined) positions.push(start, colon, lineEnd)
    const ofLength = readers[colon - start]
    if (ofLength === undefined) continue
    for (const { name, read } of ofLength)
      if (isNamed(text, start, name)) read(withoutBlanks(text, colon + 1, lineEnd), head)
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\r', from)
  return end === -1 ? text.length : end
}

/** The values of all fields of a name, with commas between; `null` without such a field. */
export function fieldValue(text: string, positions: FieldPositions, name: string): string | null {
  let value: string | null = null
  for (let position = 0; position < positions.length; position += 3) {
    const start = positions[position] ?? 0
    const colon = positions[position + 1] ?? 0
    if (colon - start !== name.length || !isNamed(text, start, name)) continue
    const one = withoutBlanks(text, colon + 1, positions[position + 2] ?? 0)
    value = value === null ? one : `${value}, ${one}`
  }
  return value
}

const upperA = 0x41
const upperZ = 0x5a
const toLowerCase = 0x20

/** Returns whether the token at `start`, as long as `name`, is that name in any case. */
function isNamed(text: string, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    const unit = text.charCodeAt(start + at)
    const isUpper = unit >= upperA && unit <= upperZ
    if ((isUpper ? unit + toLowerCase : unit) !== name.charCodeAt(at)) return false
  }
  return true
}

/** Returns the text without the blanks around it, and those only. */
export function withoutBlanks(text: string, start: number, end: number): string {
  let first = start
  let last = end
  while (first < last && isBlank(text, first)) first += 1
  while (first < last && isBlank(text, last - 1)) last -= 1
  return text.slice(first, last)
}

const tab = 0x09
const space = 0x20

function isBlank(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit === space || unit === tab
}

const digits = /^\d{1,15}$/

/** A length in bytes; `undefined` when the text is not a length. */
export function lengthOf(value: string): number | undefined {
  return digits.test(value) ? Number(value) : undefined
}

const connectionOptions = {
  close: /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i,
  'keep-alive': /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i,
  upgrade: /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i,
} as const

/** Returns whether the options of a `Connection` field name this one. */
export function namesOption(value: string, option: keyof typeof connectionOptions): boolean {
  return connectionOptions[option].test(value)
}
