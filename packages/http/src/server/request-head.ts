import {
  type FieldPositions,
  fieldReaders,
  fieldValue,
  lengthOf,
  namesOption,
  readFields,
  withoutBlanks,
} from '../wire/fields.ts'

/** Header fields by name, as the platform's `Headers` has them; names in lower case. */
export interface HeaderFields {
  /** Returns the value of a field; of one that came more than once, its values with commas between. */
  get(name: string): string | null
}

/** A request that is not HTTP/1.1 as RFC 9112 has it, or goes past a limit. Its connection ends with the response. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError'
  readonly status: 400 | 408 | 431 | 503 | 505

  /** @param message for the sender */
  constructor(status: RefusedRequestError['status'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** The refusal for a request that cannot be read. */
export function refusalOf(error: unknown): RefusedRequestError {
  if (error instanceof RefusedRequestError) return error
  return new RefusedRequestError(400, 'The request body is not valid chunked data', { cause: error })
}

/** Request line and header fields, with what they say about the connection and the body. */
export class RequestHead implements HeaderFields {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** HTTP/1.0: knows no chunks, and its connection ends with the response unless it says otherwise. */
  readonly isOld: boolean
  length: number | undefined
  chunked = false
  /** A `Connection` field said so. */
  saysClose = false
  saysKeepAlive = false
  saysUpgrade = false
  expectsContinue = false
  host: string | undefined
  readonly #text: string
  readonly #positions: FieldPositions = []

  constructor(text: string, method: string, target: string, isOld: boolean) {
    this.#text = text
    this.method = method
    this.target = target
    this.isOld = isOld
    readFields(text, readers, this, this.#positions)
  }

  /** The connection ends with the response. */
  get closes(): boolean {
    return this.saysClose || (this.isOld && !this.saysKeepAlive)
  }

  /** The protocol that the caller asks to go on with, in lower case (RFC 9110 §7.8). */
  get upgrade(): string | undefined {
    return this.saysUpgrade && !this.isOld ? this.get('upgrade')?.toLowerCase() : undefined
  }

  get framing(): number | 'chunked' {
    return this.chunked ? 'chunked' : (this.length ?? 0)
  }

  get(name: string): string | null {
    return fieldValue(this.#text, this.#positions, name)
  }

  /** All fields in their order, names in lower case. */
  *entries(): Iterable<[name: string, value: string]> {
    const positions = this.#positions
    for (let position = 0; position < positions.length; position += 3) {
      const [start = 0, colon = 0, end = 0] = positions.slice(position, position + 3)
      yield [this.#text.slice(start, colon).toLowerCase(), withoutBlanks(this.#text, colon + 1, end)]
    }
  }
}

/** Names are tokens with nothing before or behind them; a line contains no control character. */
const headForm =
  /^[\w!#$%&'*+.^`|~-]{1,64} [!-~\x80-\xff]+ HTTP\/1\.\d(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*)*$/
const otherVersion = /^\S+ \S+ HTTP\/(?!1\.)\d/
const oldVersion = 'HTTP/1.0'
const hostForm = /^(?:[\w.~%!$&'()*+,;=-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i
const absoluteTarget = /^https?:\/\/[^/?#]+/i

/**
 * Reads the head of a request.
 * @param text the head in Latin-1, without the empty line that ends it
 * Throws `RefusedRequestError` rather than guess: a proxy between us and the caller may guess otherwise, and then one
 * caller's bytes become another's request.
 */
export function parseRequestHead(text: string): RequestHead {
  if (!headForm.test(text)) throw refusedForm(text)
  const methodEnd = text.indexOf(' ')
  const targetEnd = text.indexOf(' ', methodEnd + 1)
  const head = new RequestHead(
    text,
    text.slice(0, methodEnd),
    originForm(text.slice(methodEnd + 1, targetEnd)),
    text.startsWith(oldVersion, targetEnd + 1),
  )
  if (head.host === undefined && !head.isOld) throw malformed('The request names no host')
  if (head.chunked && (head.isOld || head.length !== undefined)) throw malformed(unclearLength)
  return head
}

function malformed(message: string): RefusedRequestError {
  return new RefusedRequestError(400, message)
}

function refusedForm(text: string): RefusedRequestError {
  return otherVersion.test(text)
    ? new RefusedRequestError(505, 'Only HTTP/1.1 is spoken here')
    : malformed('The request is not HTTP/1.1')
}

/** Clients that treat the server as a proxy send the complete URL. */
function originForm(target: string): string {
  const path = target.startsWith('/') ? target : pathOfAbsolute(target)
  return isAscii.test(path) ? path : Buffer.from(path, 'latin1').toString('utf8')
}

const isAscii = /^[!-~]*$/

function pathOfAbsolute(target: string): string {
  const origin = absoluteTarget.exec(target)?.[0]
  if (origin === undefined) throw malformed('The request has no path')
  const path = target.slice(origin.length)
  return path.startsWith('/') ? path : `/${path}`
}

const unclearLength = 'The length of the request body is unclear'

/** The few fields that matter here. */
const readers = fieldReaders<RequestHead>([
  {
    name: 'host',
    read(value, head) {
      if (head.host !== undefined || !hostForm.test(value)) throw malformed('The Host header is not a host')
      head.host = value
    },
  },
  {
    name: 'connection',
    read(value, head) {
      if (namesOption(value, 'close')) head.saysClose = true
      if (namesOption(value, 'keep-alive')) head.saysKeepAlive = true
      if (namesOption(value, 'upgrade')) head.saysUpgrade = true
    },
  },
  {
    name: 'content-length',
    read(value, head) {
      const length = lengthOf(value)
      if (length === undefined || head.length !== undefined) throw malformed(unclearLength)
      head.length = length
    },
  },
  {
    name: 'transfer-encoding',
    read(value, head) {
      if (value.toLowerCase() !== 'chunked' || head.chunked) throw malformed(unclearLength)
      head.chunked = true
    },
  },
  {
    name: 'expect',
    read(value, head) {
      if (value.toLowerCase() === '100-continue' && !head.isOld) head.expectsContinue = true
    },
  },
])
