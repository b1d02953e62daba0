import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Work of a server with one connection. */
export type Script = (connection: ServerSideConnection) => Promise<void> | void

export interface ScriptedServer {
  readonly url: string
  readonly port: number
  /** Connections in the order in which they came. */
  readonly connections: readonly ServerSideConnection[]
  /** Closes it, and whatever is still connected. */
  close(): void
}

/** A server on the loopback that follows the first script on its first connection, …, the last on all others. */
export async function startServer(...scripts: readonly Script[]): Promise<ScriptedServer> {
  const connections: ServerSideConnection[] = []
  const server = createServer((socket) => {
    const script = scripts[Math.min(connections.length, scripts.length - 1)]
    const connection = new ServerSideConnection(socket)
    connections.push(connection)
    void script?.(connection)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    connections,
    close() {
      server.close()
      for (const { socket } of connections) socket.destroy()
    },
  }
}

/** Responds to the first request with the first text, and so on; the last text serves all later requests. */
export function answering(...responses: readonly (string | Buffer)[]): Script {
  return async (connection) => {
    for (let index = 0; ; index += 1) {
      await connection.request()
      connection.socket.write(responses[Math.min(index, responses.length - 1)] ?? '')
    }
  }
}

/** One connection as its server sees it. */
export class ServerSideConnection {
  readonly socket: Socket
  readonly closed: Promise<void>
  /** Complete requests, as received. */
  readonly requests: Buffer[] = []
  #chunks: Buffer[] = []
  #size = 0
  #wanted = 0
  #waiting: ((request: Buffer) => void) | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay()
    // `close` reports it as well.
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => this.#arrived(bytes))
    this.closed = new Promise((resolve) => socket.on('close', () => resolve()))
  }

  /** The next request, once it is complete. */
  request(): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    this.#waiting = resolve
    this.#take()
    return promise
  }

  /** Resolves to whether the connection is closed, or is within a moment. */
  closesSoon(): Promise<boolean> {
    return Promise.race([this.closed.then(() => true), Bun.sleep(300).then(() => false)])
  }

  /** Writes each piece in a turn of its own, so that it also arrives so. */
  async sendPieces(pieces: readonly (string | Buffer)[]): Promise<void> {
    for (const piece of pieces) {
      this.socket.write(piece)
      await Bun.sleep(1)
    }
  }

  #arrived(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#size += bytes.length
    this.#take()
  }

  #take(): void {
    if (this.#waiting === undefined || this.#size < this.#wanted) return
    const bytes = Buffer.concat(this.#chunks)
    this.#wanted = requestLength(bytes)
    if (bytes.length < this.#wanted) return
    const request = bytes.subarray(0, this.#wanted)
    this.#chunks = [bytes.subarray(this.#wanted)]
    this.#size -= this.#wanted
    this.#wanted = 0
    this.requests.push(request)
    const resolve = this.#waiting
    this.#waiting = undefined
    resolve(request)
  }
}

/** Length of the request at the start of `bytes`; one more than their number, while its head is incomplete. */
function requestLength(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return bytes.length + 1
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  return headEnd + 4 + Number(length ?? 0)
}
