import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { SocksClient } from 'socks'

/** Route of a connection through a SOCKS proxy. */
interface SocksRoute {
  /** `socks5://user:password@host:port` */
  readonly proxy: string
  /** Address of the proxy, used instead of looking its host up. */
  readonly proxyAddress?: string | undefined
  /** Address for the proxy to connect to, instead of looking the host up. */
  readonly targetAddress?: string | undefined
}

/** Offers SOCKS proxies as HTTP proxies, which the runtime's clients support. */
export interface SocksBridge {
  /** The address of a proxy of HTTP, on this host and for this process alone, that goes by the route. */
  proxyFor(route: SocksRoute): Promise<string>
}

const maxHeadBytes = 256 * 1024
const handshakeMs = 10_000
const defaultPort = 1080

/** Creates the bridge; it opens with the first requested route. */
export function createSocksBridge(): SocksBridge {
  const secret = randomBytes(24).toString('hex')
  let opening: Promise<number> | undefined
  return {
    async proxyFor(route) {
      opening ??= listen(secret)
      const user = Buffer.from(JSON.stringify(route)).toString('base64url')
      return `http://${user}:${secret}@127.0.0.1:${await opening}`
    },
  }
}

async function listen(secret: string): Promise<number> {
  const server: Server = createServer((client) => void bridge(client, secret))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', resolve)
  await promise
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the bridge has no port')
  return address.port
}

/** One connection carries one request, or one tunnel. A failure closes it. */
async function bridge(client: Socket, secret: string): Promise<void> {
  client.on('error', () => client.destroy())
  client.setTimeout(handshakeMs, () => client.destroy())
  try {
    const head = await receiveHead(client)
    if (!isAllowed(head.password, secret)) throw new Error('not one of ours')
    // Only this process knows the secret, so the text is its own.
    const route = JSON.parse(Buffer.from(head.user, 'base64url').toString()) as SocksRoute
    const upstream = await open(route, head, client)
    client.setTimeout(0)
    if (head.isTunnel) client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    else upstream.write(head.forwarded)
    join(client, upstream)
  } catch {
    client.destroy()
  }
}

async function receiveHead(client: Socket): Promise<BridgedHead> {
  let received = Buffer.alloc(0)
  for (;;) {
    const end = headEnd(received)
    if (end >= 0) {
      const rest = received.subarray(end)
      if (rest.length > 0) client.unshift(rest)
      return readHead(received.toString('latin1', 0, end))
    }
    if (received.length > maxHeadBytes || client.readableEnded || client.destroyed)
      throw new Error('no request')
    received = Buffer.concat([received, await nextPiece(client)])
  }
}

function nextPiece(client: Socket): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const closed = () => reject(new Error('closed'))
  client.once('close', closed)
  client.once('data', (bytes: Buffer) => {
    client.pause()
    client.off('close', closed)
    resolve(bytes)
  })
  client.resume()
  return promise
}

function isAllowed(credential: string, secret: string): boolean {
  return credential.length === secret.length && timingSafeEqual(Buffer.from(credential), Buffer.from(secret))
}

/** Has the proxy connect, which looks the host up by itself: afterwards the socket is that connection. */
async function open(route: SocksRoute, { host, port }: BridgedHead, client: Socket): Promise<Socket> {
  const proxy = proxyOf(route)
  const socket = connect(proxy)
  client.once('close', () => socket.destroy())
  socket.on('error', () => client.destroy())
  socket.setNoDelay(true)
  await once(socket, 'connect')
  await SocksClient.createConnection({
    proxy: { ...proxy, type: 5 },
    command: 'connect',
    destination: { host: route.targetAddress ?? host, port },
    existing_socket: socket,
    timeout: handshakeMs,
  })
  return socket
}

/** Throws `TypeError` for an invalid address. */
function proxyOf({ proxy, proxyAddress }: SocksRoute) {
  const { hostname, port, username, password } = new URL(proxy)
  return {
    host: proxyAddress ?? hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    ...(username !== '' && { userId: decodeURIComponent(username), password: decodeURIComponent(password) }),
  }
}

/** Pipes both ways, at the pace of the slower end. */
function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream)
  upstream.pipe(client)
  upstream.once('close', () => client.destroy())
}

/** Request of a client to an HTTP proxy. */
interface BridgedHead {
  readonly user: string
  readonly password: string
  readonly host: string
  readonly port: number
  /** Bytes are to pass unread, both ways; otherwise `forwarded` goes first. */
  readonly isTunnel: boolean
  /** The head as the upstream itself is to get it. */
  readonly forwarded: string
}

const end = '\r\n\r\n'

/** Finds the end of the head, its blank line included; -1 while it has none. */
function headEnd(bytes: Buffer): number {
  const at = bytes.indexOf(end)
  return at < 0 ? -1 : at + end.length
}

/** Fields between a client and its proxy. The connection serves one request: it could lead anywhere. */
const ofProxy = /^(?:proxy-[^:]*|connection|keep-alive):/i

/** Throws for an invalid head. */
function readHead(head: string): BridgedHead {
  const [first = '', ...fields] = head.slice(0, -end.length).split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const isTunnel = method === 'CONNECT'
  const url = new URL(isTunnel ? `https://${target}` : target)
  const defaultPortHere = isTunnel ? 443 : 80
  const retained = fields.filter((field) => !ofProxy.test(field))
  const line = `${method} ${url.pathname}${url.search} HTTP/1.1`
  return {
    ...credentialsIn(fields),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPortHere : Number(url.port),
    isTunnel,
    forwarded: [line, ...retained, 'connection: close'].join('\r\n') + end,
  }
}

const authorization = /^proxy-authorization:\s*basic\s+(\S+)/i

function credentialsIn(fields: readonly string[]): Pick<BridgedHead, 'user' | 'password'> {
  const credential = fields.map((field) => authorization.exec(field)?.[1]).find((text) => text !== undefined)
  const [user = '', password = ''] = Buffer.from(credential ?? '', 'base64')
    .toString()
    .split(':')
  return { user, password }
}
