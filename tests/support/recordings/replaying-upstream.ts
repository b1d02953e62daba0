import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type ReceivedCall, receiveCall } from '../protocols/protocol.ts'
import { write } from '../upstream/sending.ts'

/** Next response, to any request. */
export interface Replayed {
  readonly status: number
  readonly contentType: string
  /** The head says how long the body is; otherwise it comes in chunks. */
  readonly isAnnounced?: boolean
  /** Each goes over the wire on its own. */
  readonly pieces: readonly Buffer[]
}

/** An upstream that responds with recorded bytes over a socket. */
export interface ReplayingUpstream {
  readonly url: string
  /** The calls since the response was last set. */
  readonly calls: readonly ReceivedCall[]
  replies(replayed: Replayed): void
  stop(): Promise<void>
}

export async function startReplayingUpstream(): Promise<ReplayingUpstream> {
  const calls: ReceivedCall[] = []
  const sockets = new Set<Socket>()
  let next: Replayed = { status: 500, contentType: 'text/plain', pieces: [] }
  const server = createServer(async (request, response) => {
    const reply = next
    calls.push(await receiveCall(request))
    await send(response, reply)
  })
  server.on('connection', (socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    replies(replayed) {
      calls.length = 0
      next = replayed
    },
    async stop() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function send(
  response: ServerResponse,
  { status, contentType, isAnnounced = false, pieces }: Replayed,
): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const framing = isAnnounced ? { 'content-length': length } : {}
  response.writeHead(status, { 'content-type': contentType, ...framing })
  for (const piece of pieces) {
    if (response.destroyed) return
    await write(response, piece)
    // The other side gets to read before the next piece is there.
    await new Promise((turn) => setImmediate(turn))
  }
  response.end()
}
