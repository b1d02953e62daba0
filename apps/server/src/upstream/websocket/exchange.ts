import { type BodyListener, type BodyPiece, ConnectionLostError, notify, readBuffered } from '@tollgate/http'
import { ConnectError, type HttpExchange, type HttpResponse } from '@tollgate/http/client'
import { connectWebSocket, refusedStatus, type WebSocketTarget } from './session.ts'

/** A request to an upstream that responds over a WebSocket. */
export interface WebSocketRequest extends WebSocketTarget {
  /** Sent as the first message once the connection is open. */
  readonly body: string | Uint8Array
  /** Recognises the last message of a response; the connection closes then. */
  readonly isLast: (message: string) => boolean
  /** Most bytes of unread messages; the connection closes when they have more. */
  readonly maxWaitingBytes?: number
}

/** The runtime's client cannot stop reading, so unread messages have a bound. */
const defaultMaxWaitingBytes = 8 * 1024 * 1024
const normalClosures: ReadonlySet<number> = new Set([1000, 1005])

/**
 * Makes one call over a WebSocket of its own look like an HTTP exchange: the response has status 200, and its body has a line
 * for each message, until the last message or a normal closure; any other closure breaks it off. A refused handshake becomes
 * a response with its status and an empty body.
 * Throws `ConnectError` for an address or a proxy that cannot be used.
 */
export function webSocketExchange(request: WebSocketRequest): HttpExchange {
  return new WebSocketExchange(request)
}

class WebSocketExchange implements HttpExchange {
  readonly response: Promise<HttpResponse>
  readonly #socket: WebSocket
  readonly #lines: LineQueue
  #settled = Promise.withResolvers<HttpResponse>()
  #isOpen = false

  /** Tells that the request is sent: it is the first message, which leaves as soon as the connection is open. */
  get isSent(): boolean {
    return this.#isOpen
  }

  constructor(request: WebSocketRequest) {
    this.response = this.#settled.promise
    const limit = request.maxWaitingBytes ?? defaultMaxWaitingBytes
    this.#lines = new LineQueue(limit)
    this.#socket = connectWebSocket(request)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onopen = () => this.#opened(request.body)
    this.#socket.onmessage = ({ data }) => this.#received(textOf(data), request.isLast)
    this.#socket.onerror = (event) => this.#failed((event as ErrorEvent).message)
    this.#socket.onclose = ({ code }) => this.#closed(code)
  }

  abort(): void {
    this.#lines.fail(new ConnectionLostError('the connection was closed by us'))
    this.#settled.reject(new ConnectionLostError('the connection was closed by us'))
    this.#socket.terminate()
  }

  #opened(body: string | Uint8Array): void {
    this.#isOpen = true
    this.#socket.send(body)
    this.#settled.resolve(new WebSocketResponse(200, this.#lines, () => this.abort()))
  }

  #received(message: string, isLast: WebSocketRequest['isLast']): void {
    if (!this.#lines.push(message)) this.#socket.terminate()
    if (!isLast(message)) return
    this.#lines.end()
    this.#socket.close(1000)
  }

  /** Fails before the connection is open. */
  #failed(message: string): void {
    if (this.#isOpen) return
    const status = refusedStatus(message)
    if (status === 0) this.#settled.reject(new ConnectError('no connection was made', { cause: message }))
    else {
      this.#lines.end()
      this.#settled.resolve(new WebSocketResponse(status, this.#lines, () => this.abort()))
    }
  }

  #closed(code: number): void {
    if (normalClosures.has(code)) this.#lines.end()
    else this.#lines.fail(new ConnectionLostError(`the WebSocket was closed with code ${code}`))
    this.#settled.reject(new ConnectError('the connection was closed'))
  }
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer)
}

class WebSocketResponse implements HttpResponse {
  readonly status: number
  readonly #lines: LineQueue
  readonly #abort: () => void

  constructor(status: number, lines: LineQueue, abort: () => void) {
    this.status = status
    this.#lines = lines
    this.#abort = abort
  }

  header(name: string): string | null {
    return name === 'content-type' ? 'application/x-ndjson' : null
  }

  headers(): Record<string, string> {
    return { 'content-type': 'application/x-ndjson' }
  }

  read(): Promise<BodyPiece> {
    return this.#lines.read()
  }

  next(listener: BodyListener): void {
    notify(this.read(), listener)
  }

  buffered(limit: number) {
    return readBuffered(this, limit, this.#abort)
  }
}

const encoder = new TextEncoder()

/** Unread messages, as lines, and how the connection ended. */
class LineQueue {
  readonly #maxBytes: number
  #lines: Uint8Array[] = []
  #bytes = 0
  #end: { readonly error?: Error } | undefined
  #reader: ReturnType<typeof Promise.withResolvers<BodyPiece>> | undefined

  /** @param maxBytes most bytes that may wait */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Adds a message without its line breaks: between JSON tokens they have no meaning, and inside texts JSON escapes them.
   * @returns false beyond the bound: reading then fails after the waiting messages
   */
  push(message: string): boolean {
    if (this.#end !== undefined) return true
    const line = encoder.encode(`${message.replace(/[\r\n]+/g, ' ')}\n`)
    this.#lines.push(line)
    this.#bytes += line.length
    this.#serve()
    if (this.#bytes <= this.#maxBytes) return true
    this.fail(new ConnectionLostError('messages came faster than they were read'))
    return false
  }

  /** Ends the queue; only the first call counts. */
  end(): void {
    this.#end ??= {}
    this.#serve()
  }

  fail(error: Error): void {
    this.#end ??= { error }
    this.#serve()
  }

  /** Resolves with all waiting messages in one piece, and then with the end. */
  read(): Promise<BodyPiece> {
    this.#reader = Promise.withResolvers()
    const { promise } = this.#reader
    this.#serve()
    return promise
  }

  #serve(): void {
    const reader = this.#reader
    if (reader === undefined || (this.#lines.length === 0 && this.#end === undefined)) return
    this.#reader = undefined
    if (this.#lines.length > 0) reader.resolve({ done: false, value: this.#take() })
    else if (this.#end?.error === undefined) reader.resolve({ done: true })
    else reader.reject(this.#end.error)
  }

  #take(): Uint8Array {
    const all = Buffer.concat(this.#lines, this.#bytes)
    this.#lines = []
    this.#bytes = 0
    return all
  }
}
