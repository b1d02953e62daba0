import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type HttpServer, serveHttp } from '@tollgate/http/server'
import { until } from '../../../../tests/support/until.ts'
import {
  createWebSocketBridge,
  type WebSocketBridge,
  type WebSocketHandler,
  type WebSocketPeer,
} from './websocket-bridge.ts'

const megabyte = 1024 * 1024
let bridge: WebSocketBridge
let server: HttpServer
let handler: WebSocketHandler

/** Sends every message back. */
const echo: WebSocketHandler = (peer) => ({
  message: (message) => void peer.send(message),
  drained() {},
  closed() {},
})

beforeEach(() => {
  handler = echo
  bridge = createWebSocketBridge({ maxMessageBytes: 4 * megabyte })
  server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    idleMs: 60_000,
    application: async (request) =>
      request.target === '/refused'
        ? { status: 401, headers: {}, body: 'no key' }
        : bridge.accept(
            request,
            (peer) => handler(peer),
            request.target === '/spoken' ? 'realtime' : undefined,
          ),
    refusal: ({ status, message }) => ({ status, headers: {}, body: message }),
    fault: (error) => ({ status: 500, headers: {}, body: String(error) }),
  })
})
afterEach(async () => {
  server.cut()
  await bridge.close()
  await server.stop()
})

interface Closing {
  readonly code: number
  readonly reason: string
}

/** A caller, once its WebSocket is open. */
async function open(path = '/', protocols: string[] = []) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols)
  socket.binaryType = 'arraybuffer'
  const closing = new Promise<Closing>((resolve) => {
    socket.onclose = ({ code, reason }) => resolve({ code, reason })
  })
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const next = () =>
    new Promise<unknown>((resolve) => {
      socket.onmessage = ({ data }) => resolve(data)
    })
  return { socket, closing, next }
}

/** A bare connection to the server. */
function connectTo(data: (bytes: Buffer) => void): Promise<Bun.Socket> {
  const socket = { binaryType: 'buffer', data: (_: Bun.Socket, bytes: Buffer) => data(bytes) } as const
  return Bun.connect({ hostname: '127.0.0.1', port: server.port, socket })
}

