import { connect, createServer, type Socket } from 'node:net'

/** Request of a caller of the proxy: the host by name or address, as it was written. */
export interface SocksRequest {
  readonly host: string
  readonly port: number
}

export interface SocksProxyServer {
  readonly port: number
  readonly requests: readonly SocksRequest[]
  readonly refusedPasswords: number
  stop(): void
}

export interface SocksProxyOptions {
  readonly username: string
  readonly password: string
  /** Targets of names that only the proxy knows. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** A SOCKS5 proxy on loopback that takes one user and one password, and looks names up by itself. */
export async function startSocksProxy(options: SocksProxyOptions): Promise<SocksProxyServer> {
  const requests: SocksRequest[] = []
  const counts = { refused: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.on('close', () => sockets.delete(client))
    serve(client, options, requests, counts).catch(() => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    requests,
    get refusedPasswords() {
      return counts.refused
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function serve(
  client: Socket,
  { username, password, hosts = {} }: SocksProxyOptions,
  requests: SocksRequest[],
  counts: { refused: number },
): Promise<void> {
  const take = taker(client)
  const [, methods = 0] = await take(2)
  if (!(await take(methods)).includes(2)) {
    client.end(Uint8Array.of(5, 255))
    return
  }
  client.write(Uint8Array.of(5, 2))
  await take(1)
  const user = (await take((await take(1))[0] ?? 0)).toString()
  const provided = (await take((await take(1))[0] ?? 0)).toString()
  if (user !== username || provided !== password) {
    counts.refused += 1
    client.end(Uint8Array.of(1, 1))
    return
  }
  client.write(Uint8Array.of(1, 0))
  const kind = (await take(4))[3]
  const host =
    kind === 3
      ? (await take((await take(1))[0] ?? 0)).toString()
      : [...(await take(kind === 4 ? 16 : 4))].join('.')
  const port = (await take(2)).readUInt16BE()
  requests.push({ host, port })
  const upstream = connect({ host: hosts[host] ?? host, port })
  upstream.on('error', () => client.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0)))
  upstream.once('connect', () => {
    client.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0))
    client.pipe(upstream)
    upstream.pipe(client)
  })
  client.once('close', () => upstream.destroy())
}

function taker(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    for (;;) {
      if (bytes === 0) return Buffer.alloc(0)
      const taken = socket.read(bytes) as Buffer | null
      if (taken !== null) return taken
      await new Promise<void>((resolve, reject) => {
        socket.once('readable', resolve)
        socket.once('close', () => reject(new Error('closed')))
      })
    }
  }
}
