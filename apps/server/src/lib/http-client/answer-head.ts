import { MalformedAnswerError } from './http-answer.ts'

/** How the end of a body is known: by its length in bytes, by its chunks, or by the end of the connection. */
export type BodyFraming = number | 'chunked' | 'until-close'

/** Status line and header fields of one answer. */
export interface AnswerHead {
  readonly status: number
  readonly framing: BodyFraming
  /** The connection may serve another request afterwards. */
  readonly keepsAlive: boolean
  /** How long the server says that it keeps an idle connection; `undefined` when it does not say. */
  readonly keepAliveSeconds: number | undefined
  /** How the body is packed, in lower case; `undefined` when it is not. */
  readonly encoding: string | undefined
  /** Every answer is asked for it. */
  readonly contentType: string | null
  /** The head as it came. */
  readonly text: string
}

/** A head that is being read, with what its fields say about the connection and the body. */
class ReadHead implements AnswerHead {
  readonly text: string
  readonly status: number
  length: number | undefined
  chunked = false
  closes: boolean
  keepAliveSeconds: number | undefined
  encoding: string | undefined
  contentType: string | null = null

  constructor(text: string, status: number, closes: boolean) {
    this.text = text
    this.status = status
    this.closes = closes
  }

  /** An interim answer announces nothing about the one that follows it. */
  get framing(): BodyFraming {
    const { status, length } = this
    if (status < 200 || status === 204 || status === 304) return 0
    return this.chunked ? 'chunked' : (length ?? 'until-close')
  }

  get keepsAlive(): boolean {
    return !this.closes && this.framing !== 'until-close'
  }
}

const code = { tab: 0x09, feed: 0x0a, return: 0x0d, space: 0x20, zero: 0x30, nine: 0x39 } as const

/** What the first bytes of every answer are. */
export const versionPrefix = 'HTTP/1.'
const statusAt = versionPrefix.length + 2
const statusEnd = statusAt + 3
const statusCode = /^[1-5]\d\d$/
const digits = /^\d{1,15}$/

/**
 * Reads the head of an answer to a request that asks for a body (neither HEAD nor CONNECT).
 * @param text the head in Latin-1, without the empty line that ends it
 * Throws `MalformedAnswerError` rather than guess: a wrong guess reads one answer's bytes as another's.
 */
export function parseAnswerHead(text: string): AnswerHead {
  const head = new ReadHead(text, statusOf(text), text.charCodeAt(versionPrefix.length) === code.zero)
  for (let at = lineEnd(text, 0); at < text.length; at = readLine(text, at + 2, head));
  return head
}

function statusOf(text: string): number {
  const status = text.slice(statusAt, statusEnd)
  const minor = text.charCodeAt(versionPrefix.length)
  const after = text.charCodeAt(statusEnd)
  const isStatusLine =
    text.startsWith(versionPrefix) &&
    minor >= code.zero &&
    minor <= code.nine &&
    text.charCodeAt(statusAt - 1) === code.space &&
    statusCode.test(status) &&
    (after === code.space || after === code.return || text.length === statusEnd)
  if (isStatusLine && !text.includes('\0')) return Number(status)
  throw new MalformedAnswerError('the answer is not HTTP/1.1')
}

/** Where the line that holds `from` ends: at its line break, or with the text. No other return or feed may be in it. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\r', from)
  const feed = text.indexOf('\n', from)
  if (end === -1 && feed === -1) return text.length
  if (feed === end + 1) return end
  throw new MalformedAnswerError('the answer has a line break that is none')
}

/** Reads the header line at `from`; returns where it ends. */
function readLine(text: string, from: number, head: ReadHead): number {
  const end = lineEnd(text, from)
  const colon = text.indexOf(':', from)
  if (colon <= from || colon >= end || isBlank(text, from) || isBlank(text, colon - 1)) {
    throw new MalformedAnswerError('the answer has a header line that is none')
  }
  const read = readers[colon - from]
  if (read !== undefined)
    read(text.slice(from, colon).toLowerCase(), valueBetween(text, colon + 1, end), head)
  return end
}

/** Without the blanks around it, and those only. */
function valueBetween(text: string, from: number, end: number): string {
  let first = from
  let last = end
  while (first < last && isBlank(text, first)) first += 1
  while (first < last && isBlank(text, last - 1)) last -= 1
  return text.slice(first, last)
}

function isBlank(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit === code.space || unit === code.tab
}

type FieldReader = (name: string, value: string, head: ReadHead) => void

/** The few fields that matter here, by the length of their names: most others need not be looked at. */
const readers: Readonly<Record<number, FieldReader>> = {
  ['connection'.length]: (name, value, head) => {
    if (name === 'connection') readConnection(value, head)
    else if (name === 'keep-alive') readKeepAlive(value, head)
  },
  ['content-type'.length]: (name, value, head) => {
    if (name === 'content-type') head.contentType ??= value
  },
  ['content-length'.length]: (name, value, head) => {
    if (name === 'content-length') readLength(value, head)
  },
  ['content-encoding'.length]: (name, value, head) => {
    if (name === 'content-encoding') readEncoding(value.toLowerCase(), head)
  },
  ['transfer-encoding'.length]: (name, value, head) => {
    if (name === 'transfer-encoding') readTransferEncoding(value.toLowerCase(), head)
  },
}

function readConnection(value: string, head: ReadHead): void {
  if (/(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(value)) head.closes = true
}

function readKeepAlive(value: string, head: ReadHead): void {
  const seconds = /(?:^|[,\s])timeout=(\d{1,9})/i.exec(value)?.[1]
  if (seconds !== undefined) head.keepAliveSeconds = Number(seconds)
}

function readLength(value: string, head: ReadHead): void {
  const length = Number(value)
  if (!digits.test(value) || (head.length !== undefined && head.length !== length)) {
    throw new MalformedAnswerError('the answer announces a length that is none')
  }
  head.length = length
  // With both, whoever is in between may have believed the other: RFC 9112 §6.3 has the connection closed.
  if (head.chunked) head.closes = true
}

function readTransferEncoding(value: string, head: ReadHead): void {
  if (value !== 'chunked' || head.chunked) {
    throw new MalformedAnswerError('the answer comes in a transfer coding that was not asked for')
  }
  head.chunked = true
  if (head.length !== undefined) head.closes = true
}

function readEncoding(value: string, head: ReadHead): void {
  if (value === '' || value === 'identity') return
  head.encoding = head.encoding === undefined ? value : `${head.encoding}, ${value}`
}

/** All header fields of a head, names in lower case; of one that came more than once, its values with commas between. */
export function headersOf({ text }: AnswerHead): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = valueBetween(line, colon + 1, line.length)
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return headers
}