/** A handshake with the key of RFC 6455 §1.3. */
const handshakeText = [
  'GET / HTTP/1.1',
  'Host: a',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n')

const eventually = (isSo: () => boolean) => until(() => (isSo() ? true : undefined))

describe('a WebSocket', () => {
  it('carries text and bytes both ways', async () => {
    const { socket, next } = await open()
    for (const text of ['hello', '', '日本 😀']) {
      const echoed = next()
      socket.send(text)
      expect(await echoed).toBe(text)
    }
    const echoed = next()
    socket.send(new Uint8Array([0, 255, 10, 13]))
    expect([...new Uint8Array((await echoed) as ArrayBuffer)]).toEqual([0, 255, 10, 13])
    socket.close()
  })

  it('carries messages of a megabyte, many at once and in order', async () => {
    const { socket } = await open()
    const hashes: unknown[] = []
    socket.onmessage = ({ data }) => hashes.push(Bun.hash(data as ArrayBuffer))
    const messages = Array.from({ length: 8 }, (_, index) => new Uint8Array(megabyte).fill(index))
    for (const message of messages) socket.send(message)
    await eventually(() => hashes.length === messages.length)
    expect(hashes).toEqual(messages.map((message) => Bun.hash(message)))
    socket.close()
  })

  it('carries what the caller sent together with its handshake', async () => {
    const texts: unknown[] = []
    handler = () => ({ message: (message) => void texts.push(message), drained() {}, closed() {} })
    // A masked text frame, its mask all zeros.
    const frame = Buffer.concat([Buffer.from([0x81, 0x85, 0, 0, 0, 0]), Buffer.from('early')])
    let received = ''
    const socket = await connectTo((bytes) => {
      received += bytes
    })
    socket.write(Buffer.concat([Buffer.from(handshakeText), frame]))
    await eventually(() => texts.length > 0 && received !== '')
    expect(texts).toEqual(['early'])
    expect(received).toStartWith('HTTP/1.1 101 ')
    expect(received).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
    socket.terminate()
  })

  it('answers pings', async () => {
    const { socket } = await open()
    const pong = new Promise<void>((resolve) => socket.addEventListener('pong' as 'message', () => resolve()))
    ;(socket as unknown as { ping(): void }).ping()
    await pong
    socket.close()
  })

  it('speaks the subprotocol that was chosen', async () => {
    const { socket } = await open('/spoken', ['other', 'realtime'])
    expect(socket.protocol).toBe('realtime')
    socket.close()
  })

  it('reports how the caller closed it', async () => {
    const closed = Promise.withResolvers<Closing>()
    handler = () => ({
      message() {},
      drained() {},
      closed: (code, reason) => closed.resolve({ code, reason }),
    })
    const { socket } = await open()
    socket.close(4001, 'enough')
    expect(await closed.promise).toEqual({ code: 4001, reason: 'enough' })
  })

  it('sends the caller the code and reason of its close', async () => {
    handler = (peer) => ({ message: () => peer.close(4002, 'no money'), drained() {}, closed() {} })
    const { socket, closing } = await open()
    socket.send('x')
    expect(await closing).toEqual({ code: 4002, reason: 'no money' })
  })

  it('reports a caller that disconnects without a close frame', async () => {
    const closed = Promise.withResolvers<number>()
    handler = () => ({ message() {}, drained() {}, closed: closed.resolve })
    const { socket } = await open()
    ;(socket as unknown as { terminate(): void }).terminate()
    expect(await closed.promise).toBe(1006)
  })

  it('is closed with 1009 by a message that is too long', async () => {
    const { socket, closing } = await open()
    socket.send(new Uint8Array(5 * megabyte))
    expect([1006, 1009]).toContain((await closing).code)
  })

  it('is closed with 1001 when the bridge is', async () => {
    const { closing } = await open()
    await bridge.close()
    expect((await closing).code).toBe(1001)
    bridge = createWebSocketBridge()
  })

  it('says when the caller does not keep up, and when it does again', async () => {
    let peer: WebSocketPeer | undefined
    let drains = 0
    handler = (opened) => {
      peer = opened
      return {
        message() {},
        drained: () => {
          drains += 1
        },
        closed() {},
      }
    }
    // A caller that stops reading its socket: the runtime's own client cannot.
    let bytes = 0
    const caller = await connectTo((piece) => {
      bytes += piece.length
    })
    caller.write(handshakeText)
    await eventually(() => peer !== undefined && bytes > 0)
    caller.pause()
    const message = new Uint8Array(megabyte)
    let sent = 0
    while (sent < 200 && peer?.send(message) === true) {
      sent += 1
      await Bun.sleep(1)
    }
    // What the system and both ends hold, and no more.
    expect(sent).toBeLessThan(60)
    expect(drains).toBe(0)
    caller.resume()
    await eventually(() => drains > 0 && bytes > (sent + 1) * megabyte)
    caller.terminate()
  })

  it('does not take messages faster than they are wanted', async () => {
    let peer: WebSocketPeer | undefined
    let received = 0
    handler = (opened) => {
      peer = opened
      return {
        message: () => {
          received += 1
        },
        drained() {},
        closed() {},
      }
    }
    const { socket } = await open()
    await eventually(() => peer !== undefined)
    peer?.pause()
    for (let message = 0; message < 100; message += 1) socket.send(new Uint8Array(megabyte))
    await Bun.sleep(200)
    expect(received).toBeLessThan(10)
    expect(socket.bufferedAmount).toBeGreaterThan(50 * megabyte)
    peer?.resume()
    await eventually(() => received === 100)
    socket.close()
  })
})

describe('a request', () => {
  it('may be refused with any status instead', async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/refused`, {
      headers: { connection: 'upgrade', upgrade: 'websocket' },
    })
    expect([response.status, await response.text()]).toEqual([401, 'no key'])
  })

  it.each([
    ['no upgrade', {}, 426],
    ['another protocol', { connection: 'upgrade', upgrade: 'h2c' }, 426],
    ['another version', { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '8' }, 426],
    [
      'no valid key',
      {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'x',
      },
      400,
    ],
  ] as const)('that asks for %s is refused', async (_, headers, status) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const firstBytes = Promise.withResolvers<string>()
    const caller = await connectTo((bytes) => firstBytes.resolve(bytes.toString('latin1')))
    caller.write(`GET / HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`)
    expect(await firstBytes.promise).toStartWith(`HTTP/1.1 ${status} `)
    caller.terminate()
  })
})

it('uses a socket that no other user may open', () => {
  expect(statSync(dirname(bridge.path)).mode & 0o777).toBe(0o700)
})
