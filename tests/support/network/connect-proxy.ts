import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface ConnectProxyServer {
  readonly port: number
  /** Targets of the tunnels, as `host:port`. */
  readonly requests: readonly string[]
  readonly refusedPasswords: number
  stop(): void
}

export interface ConnectProxyOptions {
  readonly username: string
  readonly password: string
  /** Targets of names that only the proxy knows. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** An HTTP proxy on loopback that makes tunnels for one user and one password, and nothing else. */
export async function startConnectProxy(options: ConnectProxyOptions): Promise<ConnectProxyServer> {
  const { username, password, hosts = {} } = options
  const expected = `Basic ${btoa(`${username}:${password}`)}`
  const requests: string[] = []
  const counts = { refused: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((_, response) => void response.writeHead(405).end())
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    client.on('error', () => client.destroy())
    if (headers['proxy-authorization'] !== expected) {
      counts.refused += 1
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n',
      )
      return
    }
    requests.push(url)
    const [host = '', port] = url.split(':')
    const upstream = connect({ host: hosts[host] ?? host, port: Number(port) })
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'))
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream)
      upstream.pipe(client)
    })
    client.once('close', () => upstream.destroy())
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
