import { detachedCopy } from '@tollgate/base'
import type { ReadableBody } from '../wire/body.ts'

/** Address of the connections of a target. */
export interface Endpoint {
  readonly secure: boolean
  /** The host as the URL names it, without brackets: what a certificate must be for. */
  readonly hostname: string
  readonly port: number
}

/** Address of requests, with the part of the head that all of them share: prepared once, used by any number of requests. */
export interface HttpTarget {
  readonly endpoint: Endpoint
  /** Scheme, host and port. */
  readonly origin: string
  /** The request head between the method and the fields that frame the body. ASCII. */
  readonly head: string
}

const secureProtocol = 'https:'
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, [secureProtocol]: 443 }
const ascii = /^[\x20-\x7e\t]*$/

/**
 * Prepares a request head. Cheap enough to be made for one request, as signed requests need it.
 * @param headers the platform's `Headers` has refused line breaks in them; fields that frame the request are left out
 * Throws `TypeError` for an invalid URL, or a header that is not ASCII.
 */
export function httpTarget(url: string, headers: Headers): HttpTarget {
  const { protocol, host, hostname, port, pathname, search, origin } = new URL(url)
  const defaultPort = defaultPorts[protocol]
  if (defaultPort === undefined) throw new TypeError('only http and https can be called')
  return {
    endpoint: {
      secure: protocol === secureProtocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? defaultPort : Number(port),
    },
    origin,
    head: detachedCopy(` ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${fieldLines(headers)}`),
  }
}

/** Said by the client itself. */
const framingFields = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
])

function fieldLines(headers: Headers): string {
  let lines = ''
  for (const [name, value] of headers) {
    if (!ascii.test(value)) throw new TypeError(`the header ${name} has characters that cannot be sent`)
    if (!framingFields.has(name)) lines += `${name}: ${value}\r\n`
  }
  return lines
}

/**
 * A body that is made while it is sent. It is pulled no faster than the socket takes it, and by one request only: a piece
 * must not change until the next one is pulled.
 */
export interface StreamedRequestBody {
  readonly source: AsyncIterable<Uint8Array>
  /** Bytes in all; unless it is known, the body is sent in chunks. A source of another length fails the request. */
  readonly length?: number
}

/** A body of known bytes, or one that is made while it is sent. */
export type RequestBody = string | Uint8Array | readonly Uint8Array[] | StreamedRequestBody

/** One request to a target. */
export interface HttpRequest {
  readonly target: HttpTarget
  /** A token in capitals, as `GET`. `CONNECT` is not supported. */
  readonly method: string
  /** Bytes must not change until the response has come. */
  readonly body?: RequestBody | undefined
}

/** Returns whether a body is made while it is sent. */
export function isStreamed(body: RequestBody | undefined): body is StreamedRequestBody {
  return typeof body === 'object' && 'source' in body
}

/** Methods that the client may repeat although the server may have executed them (RFC 9110 §9.2.2). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A response whose head has arrived. The connection closes when the body exceeds the limit of `buffered`. */
export interface HttpResponse extends ReadableBody {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  headers(): Record<string, string>
}

/** A request on its way. */
export interface HttpExchange {
  /** Rejects when no response comes, whatever the reason. */
  readonly response: Promise<HttpResponse>
  /**
   * The server may have executed the request: the client has sent all of it, or cannot know how much of it. Stays true, also
   * when no response comes.
   */
  readonly isSent: boolean
  /** Closes the connection at once, unless the response is complete. Pending reads throw. */
  abort(): void
}

/** Reason why the client could not connect: in each of these cases it has sent nothing of the request. */
export type ConnectFailure = 'timeout' | 'unresolved' | 'refused' | 'unreachable' | 'tls' | 'aborted'

interface ConnectErrorOptions extends ErrorOptions {
  readonly reason?: ConnectFailure
}

/** The client could not connect, or does not trust the certificate. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly reason: ConnectFailure

  constructor(message: string, { reason = 'unreachable', ...options }: ConnectErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}
