import { isIP, type Socket } from 'node:net'

/** A proxy that was asked for, as its address says it. */
export interface SocksProxy {
  readonly host: string
  readonly port: number
  /** Empty for none. */
  readonly username: string
  readonly password: string
}

const defaultPort = 1080

/** Reads `socks5://user:password@host:port`. Throws `TypeError` for an invalid address. */
export function socksProxyOf(address: string): SocksProxy {
  const { hostname, port, username, password } = new URL(address)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

/** The proxy refused, or does not speak SOCKS. The message holds no address and no password. */
class SocksError extends Error {
  override readonly name = 'SocksError'
}

const version = 5
const noPassword = 0
const withPassword = 2
const connect = 1
const maxTextBytes = 255

/**
 * Has the proxy connect to a host, which it looks up by itself; afterwards the socket is that connection.
 * https://www.rfc-editor.org/rfc/rfc1928 https://www.rfc-editor.org/rfc/rfc1929
 */
export async function socksHandshake(
  socket: Socket,
  proxy: SocksProxy,
  host: string,
  port: number,
): Promise<void> {
  const reader = new SocketReader(socket)
  try {
    const method = proxy.username === '' ? noPassword : withPassword
    socket.write(Uint8Array.of(version, 1, method))
    const [spoken, chosen] = await reader.take(2)
    if (spoken !== version || chosen !== method)
      throw new SocksError('the proxy takes no such way to sign in')
    if (method === withPassword) await signIn(socket, reader, proxy)
    socket.write(Buffer.concat([Uint8Array.of(version, connect, 0), addressOf(host), portOf(port)]))
    await readReply(reader)
  } finally {
    reader.release()
  }
}

async function signIn(
  socket: Socket,
  reader: SocketReader,
  { username, password }: SocksProxy,
): Promise<void> {
  socket.write(Buffer.concat([Uint8Array.of(1), textOf(username), textOf(password)]))
  const [, status] = await reader.take(2)
  if (status !== 0) throw new SocksError('the proxy refused the user or the password')
}

async function readReply(reader: SocketReader): Promise<void> {
  const [spoken, status, , kind] = await reader.take(4)
  if (spoken !== version || status !== 0) throw new SocksError(`the proxy could not connect (${status})`)
  const [length = 0] = kind === addressKinds.name ? await reader.take(1) : [kind === addressKinds.v6 ? 16 : 4]
  await reader.take(length + 2)
}

const addressKinds = { v4: 1, name: 3, v6: 4 } as const

function addressOf(host: string): Uint8Array {
  const family = isIP(host)
  if (family === 4) return Uint8Array.of(addressKinds.v4, ...host.split('.').map(Number))
  if (family === 6) return Uint8Array.of(addressKinds.v6, ...bytesOfV6(host))
  return Buffer.concat([Uint8Array.of(addressKinds.name), textOf(host)])
}

/** The platform writes an address in groups; what `::` stands for is filled with zeros. */
function bytesOfV6(host: string): readonly number[] {
  const written = new URL(`http://[${host}]`).hostname.slice(1, -1)
  const [head = '', tail] = written.split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...new Array<number>(missing).fill(0), ...last].flatMap((group) => [
    group >> 8,
    group & 255,
  ])
}

function portOf(port: number): Uint8Array {
  return Uint8Array.of(port >> 8, port & 255)
}

function textOf(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (bytes.length > maxTextBytes) throw new SocksError('a name for the proxy is too long')
  return Buffer.concat([Uint8Array.of(bytes.length), bytes])
}

/** Takes so many bytes at a time; what comes too early is given back to the socket. */
class SocketReader {
  readonly #socket: Socket
  #held = Buffer.alloc(0)
  #waiting: (() => void) | undefined
  #failure: SocksError | undefined
  readonly #onData = (bytes: Buffer) => {
    this.#held = Buffer.concat([this.#held, bytes])
    this.#waiting?.()
  }
  readonly #onEnd = () => {
    this.#failure = new SocksError('the proxy closed the connection')
    this.#waiting?.()
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', this.#onData)
    for (const event of ['end', 'close', 'error']) socket.on(event, this.#onEnd)
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) {
      if (this.#failure !== undefined) throw this.#failure
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting = resolve
      await promise
    }
    const taken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return taken
  }

  release(): void {
    this.#socket.pause()
    this.#socket.off('data', this.#onData)
    for (const event of ['end', 'close', 'error']) this.#socket.off(event, this.#onEnd)
    if (this.#held.length > 0) this.#socket.unshift(this.#held)
  }
}
