import { type BodyFraming, MalformedMessageError } from '../wire/body.ts'
import { fieldReaders, lengthOf, namesOption, readFields, withoutBlanks } from '../wire/fields.ts'
import { type BodySource, IncomingBody } from '../wire/incoming-body.ts'
import type { HttpResponse } from './http-message.ts'

/** Status line and header fields of one response. */
export interface ResponseHead {
  readonly status: number
  readonly framing: BodyFraming
  /** The connection may serve another request afterwards. */
  readonly keepsAlive: boolean
  /** Seconds for which the server says that it keeps an idle connection; `undefined` when it does not say. */
  readonly keepAliveSeconds: number | undefined
  /** Bytes that the body has by its own word; `undefined` without one. */
  readonly length: number | undefined
  /** Content coding of the body, in lower case; `undefined` without one. */
  readonly encoding: string | undefined
  /** Every response is asked for it. */
  readonly contentType: string | null
  /** The head as it came. */
  readonly text: string
}

/** A head that is being read, with what its fields say about the connection and the body. */
class ReadHead implements ResponseHead {
  readonly text: string
  readonly status: number
  length: number | undefined
  chunked = false
  closes = false
  saysKeepAlive = false
  keepAliveSeconds: number | undefined
  readonly #isOld: boolean
  readonly #isForHead: boolean
  encoding: string | undefined
  contentType: string | null = null

  constructor(text: string, method: string | undefined) {
    this.text = text
    this.status = Number(text.slice(statusAt, statusAt + 3))
    this.#isOld = text.charCodeAt(versionPrefix.length) === zero
    this.#isForHead = method === 'HEAD'
  }

  /** An interim response announces nothing about the one that follows it. */
  get framing(): BodyFraming {
    const { status, length } = this
    if (this.#isForHead || status < 200 || status === 204 || status === 304) return 0
    return this.chunked ? 'chunked' : (length ?? 'until-close')
  }

  get keepsAlive(): boolean {
    if (this.closes || this.framing === 'until-close') return false
    // HTTP/1.0 has no chunks: a server that sends them may mean something else.
    return !this.#isOld || (this.saysKeepAlive && !this.chunked)
  }
}

const zero = 0x30
/** The first bytes of every response. */
export const versionPrefix = 'HTTP/1.'
const statusAt = versionPrefix.length + 2
/** Names are tokens with nothing before or behind them; a line contains no CR, LF or NUL. */
const headForm = /^HTTP\/1\.\d [1-5]\d\d(?: [^\r\n\0]*)?(?:\r\n[!-9;-~]+:[^\r\n\0]*)*$/

/**
 * Reads the head of a response.
 * @param text the head in Latin-1, without the empty line that ends it
 * @param method of the request, other than `CONNECT`: a response to `HEAD` has no body, whatever its fields say
 * Throws `MalformedMessageError` rather than guess: a wrong guess reads one response's bytes as another's.
 */
export function parseResponseHead(text: string, method?: string): ResponseHead {
  if (!headForm.test(text)) throw new MalformedMessageError('the answer has a head that is not HTTP/1.1')
  const head = new ReadHead(text, method)
  readFields(text, readers, head)
  return head
}

/** The few fields that matter here. */
const readers = fieldReaders<ReadHead>([
  { name: 'connection', read: readConnection },
  { name: 'keep-alive', read: readKeepAlive },
  {
    name: 'content-type',
    read(value, head) {
      head.contentType ??= value
    },
  },
  { name: 'content-length', read: readLength },
  { name: 'content-encoding', read: readEncoding },
  { name: 'transfer-encoding', read: readTransferEncoding },
])

function readConnection(value: string, head: ReadHead): void {
  if (namesOption(value, 'close')) head.closes = true
  if (namesOption(value, 'keep-alive')) head.saysKeepAlive = true
}

function readKeepAlive(value: string, head: ReadHead): void {
  const seconds = /(?:^|[,\s])timeout=(\d{1,9})/i.exec(value)?.[1]
  if (seconds !== undefined) head.keepAliveSeconds = Number(seconds)
}

function readLength(value: string, head: ReadHead): void {
  const length = lengthOf(value)
  if (length === undefined || (head.length !== undefined && head.length !== length)) {
    throw new MalformedMessageError('the answer announces a length that is none')
  }
  head.length = length
  // With both, a proxy in between may have used the other one: RFC 9112 §6.3 demands that the connection closes.
  if (head.chunked) head.closes = true
}

function readTransferEncoding(value: string, head: ReadHead): void {
  if (value.toLowerCase() !== 'chunked' || head.chunked) {
    throw new MalformedMessageError('the answer comes in a transfer coding that was not asked for')
  }
  head.chunked = true
  if (head.length !== undefined) head.closes = true
}

function readEncoding(value: string, head: ReadHead): void {
  const encoding = value.toLowerCase()
  if (encoding === '' || encoding === 'identity') return
  head.encoding = head.encoding === undefined ? encoding : `${head.encoding}, ${encoding}`
}

/** All header fields of a head, names in lower case; of one that came more than once, its values with commas between. */
export function headersOf({ text }: ResponseHead): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = withoutBlanks(line, colon + 1, line.length)
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return headers
}

/** A response that is fed by its connection. */
export class IncomingResponse extends IncomingBody implements HttpResponse {
  readonly #head: ResponseHead

  constructor(head: ResponseHead, source: BodySource) {
    super(head.framing, source)
    this.#head = head
  }

  get status(): number {
    return this.#head.status
  }

  /** Fields that every response is asked for are read with the head; the others need all of it. */
  header(name: string): string | null {
    const { contentType, length, encoding } = this.#head
    if (name === 'content-type') return contentType
    if (name === 'content-length') return length === undefined ? null : String(length)
    if (name === 'content-encoding') return encoding ?? null
    return headersOf(this.#head).get(name) ?? null
  }

  headers(): Record<string, string> {
    return Object.fromEntries(headersOf(this.#head))
  }
}
