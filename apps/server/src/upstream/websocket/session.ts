import { type BodyPiece, ConnectionLostError } from '@tollgate/http'
import { ConnectError, type HttpExchange, type HttpResponse } from '@tollgate/http/client'

/** Receives the events of a session. */
export interface SessionListener {
  message(message: string | Uint8Array): void
  /** @param code 1006 when the upstream disconnected without a close frame */
  closed(code: number, reason: string): void
}

const openedStatus = 101
/** Interval of pings; two intervals without any frame from the upstream end the session. */
const pingMs = 30_000
const silentTurns = 2

/**
 * A WebSocket with an upstream, open both ways. It starts as an HTTP exchange: the response has status 101 once the WebSocket
 * is open, or the status of the refusal. The runtime's client cannot stop reading, so listeners get messages as they arrive.
 */
export class WebSocketSession implements HttpExchange {
  readonly response: Promise<HttpResponse>
  readonly #socket: WebSocket
  readonly #started = Promise.withResolvers<HttpResponse>()
  #listener: SessionListener | undefined
  /** Events from before the listener was set. */
  readonly #waiting: ((listener: SessionListener) => void)[] = []
  #turnsSilent = 0
  #ping: ReturnType<typeof setInterval> | undefined

  constructor(target: WebSocketTarget) {
    this.response = this.#started.promise
    this.#socket = connectWebSocket(target)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onopen = () => this.#opened()
    this.#socket.onmessage = ({ data }) => this.#received(data)
    this.#socket.onerror = (event) => this.#failed((event as ErrorEvent).message)
    this.#socket.onclose = ({ code, reason }) => this.#closed(code, reason)
    this.#socket.addEventListener('pong', () => this.#heard())
  }

  /** Opening a session orders no work. */
  get isSent(): boolean {
    return false
  }

  /** Sent bytes that have not left yet. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  listen(listener: SessionListener): void {
    this.#listener = listener
    for (const tell of this.#waiting.splice(0)) tell(listener)
  }

  send(message: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message)
  }

  /** @param code 1000 or 3000 to 4999 */
  close(code: number): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code)
    else this.#socket.terminate()
  }

  abort(): void {
    this.#started.reject(new ConnectionLostError('the connection was closed by us'))
    this.#socket.terminate()
  }

  #opened(): void {
    this.#ping = setInterval(() => this.#takeTurn(), pingMs)
    this.#started.resolve(new Handshake(openedStatus))
  }

  #takeTurn(): void {
    this.#turnsSilent += 1
    if (this.#turnsSilent > silentTurns) this.#socket.terminate()
    else this.#socket.ping()
  }

  #heard(): void {
    this.#turnsSilent = 0
  }

  #received(data: unknown): void {
    this.#heard()
    const message = typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer)
    this.#tell((listener) => listener.message(message))
  }

  /** Fails before it is open. */
  #failed(message: string): void {
    const status = refusedStatus(message)
    if (status === 0) this.#started.reject(new ConnectError('no connection was made', { cause: message }))
    else this.#started.resolve(new Handshake(status))
  }

  #closed(code: number, reason: string): void {
    clearInterval(this.#ping)
    this.#started.reject(new ConnectError('the connection was closed'))
    this.#tell((listener) => listener.closed(code, reason))
  }

  #tell(event: (listener: SessionListener) => void): void {
    if (this.#listener === undefined) this.#waiting.push(event)
    else event(this.#listener)
  }
}

/** The response to a handshake, of which the runtime reports only the status. */
class Handshake implements HttpResponse {
  readonly status: number

  constructor(status: number) {
    this.status = status
  }

  header(): string | null {
    return null
  }

  headers(): Record<string, string> {
    return {}
  }

  async read(): Promise<BodyPiece> {
    return { done: true }
  }

  next(listener: Parameters<HttpResponse['next']>[0]): void {
    listener.ended()
  }

  buffered(): Uint8Array {
    return new Uint8Array()
  }
}

/** The address of a WebSocket, with its route. */
export interface WebSocketTarget extends WebSocketRoute {
  /** ws, wss, http or https. */
  readonly url: string
  readonly headers: Headers
  /** Offered subprotocols; none when absent. */
  readonly protocols?: readonly string[] | undefined
}

export interface WebSocketRoute {
  /** Address to connect to instead of looking the host up; the certificate must still be the host's. */
  readonly address?: string | undefined
  /** http(s) address of a proxy; empty for none. */
  readonly proxy?: string
}

/** Starts to connect. Throws `ConnectError` for an unusable address or proxy. */
export function connectWebSocket({
  url,
  headers,
  address,
  proxy = '',
  protocols = [],
}: WebSocketTarget): WebSocket {
  const target = new URL(url.replace(/^http/i, 'ws'))
  const { host, hostname } = target
  const fields: Record<string, string> = Object.fromEntries(headers)
  const options: Bun.WebSocketOptions = {
    headers: address === undefined ? fields : { ...fields, host },
    // Compressed messages could expand a thousandfold here.
    perMessageDeflate: false,
    ...(protocols.length > 0 && { protocols: [...protocols] }),
    ...(proxy !== '' && { proxy }),
    ...(address !== undefined && isName(hostname) && { tls: { serverName: hostname } }),
  }
  if (address !== undefined) target.hostname = address.includes(':') ? `[${address}]` : address
  try {
    return new WebSocket(target.href, options)
  } catch (cause) {
    throw new ConnectError('no WebSocket can be made', { cause })
  }
}

function isName(hostname: string): boolean {
  return !/^\[|^[\d.]+$/.test(hostname)
}

/** Status of a refused handshake, which the runtime puts into its error's message alone; 0 without a response. */
export function refusedStatus(message: string): number {
  return Number(/101 status code: (\d{3})/.exec(message)?.[1] ?? 0)
}
