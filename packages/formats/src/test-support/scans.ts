import { contentOutline } from '../json/bytes/content-outline.ts'
import { memberText, scanTopLevel } from '../json/text.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { isObject, parseJson } from '../json/value.ts'
import type { ScannedMessage } from '../requests/bytes/message-list.ts'
import { scanBytes } from '../requests/bytes/scan-bytes.ts'

/** Findings of a scanner of bytes in a body, and those of the parser: the same, in terms that compare. */
type Findings = readonly [scanned: unknown, parsed: unknown]

/** Depth to which bodies of requests may nest here. */
export const maxRequestDepth = 24
const shape = { list: 'choices', unread: 'logprobs' }
const longBytes = 64 * 1024
const fox = 'The quick brown fox. '

/** Both readings of the body of a request; undefined for what the parser refuses, or readers of bytes leave to it. */
export function requestFindings(sent: string): Findings {
  // Half a pair has no bytes of its own.
  const text = decodeUtf8(encodeUtf8(sent))
  const bytes = encodeUtf8(text)
  const scan = scanBytes(bytes, maxRequestDepth)
  const expected = scanTopLevel(text, maxRequestDepth)
  const body = parseJson(text)
  const isLeft =
    !expected.ok || !isObject(body) || expected.duplicates.size > 0 || expected.hasLongNumbers === true
  if (scan === undefined || isLeft) return [scan, isLeft ? undefined : body]
  const written = (from: number, to: number) => decodeUtf8(bytes.subarray(from, to))
  const members = scan.json.list.map(({ key, valueStart, end }) => [key, written(valueStart, end)])
  const items: unknown = body['messages']
  return [
    {
      depth: scan.json.depth,
      members,
      messages: scan.messages?.map((message) => [
        parseJson(written(message.start, message.end)),
        plainOf(message),
      ]),
    },
    {
      depth: expected.depth,
      members: expected.list.map((member) => [member.key, memberText(text, member)]),
      messages: Array.isArray(items)
        ? items.map((item, index) => [item, expectedPlain(scan.messages?.[index], item)])
        : undefined,
    },
  ]
}

function plainOf({ plain }: ScannedMessage): unknown {
  return plain && { role: plain.role, texts: plain.texts, textBytes: plain.textBytes }
}

/** A plain message has a role and a text alone. */
function expectedPlain(message: ScannedMessage | undefined, item: unknown): unknown {
  if (message?.plain === undefined) return undefined
  const { role, content, ...others } = item as { role: string; content: string }
  if (Object.keys(others).length > 0) return 'no plain message'
  return { role, texts: content === '' ? [] : [content], textBytes: encodeUtf8(content).length }
}

/** Both readings of the body of a request, as one of a response: its outline, and what an outline says of what is parsed. */
export function responseFindings(request: string): Findings {
  const text = decodeUtf8(encodeUtf8(asResponse(request)))
  const bytes = encodeUtf8(text)
  const outline = contentOutline(bytes, shape)
  const body = parseJson(text)
  // Its outline may be too long.
  if (outline === undefined && bytes.length > longBytes) return [undefined, undefined]
  return [
    outline && readable(parseJson(decodeUtf8(outline.json))),
    isObject(body) ? readable(body) : undefined,
  ]
}

/** A body of a request as one of a response, in which some texts are long. */
function asResponse(request: string): string {
  const renamed = request.replaceAll('"messages"', '"choices"').replaceAll('"content"', '"logprobs"')
  return renamed.replaceAll(fox, (text, at: number) => (at % 3 === 0 ? text.repeat(60) : text))
}

/** All that readers of an outline read: its content with short texts, without the unread members. */
function readable(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['choices'])) return body
  const items = body['choices'].map((item) => {
    const isUnread = isObject(item) && typeof item['logprobs'] !== 'string' && 'logprobs' in item
    return shortened(isUnread ? { ...item, logprobs: null } : item)
  })
  return { ...body, choices: items }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 500 ? '.' : value
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [shortened(key), shortened(member)]))
}
