import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net'

/** A TCP proxy on a loopback port that can stop forwarding without closing anything, as a frozen host does. */
export interface TcpProxy {
  readonly port: number
  /** Bytes stay where they are, in both directions; new connections are accepted and lead nowhere. */
  stall(): void
  /**
   * Delays what the connections that there are send, as a network does that loses packets: it arrives after `resume`, also of
   * those that were closed meanwhile. New ones are forwarded.
   */
  delay(): void
  /** Forwards again, what was held back first. */
  resume(): void
  /** Breaks every connection. */
  cut(): void
  stop(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly target: Socket
  /** Functions that are to run later, in order. */
  delayed?: (() => void)[] | undefined
}

/** Forwards to a loopback port. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let stalled = false

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    const target = tcpConnect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const pair: Pair = { client, target }
    pairs.add(pair)
    forward(pair)
    if (stalled) hold(pair)
    else release(pair)
  })

  function forward(pair: Pair): void {
    const { client, target } = pair
    const deliver = (action: () => void) => {
      if (pair.delayed === undefined) action()
      else pair.delayed.push(action)
    }
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (bytes) => deliver(() => void to.write(bytes)))
      from.on('end', () => deliver(() => void to.end()))
      from.on('error', () => deliver(() => void to.destroy()))
      from.on('close', () =>
        deliver(() => {
          to.destroySoon()
          pairs.delete(pair)
        }),
      )
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
    delay() {
      for (const pair of pairs) pair.delayed = []
    },
    resume() {
      stalled = false
      for (const pair of pairs) {
        const { delayed = [] } = pair
        pair.delayed = undefined
        for (const arrives of delayed) arrives()
        release(pair)
      }
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
