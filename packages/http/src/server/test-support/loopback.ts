import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { startDeadline } from '../../../../../scripts/deadline/deadline.mjs'
import type { Application } from '../connection-host.ts'
import { type HttpServer, serveHttp } from '../http-server.ts'
import { textReply } from './call.ts'
import { type ParsedResponse, parseResponses } from './responses.ts'

export interface Loopback extends HttpServer {
  readonly url: string
  /** The faults that the server reported. */
  readonly faults: readonly unknown[]
}

/** A server on the loopback. */
export function listen(
  application: Application,
  settings: { idleMs?: number; port?: number } = {},
): Loopback {
  const faults: unknown[] = []
  const server = serveHttp({
    hostname: '127.0.0.1',
    port: settings.port ?? 0,
    idleMs: settings.idleMs ?? 60_000,
    application,
    refusal: ({ status, message }) => ({ status, headers: {}, body: message }),
    fault(error) {
      faults.push(error)
      return textReply(String(error), 500)
    },
  })
  return { ...server, faults, url: `http://127.0.0.1:${server.port}` }
}

/** A connection to a server, of which everything is kept that comes. */
export class Caller {
  readonly socket: Socket
  /** The server has closed its side: in order, or with a reset. */
  readonly ended: Promise<'end' | 'reset'>
  #isEnded = false
  readonly #pieces: Buffer[] = []
  #size = 0

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay()
    socket.on('data', (bytes: Buffer) => {
      this.#pieces.push(bytes)
      this.#size += bytes.length
    })
    this.ended = new Promise((resolve) => {
      socket.on('error', () => resolve('reset'))
      socket.on('end', () => resolve('end'))
      socket.on('close', () => resolve('reset'))
    })
    void this.ended.then(() => {
      this.#isEnded = true
    })
  }

  /** @param localAddress whom the connection comes from: any of `127.0.0.0/8` */
  static async to({
    port,
    localAddress,
  }: {
    readonly port: number
    readonly localAddress?: string
  }): Promise<Caller> {
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress !== undefined && { localAddress }) })
    await once(socket, 'connect')
    return new Caller(socket)
  }

  get size(): number {
    return this.#size
  }

  /** The server has closed its side. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  get responses(): readonly ParsedResponse[] {
    return parseResponses(this.bytes)
  }

  send(data: string | Uint8Array): void {
    this.socket.write(typeof data === 'string' ? Buffer.from(data, 'latin1') : data)
  }

  /** Waits until so many responses are complete. */
  async received(count: number): Promise<readonly ParsedResponse[]> {
    await eventually(
      () => this.#endsBuffered() && this.responses.filter(({ isComplete }) => isComplete).length >= count,
    )
    return this.responses
  }

  /** The responses, once the server has closed its side. */
  async allResponses(): Promise<readonly ParsedResponse[]> {
    await eventually(() => this.#isEnded)
    return this.responses
  }

  /** Closes the connection, whatever comes. */
  hangUp(): void {
    this.socket.destroy()
  }

  #endsBuffered(): boolean {
    return this.bytes.includes('\r\n\r\n')
  }
}

/** Waits until it is so; throws when it does not become so in a time that a slow machine extends. */
export async function eventually(isSo: () => boolean, milliseconds = 4000): Promise<void> {
  const limit = startDeadline(milliseconds)
  while (!isSo()) {
    if (limit.remainingMs() <= 0) throw new Error(`it is not so within ${milliseconds} ms: ${isSo}`)
    await Bun.sleep(2)
  }
}
