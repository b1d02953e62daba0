import type { Clock } from '@tollgate/base'
import { detachedCopy, getOrInsert } from '@tollgate/base'
import { ConnectionLostError } from '../wire/body.ts'
import type { AnswerHead } from './answer-head.ts'
import type { Connection, WaitingRequest } from './connection.ts'
import type { Dialling, Endpoint } from './dial.ts'
import type { HttpAnswer, HttpExchange } from './http-answer.ts'
import type { IncomingAnswer } from './incoming-answer.ts'
import { Origin } from './origin.ts'
import { unpack } from './unpacked-answer.ts'

/** Where requests go and what is the same in all of them; made once, sent often. */
export interface HttpTarget {
  readonly endpoint: Omit<Endpoint, 'address'>
  /** Scheme, host and port. */
  readonly origin: string
  /** The head's beginning, which other targets may have in common. ASCII. */
  readonly sharedHead: string
  /** What follows it, up to the value of `Content-Length`. ASCII. */
  readonly ownHead: string
}

/** Posts over kept connections of its own. Redirects are answers like any other. */
export interface HttpClient {
  /** @param address where to connect instead of looking the host up; the certificate must still be the host's */
  post(target: HttpTarget, body: string, address?: string): HttpExchange
  close(): void
}

const secureProtocol = 'https:'
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, [secureProtocol]: 443 }
const noHeaders = new Headers()
const ascii = /^[\x20-\x7e\t]*$/

/**
 * A request head up to the length of its body.
 * @param own the platform's `Headers` has refused line breaks in them
 * @param shared headers of other targets, too; one that is among the own ones is left out
 * Throws `TypeError` for a URL that is none, or a header that is not ASCII.
 */
export function httpTarget(url: string, own: Headers, shared: Headers = noHeaders): HttpTarget {
  const { protocol, host, hostname, port, pathname, search, origin } = new URL(url)
  const defaultPort = defaultPorts[protocol]
  if (defaultPort === undefined) throw new TypeError('only http and https can be called')
  const common = linesOf([...shared].filter(([name]) => !own.has(name)))
  return {
    endpoint: {
      secure: protocol === secureProtocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? defaultPort : Number(port),
    },
    origin,
    sharedHead: detachedCopy(`POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${common}`),
    ownHead: detachedCopy(`${linesOf(own)}content-length: `),
  }
}

/** What says how the request itself is framed is ours to say. */
const framing = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

function linesOf(headers: Iterable<readonly [string, string]>): string {
  let lines = ''
  for (const [name, value] of headers) {
    if (!ascii.test(value)) throw new TypeError(`the header ${name} has characters that cannot be sent`)
    if (!framing.has(name)) lines += `${name}: ${value}\r\n`
  }
  return lines
}

const sweepMs = 5000

export function createHttpClient(clock: Clock): HttpClient {
  const origins = new Map<string, Origin>()

  function originOf({ origin, endpoint }: HttpTarget, address: string | undefined): Origin {
    const key = address === undefined ? origin : `${origin} ${address}`
    return getOrInsert(origins, key, () => new Origin({ ...endpoint, address }, clock))
  }

  function sweep(): void {
    const now = clock.now()
    for (const [key, origin] of origins) {
      if (origin.isUnused) origins.delete(key)
      else origin.closeIdle(now)
    }
  }

  const timer = setInterval(sweep, sweepMs)
  timer.unref()

  return {
    post: (target, body, address) => new PendingExchange(target, body, originOf(target, address)),
    close() {
      clearInterval(timer)
      for (const origin of origins.values()) origin.close()
    },
  }
}

/**
 * A server that closes an idle connection does so without looking; one that is silent for longer and then closes may
 * have been at work on the request.
 */
const staleMs = 1000

class PendingExchange implements HttpExchange, WaitingRequest {
  readonly answer: Promise<HttpAnswer>
  readonly target: HttpTarget
  readonly body: string
  readonly #origin: Origin
  readonly #resolve: (answer: HttpAnswer) => void
  readonly #reject: (error: unknown) => void
  #dialling: Dialling | undefined
  #connection: Connection | undefined
  #sentAt = 0

  constructor(target: HttpTarget, body: string, origin: Origin) {
    this.target = target
    this.body = body
    this.#origin = origin
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
    this.answer = promise
    this.#resolve = resolve
    this.#reject = reject
    const idle = origin.takeIdle()
    if (idle === undefined) this.#dial()
    else this.#sendOver(idle)
  }

  answered(answer: IncomingAnswer, { encoding, framing }: AnswerHead): void {
    const isPacked = encoding !== undefined && framing !== 0
    this.#resolve(isPacked ? unpack(answer, encoding, () => this.abort()) : answer)
  }

  failed(error: Error): void {
    this.#reject(error)
  }

  foundStale(error: Error): void {
    if (this.#origin.clock.now() - this.#sentAt > staleMs) this.#reject(error)
    else this.#dial()
  }

  abort(): void {
    this.#dialling?.cancel()
    this.#connection?.abort(this)
    this.#reject(new ConnectionLostError('the exchange was given up'))
  }

  #dial(): void {
    this.#connection = undefined
    this.#dialling = this.#origin.open()
    this.#dialling.connection.then((connection) => this.#sendOver(connection), this.#reject)
  }

  #sendOver(connection: Connection): void {
    this.#dialling = undefined
    this.#connection = connection
    this.#sentAt = this.#origin.clock.now()
    connection.send(this)
  }
}
