import { STATUS_CODES } from 'node:http'
import type { UpgradeHandler } from './upgrade.ts'

/** A response to a request. */
export interface Reply {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly body: string | Uint8Array | StreamedBody | ProtocolUpgrade
  /** Nobody reads the bytes of the body once they are on their way: then their memory is returned. */
  readonly isBodyFreed?: boolean
}

/**
 * Instead of a response: the handler takes the connection over and writes everything that the caller receives. The server
 * sends no status and no headers. Only for a request without a body.
 */
export interface ProtocolUpgrade {
  readonly upgrade: UpgradeHandler
}

/** The server sends a field with a list of values once for each. It sets the fields for the body's framing itself. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>

/** A body that is made while it is sent. */
export interface StreamedBody {
  /** Called once. The head goes out with the first bytes. */
  pipe(sink: BodySink): void
}

/** The destination of a streamed body. Ignores writes once the caller is gone, which the request reports. */
export interface BodySink {
  /** Sends pieces, together. False when the caller does not keep up: then wait with `whenDrained`. */
  write(pieces: readonly Uint8Array[]): boolean
  /** Calls `listener` once everything that was written is on its way. */
  whenDrained(listener: () => void): void
  /** Sends the end of the body. */
  end(last: string): void
  /** Breaks off, so that the caller does not take the received part for the complete body. */
  abort(): void
}

/** Fields of a response about its body and its connection. */
export interface ReplyFraming {
  /** A header line, or nothing. */
  readonly length: string
  /** Value of `Connection`; empty to send none. */
  readonly connection: '' | 'close' | 'keep-alive'
  /** Value of `Date`. */
  readonly date: string
}

/** Characters that a field may contain without ending it. */
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/
const nameForm = /^[\w!#$%&'*+.^`|~-]+$/

/** The head of a response in Latin-1, with the empty line. Throws `TypeError` for what no field can hold. */
export function replyHead({ status, headers }: Reply, { length, connection, date }: ReplyFraming): string {
  let text = statusLine(status)
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') text += fieldLine(name, value)
    else for (const one of value ?? []) text += fieldLine(name, one)
  }
  return `${text}date: ${date}\r\n${length}${connection === '' ? '' : `connection: ${connection}\r\n`}\r\n`
}

const statusLines: (string | undefined)[] = []

function statusLine(status: number): string {
  const known = statusLines[status]
  if (known !== undefined) return known
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  statusLines[status] = line
  return line
}

interface FieldLine {
  value: string
  line: string
}

/** The line of each name that was made last: most fields say the same in every response, and checking a value is dear. */
const cachedLines = new Map<string, FieldLine>()
/** There are few names, and all of them are ours. */
const maxKnownNames = 256
/** Two fields of a response may say the same. */
let latestValue = ''

function fieldLine(name: string, value: string): string {
  const latest = cachedLines.get(name)
  if (latest?.value === value) return latest.line
  const isSendable =
    (latest !== undefined || nameForm.test(name)) && (value === latestValue || valueForm.test(value))
  if (!isSendable) throw new TypeError(`the header ${name} has characters that cannot be sent`)
  latestValue = value
  const line = `${name}: ${value}\r\n`
  if (latest !== undefined) {
    latest.value = value
    latest.line = line
  } else if (cachedLines.size < maxKnownNames) {
    cachedLines.set(name, { value, line })
  }
  return line
}
