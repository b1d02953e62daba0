import {
  type BodyListener,
  type BodyPiece,
  type BufferedBody,
  ConnectionLostError,
  notify,
  readBuffered,
} from '../wire/body.ts'
import { ConnectError, type HttpExchange, type HttpResponse } from './http-message.ts'

/** Sends through the runtime's `fetch`, which knows proxies. Returns redirects like any other response. */
export function fetchExchange(url: string, options: BunFetchRequestInit): HttpExchange {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const sent = fetch(url, { ...options, redirect: 'manual', signal: controller.signal, timeout: false })
  // The runtime does not report how much it sent, unless it failed to connect.
  let isSent = true
  const response = sent.then(
    (fetched) => new FetchedResponse(fetched, abort),
    (cause) => {
      isSent = !isUnconnected(cause)
      return Promise.reject(named(cause))
    },
  )
  return {
    response,
    abort,
    get isSent() {
      return isSent
    },
  }
}

/** The runtime's codes for a missing connection, a missing tunnel through the proxy, or an untrusted certificate. */
const unconnectedCodes =
  /^(?:ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_\w+|DNS_\w+|ENODATA|ESERVFAIL|EPROTO|ERR_PROXY_TUNNEL|ERR_TLS_\w+|\w*CERT\w*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/

function isUnconnected(cause: unknown): boolean {
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' && unconnectedCodes.test(code)
}

/** Translates an error of the runtime into one that this client promises. */
function named(cause: unknown): Error {
  const { code, name } = cause as { code?: unknown; name?: unknown }
  return code === 'ECONNRESET' || code === 'ConnectionClosed' || name === 'AbortError'
    ? new ConnectionLostError('the connection was closed', { cause })
    : new ConnectError('no connection was made', { cause })
}

class FetchedResponse implements HttpResponse {
  readonly #fetched: Response
  readonly #abort: () => void
  #reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> } | undefined

  constructor(fetched: Response, abort: () => void) {
    this.#fetched = fetched
    this.#abort = abort
  }

  get status(): number {
    return this.#fetched.status
  }

  header(name: string): string | null {
    return this.#fetched.headers.get(name)
  }

  headers(): Record<string, string> {
    return Object.fromEntries(this.#fetched.headers)
  }

  async read(): Promise<BodyPiece> {
    const { body } = this.#fetched
    if (body === null) return { done: true }
    this.#reader ??= body.getReader()
    const { value } = await this.#reader.read().catch((error) => Promise.reject(named(error)))
    return value === undefined ? { done: true } : { done: false, value }
  }

  next(listener: BodyListener): void {
    notify(this.read(), listener)
  }

  buffered(limit: number): Promise<BufferedBody> {
    return readBuffered(this, limit, this.#abort)
  }
}
