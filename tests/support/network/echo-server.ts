import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Echo {
  readonly fields: readonly (readonly [string, string])[]
  readonly body: string
}

/** A server behind a proxy that answers with what arrived, streams events, and takes WebSockets. */
export interface EchoServer {
  readonly url: string
  /** Lets the second event of open streams go. */
  goOn(): void
  /** Resolves with the first bytes of a body that has not ended. */
  readonly firstBytes: Promise<string>
  stop(): void
}

export async function startEchoServer(): Promise<EchoServer> {
  const first = Promise.withResolvers<string>()
  const waiting = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      await waiting.promise
      return response.end('data: 2\n\n')
    }
    let body = ''
    for await (const piece of request) {
      body += piece
      if (request.url === '/pieces') first.resolve(body)
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ fields: fieldsOf(request), body } satisfies Echo))
  })
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const protocol = request.headers['sec-websocket-protocol']?.split(',')[0]
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write(
      `${[...lines, `Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`].join('\r\n')}\r\n\r\n`,
    )
    // One frame of text, then the end.
    socket.write(Buffer.from([0x81, 2, ...Buffer.from('hi')]))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    goOn: () => waiting.resolve(),
    firstBytes: first.promise,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function fieldsOf({ rawHeaders }: IncomingMessage): Echo['fields'] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  )
}
