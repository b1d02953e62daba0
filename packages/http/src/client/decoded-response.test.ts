import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { brotliCompressSync, createGzip, deflateSync, gzipSync, constants as zlib } from 'node:zlib'
import { ConnectionLostError, MalformedMessageError } from '../wire/body.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import type { HttpResponse } from './http-message.ts'
import { httpTarget } from './http-message.ts'
import { errorOf } from './test-support/error-of.ts'
import { answering, type Script, type ScriptedServer, startServer } from './test-support/scripted-server.ts'

const text = Array.from({ length: 5000 }, (_, index) => `line ${index} é\n`).join('')
const gzipped = gzipSync(text)
const encodings = [
  ['gzip', gzipped],
  ['x-gzip', gzipped],
  ['GZIP', gzipped],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
] as const

let client: HttpClient
let server: ScriptedServer

beforeEach(() => {
  client = createHttpClient()
})
afterEach(() => {
  client.close()
  server.close()
})

async function responseOf(script: Script): Promise<HttpResponse> {
  server = await startServer(script)
  return client.send({ target: httpTarget(server.url, new Headers()), method: 'POST', body: '' }).response
}

function encoded(encoding: string, body: Uint8Array, length = body.length): Buffer {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: ${encoding}\r\n`
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${length}\r\n\r\n`), body])
}

/** Two hundred million zeros in two hundred thousand bytes. */
const bomb = Buffer.concat(Array(20).fill(gzipSync(Buffer.alloc(10_000_000))))

describe('an encoded answer', () => {
  it.each(encodings)('in %s is read whole as what it decodes to', async (encoding, body) => {
    const response = await responseOf(answering(encoded(encoding, body)))
    expect(Buffer.from((await response.buffered(Buffer.byteLength(text))) ?? []).toString()).toBe(text)
  })

  it.each(encodings)('in %s is read piece by piece as what it decodes to', async (encoding, body) => {
    const bytes = encoded(encoding, body)
    const positions = [0, 100, 300, 301, 2000, bytes.length]
    const pieces = positions.map((position, index) => bytes.subarray(position, positions[index + 1]))
    const response = await responseOf(async (connection) => {
      await connection.request()
      await connection.sendPieces(pieces)
    })
    const read: Uint8Array[] = []
    for (let piece = await response.read(); !piece.done; piece = await response.read()) read.push(piece.value)
    expect(Buffer.concat(read).toString()).toBe(text)
    expect(read.length).toBeGreaterThan(1)
  })

  it('keeps its status and header fields', async () => {
    const response = await responseOf(answering(encoded('gzip', gzipped)))
    expect([
      response.status,
      response.header('content-type'),
      response.headers()['content-encoding'],
    ]).toEqual([200, 'text/plain', 'gzip'])
  })

  it('leaves its connection to the next request', async () => {
    const response = await responseOf(answering(encoded('gzip', gzipped)))
    await response.buffered(1e6)
    const next = await client.send({
      target: httpTarget(server.url, new Headers()),
      method: 'POST',
      body: '',
    }).response
    await next.buffered(1e6)
    expect(server.connections.length).toBe(1)
  })

  it('without a body is an empty one', async () => {
    const response = await responseOf(answering(encoded('gzip', Buffer.alloc(0))))
    expect(await response.buffered(1)).toHaveLength(0)
  })

  it('gives what was flushed before more of it is sent', async () => {
    const packer = createGzip()
    const response = await responseOf(async (connection) => {
      await connection.request()
      connection.socket.write(encoded('gzip', Buffer.alloc(0), 1000))
      packer.on('data', (bytes: Buffer) => connection.socket.write(bytes))
      packer.write('event')
      packer.flush(zlib.Z_SYNC_FLUSH)
    })
    expect(Buffer.from((await response.read()).value ?? []).toString()).toBe('event')
  })

  it('longer than the limit is not given, and its connection closed', async () => {
    const response = await responseOf(answering(encoded('gzip', gzipped, 1_000_000)))
    expect(await response.buffered(Buffer.byteLength(text) - 1)).toBeUndefined()
    expect(await server.connections[0]?.closesSoon()).toBe(true)
  })

  it('that decodes to an enormous one is refused without being held', async () => {
    const response = await responseOf(answering(encoded('gzip', bomb)))
    const before = process.memoryUsage.rss()
    expect(await response.buffered(1_000_000)).toBeUndefined()
    await Bun.sleep(50)
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000)
  })

  it('that decodes to an enormous one waits for its reader', async () => {
    const response = await responseOf(answering(encoded('gzip', bomb)))
    await response.read()
    const before = process.memoryUsage.rss()
    await Bun.sleep(100)
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000)
  })

  it.each(encodings)(
    'in %s is refused, and its connection closed, when it is broken',
    async (encoding, body) => {
      const broken = Buffer.concat([body.subarray(0, 4), Buffer.alloc(100, 'garbage ')])
      const response = await responseOf(answering(encoded(encoding, broken, 1000)))
      expect(await errorOf(response.buffered(1e6))).toBeInstanceOf(MalformedMessageError)
      expect(await server.connections[0]?.closesSoon()).toBe(true)
    },
  )

  it.each(encodings)('in %s is refused when it ends before its packing does', async (encoding, body) => {
    for (const length of [10, body.length >> 1, body.length - 1]) {
      const response = await responseOf(answering(encoded(encoding, body.subarray(0, length))))
      expect(await errorOf(response.buffered(1e6))).toBeInstanceOf(MalformedMessageError)
      server.close()
    }
  })

  it.each(['compress', 'zstd', 'gzip, br', 'constructor', '__proto__'])(
    'in %s is refused, and its connection closed',
    async (encoding) => {
      const response = await responseOf(answering(encoded(encoding, Buffer.from('abc'), 1000)))
      expect(await errorOf(response.buffered(1e6))).toBeInstanceOf(MalformedMessageError)
      expect(await server.connections[0]?.closesSoon()).toBe(true)
    },
  )

  it.each(encodings)('in %s is lost when its connection is cut', async (encoding, body) => {
    const response = await responseOf(async (connection) => {
      await connection.request()
      connection.socket.end(encoded(encoding, body.subarray(0, 500), 1000))
    })
    expect(await errorOf(response.buffered(1e6))).toBeInstanceOf(ConnectionLostError)
  })

  it('is lost when it is given up', async () => {
    server = await startServer(answering(encoded('gzip', gzipped.subarray(0, 500), 1000)))
    const exchange = client.send({ target: httpTarget(server.url, new Headers()), method: 'POST', body: '' })
    const waiting = errorOf((await exchange.response).buffered(1e6))
    exchange.abort()
    expect(await waiting).toBeInstanceOf(ConnectionLostError)
    expect(await server.connections[0]?.closesSoon()).toBe(true)
  })
})
