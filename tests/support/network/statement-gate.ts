import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net'

/** A proxy before a PostgreSQL server that lets no statement of one kind pass, or no response to it. */
export interface StatementGate {
  /** The server's address, through the proxy. */
  readonly url: string
  /** Resolves when the statement was held, or the server has responded to it. */
  readonly reached: Promise<void>
  stop(): Promise<void>
}

/** Side of a statement that never arrives: the server does not get it, or the client never hears of what the server did. */
export type Withheld = 'statement' | 'response'

/**
 * @param url of a server on loopback, without encryption
 * @param statements what the bytes of statements of one connection have in them, in this order; the last one is held
 */
export async function gateStatement(
  url: string,
  statements: readonly string[],
  withheld: Withheld,
): Promise<StatementGate> {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const target = tcpConnect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    const awaited = [...statements]
    const isHeld = () => awaited.length === 0
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('data', (bytes) => {
      if (awaited[0] !== undefined && bytes.includes(awaited[0])) awaited.shift()
      if (!isHeld() || withheld === 'response') target.write(bytes)
      else reach()
    })
    target.on('data', (bytes) => {
      if (!isHeld()) client.write(bytes)
      else reach()
    })
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
    client.resume()
  })
  await new Promise<void>((ready, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', ready)
  })
  const proxied = new URL(url)
  proxied.port = String((server.address() as AddressInfo).port)
  return {
    url: proxied.href,
    reached,
    async stop() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
