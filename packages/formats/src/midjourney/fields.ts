import { ambiguousKey } from '../json/ambiguous-key.ts'
import { type JsonMember, type JsonScan, memberText, scanTopLevel, stringEnd } from '../json/text.ts'
import { listOf, parseJson } from '../json/value.ts'
import { MidjourneyFault } from './actions.ts'

const textFields = [
  'prompt',
  'customId',
  'botType',
  'notifyHook',
  'action',
  'state',
  'taskId',
  'content',
  'base64',
  'maskBase64',
  'sourceBase64',
  'targetBase64',
] as const
type TextField = (typeof textFields)[number]

const decisive: ReadonlySet<string> = new Set([...textFields, 'index', 'base64Array', 'accountFilter'])
/** Image fields, of which the reader checks only the presence. */
const pictureFields: ReadonlySet<string> = new Set([
  'base64',
  'maskBase64',
  'sourceBase64',
  'targetBase64',
  'base64Array',
])

/** Texts from here on are looked at where they stand, without a copy. */
const largeLength = 32 * 1024
/** No character that JSON escapes or forbids. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts
const plainText = /^[^"\\\u0000-\u001f]*$/

/** A submission's body: the reader parses its small fields and leaves its images unparsed. */
export interface MidjourneyFields {
  /** Body as the client wrote it. */
  readonly body: string
  readonly scan: JsonScan
  /** Returns the text of a field; for an image its first characters, or nothing without one. Empty when the field is absent. */
  text(name: TextField): string
  /** `undefined` when absent. */
  readonly index: number | undefined
  /** Number of images that `base64Array` holds. */
  readonly pictures: number
}

/**
 * @param maxDepth how deep the body may nest
 * @throws DrawingFault for a body other than a JSON object, a field of another type, and a repeated field
 */
export function readMidjourneyFields(body: string, maxDepth: number): MidjourneyFields {
  const scan = scanTopLevel(body, maxDepth)
  if (!scan.ok || ambiguousKey(scan, decisive) !== undefined) return unbound()
  const values = new Map<string, unknown>()
  for (const member of scan.list) {
    const value = fieldValue(body, member)
    if (value === undefined) return unbound()
    if (value !== null) values.set(member.key, value)
  }
  for (const name of textFields) if (typeof (values.get(name) ?? '') !== 'string') return unbound()
  return {
    body,
    scan,
    text: (name) => (values.get(name) as string | undefined) ?? '', // Checked above.
    index: indexOf(values.get('index')),
    pictures: picturesIn(values.get('base64Array')),
  }
}

function unbound(): never {
  throw new MidjourneyFault('bind_request_body_failed')
}

/** `undefined` when the text is not JSON. For images, the value shows that they are present. */
function fieldValue(body: string, member: JsonMember): unknown {
  const { key, valueStart, end } = member
  if (!pictureFields.has(key) || end - valueStart < largeLength) return parseJson(memberText(body, member))
  return body[valueStart] === '[' ? textsFrom(body, member) : headOfText(body, valueStart, end)
}

function headOfText(body: string, start: number, end: number): string | undefined {
  if (body[start] !== '"' || !isText(body, start, end)) return undefined
  return body.slice(start + 1, start + 33)
}

/** The first characters of a list's texts; `undefined` when the value is not a list of texts. */
function textsFrom(body: string, { valueStart, end }: JsonMember): readonly string[] | undefined {
  const texts: string[] = []
  let at = nextPosition(body, valueStart + 1)
  while (body[at] === '"') {
    const close = stringEnd(body, at)
    if (close < 0 || close > end || !isText(body, at, close)) return undefined
    texts.push(body.slice(at + 1, Math.min(close - 1, at + 33)))
    at = nextPosition(body, close)
    if (body[at] !== ',') break
    at = nextPosition(body, at + 1)
    if (body[at] !== '"') return undefined
  }
  return body[at] === ']' && at === end - 1 ? texts : undefined
}

function nextPosition(body: string, from: number): number {
  let at = from
  while (body[at] === ' ' || body[at] === '\n' || body[at] === '\r' || body[at] === '\t') at++
  return at
}

function isText(body: string, start: number, end: number): boolean {
  const literal = body.slice(start + 1, end - 1)
  return plainText.test(literal) || parseJson(body.slice(start, end)) !== undefined
}

/** Some clients write the number as a text. */
function indexOf(value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined
  const index = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
  return typeof index === 'number' && Number.isInteger(index) ? index : unbound()
}

function picturesIn(value: unknown): number {
  const pictures = listOf(value)
  if (value !== undefined && !Array.isArray(value)) return unbound()
  return pictures.every((picture) => typeof picture === 'string') ? pictures.length : unbound()
}
