import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net'

/** A TCP proxy on a loopback port that can stop forwarding without closing anything, as a frozen host does. */
export interface TcpProxy {
  readonly port: number
  /** Bytes stay where they are, in both directions; new connections are accepted and lead nowhere. */
  stall(): void
  /** Forwards again, what was held back first. */
  resume(): void
  /** Breaks every connection. */
  cut(): void
  stop(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly target: Socket
}

/** Forwards to a loopback port. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let stalled = false

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    const target = tcpConnect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const pair = { client, target }
    pairs.add(pair)
    forward(pair)
    if (stalled) hold(pair)
    else release(pair)
  })

  function forward({ client, target }: Pair): void {
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes))
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        to.destroy()
        for (const pair of pairs) if (pair.client === from || pair.target === from) pairs.delete(pair)
      })
    }
  }

  await new Promise<void>((ready, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', ready)
  })
  const cut = () => {
    for (const { client, target } of pairs) {
      client.destroy()
      target.destroy()
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      stalled = true
      for (const pair of pairs) hold(pair)
    },
    resume() {
      stalled = false
      for (const pair of pairs) release(pair)
    },
    cut,
    async stop() {
      const closed = new Promise((done) => server.close(done))
      cut()
      await closed
    },
  }
}

function hold({ client, target }: Pair): void {
  client.pause()
  target.pause()
}

function release({ client, target }: Pair): void {
  client.resume()
  target.resume()
}
