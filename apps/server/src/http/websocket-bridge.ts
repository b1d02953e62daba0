import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InboundRequest, Reply, UpgradeHandler } from '@tollgate/http/server'
import { WebSocketPipe } from './websocket-pipe.ts'

/** One caller's WebSocket. */
export interface WebSocketPeer {
  /** Bytes that were sent and are not yet on their way. */
  readonly bufferedBytes: number
  /** Sends a text or binary message. False when the caller does not keep up: wait for `drained` before the next. */
  send(message: string | Uint8Array): boolean
  /** Stops reading messages; a few that have arrived already may still be delivered. */
  pause(): void
  resume(): void
  /** @param code one that a close frame may hold */
  close(code?: number, reason?: string): void
}

/** Receives the events of one caller's WebSocket. */
export interface WebSocketListener {
  message(message: string | Uint8Array): void
  drained(): void
  /** @param code 1006 when the caller went without a close frame */
  closed(code: number, reason: string): void
}

/** Called once the handshake is done. */
export type WebSocketHandler = (peer: WebSocketPeer) => WebSocketListener

export interface WebSocketBridgeOptions {
  /** Longest message of a caller. A longer one closes its WebSocket with 1009. */
  readonly maxMessageBytes?: number
  /** Longest silence of a caller, who is pinged before, in seconds. */
  readonly idleSeconds?: number
}

/** State of a WebSocket from its handshake on. */
interface Link {
  readonly handler: WebSocketHandler
  readonly protocol: string | undefined
  /** The connection of the caller, when it is handed over. */
  pipe: WebSocketPipe | undefined
  listener: WebSocketListener | undefined
}

const megabyte = 1024 * 1024
/** Identifies the handshake to the runtime's server. Other users cannot reach its socket, which lies in a private folder. */
const linkHeader = 'x-tollgate-websocket'
const closingCode = 1001

/**
 * Has the runtime's own WebSocket server speak with callers: their connections are piped to it over a Unix socket in a
 * folder that only this user may open.
 */
export function createWebSocketBridge({
  maxMessageBytes = 16 * megabyte,
  idleSeconds = 120,
}: WebSocketBridgeOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-websocket-'))
  chmodSync(folder, 0o700)
  const path = join(folder, 'socket')
  const links = new Map<string, Link>()
  const open = new Set<Bun.ServerWebSocket<Link>>()

  const server = Bun.serve<Link>({
    unix: path,
    fetch(request, inner) {
      const id = request.headers.get(linkHeader) ?? ''
      const link = links.get(id)
      links.delete(id)
      const headers = link?.protocol === undefined ? {} : { 'sec-websocket-protocol': link.protocol }
      if (link !== undefined && inner.upgrade(request, { data: link, headers })) return undefined
      return new Response('This is no WebSocket handshake', { status: 400 })
    },
    websocket: {
      maxPayloadLength: maxMessageBytes,
      idleTimeout: idleSeconds,
      // The runtime drops what does not fit; senders are asked to wait before that.
      backpressureLimit: 2 * maxMessageBytes,
      open(socket) {
        open.add(socket)
        socket.data.listener = socket.data.handler(new Peer(socket))
      },
      message: (socket, message) => socket.data.listener?.message(message),
      drain: (socket) => socket.data.listener?.drained(),
      close(socket, code, reason) {
        open.delete(socket)
        socket.data.listener?.closed(code, reason)
      },
    },
  })

  return {
    /** The Unix socket of the runtime's server. */
    path,
    /**
     * The reply that upgrades a request to a WebSocket; to refuse one, reply with any other. A request that is not a
     * handshake of version 13 gets 426 or 400.
     * @param protocol the accepted one of the caller's subprotocols
     */
    accept(request: InboundRequest, handler: WebSocketHandler, protocol?: string): Reply {
      const refusal = refusalOf(request)
      if (refusal !== undefined) return refusal
      const id = crypto.randomUUID()
      const link: Link = { handler, protocol, pipe: undefined, listener: undefined }
      const upgrade: UpgradeHandler = (connection, received) => {
        links.set(id, link)
        link.pipe = new WebSocketPipe(path, connection, [handshake(request, id), received], () =>
          links.delete(id),
        )
        return link.pipe
      }
      return { status: 101, headers: {}, body: { upgrade } }
    },
    /** Closes all WebSockets, with 1001. */
    async close(): Promise<void> {
      for (const socket of open) socket.close(closingCode, 'going away')
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type WebSocketBridge = ReturnType<typeof createWebSocketBridge>

class Peer implements WebSocketPeer {
  readonly #socket: Bun.ServerWebSocket<Link>

  constructor(socket: Bun.ServerWebSocket<Link>) {
    this.#socket = socket
  }

  get bufferedBytes(): number {
    return this.#socket.getBufferedAmount()
  }

  send(message: string | Uint8Array): boolean {
    return this.#socket.send(message) > 0
  }

  pause(): void {
    this.#socket.data.pipe?.setPaused(true)
  }

  resume(): void {
    this.#socket.data.pipe?.setPaused(false)
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason)
  }
}

/** Refuses a request that cannot become a WebSocket (RFC 6455 §4.2.1). */
function refusalOf({ method, headers }: InboundRequest): Reply | undefined {
  const isHandshake = method === 'GET' && headers.upgrade === 'websocket' && headers.framing === 0
  if (!isHandshake || headers.get('sec-websocket-version') !== '13') {
    return {
      status: 426,
      headers: { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
      body: 'A WebSocket handshake of version 13 is expected here',
    }
  }
  return /^[A-Za-z0-9+/]{22}==$/.test(headers.get('sec-websocket-key') ?? '')
    ? undefined
    : { status: 400, headers: {}, body: 'The WebSocket handshake has no valid key' }
}

/** The handshake as the runtime's server gets it: what it needs of the caller's, and the name of the link. */
function handshake({ headers }: InboundRequest, id: string): Uint8Array {
  const extensions = headers.get('sec-websocket-extensions')
  const lines = [
    'GET / HTTP/1.1',
    'host: localhost',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${headers.get('sec-websocket-key')}`,
    ...(extensions === null ? [] : [`sec-websocket-extensions: ${extensions}`]),
    `${linkHeader}: ${id}`,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
