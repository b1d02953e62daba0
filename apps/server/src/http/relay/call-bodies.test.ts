import { describe, expect, it } from 'bun:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { ConnectionLostError, MalformedMessageError } from '@tollgate/http'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { type BodiedRequest, readBody } from './call-bodies.ts'

const limit = 1024 * 1024

/** A request whose body has come already, or comes later. */
function request(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  later = false,
): BodiedRequest {
  const bytes = Buffer.from(body)
  const buffered = (max: number) => (bytes.length > max ? undefined : bytes)
  return {
    headers: new Headers(headers),
    buffered: (max) => (later ? Promise.resolve(buffered(max)) : buffered(max)),
  }
}

function failing(error: Error): BodiedRequest {
  return { headers: new Headers(), buffered: () => Promise.reject(error) }
}

async function textOf(requested: BodiedRequest): Promise<string> {
  return (await readBody(requested, limit)).text
}

async function codeOf(requested: BodiedRequest): Promise<string> {
  try {
    return `read ${(await textOf(requested)).length}`
  } catch (error) {
    return error instanceof RelayError ? error.code : String(error)
  }
}

describe('readBody', () => {
  it('reads plain and compressed bodies as the same text', async () => {
    const text = '{"model":"m","content":"héllo 你好"}'
    expect(await textOf(request(text))).toBe(text)
    expect(await textOf(request(gzipSync(text), { 'content-encoding': 'gzip' }))).toBe(text)
    expect(await textOf(request(brotliCompressSync(text), { 'content-encoding': 'br' }))).toBe(text)
  })

  it('reads a body that has come at once, and waits for one that has not', async () => {
    expect(readBody(request('{}'), limit)).toMatchObject({ text: '{}' })
    expect(await textOf(request('{}', {}, true))).toBe('{}')
    expect(readBody(request('\uFEFF{}'), limit)).toMatchObject({ text: '{}' })
  })

  it('refuses a body beyond the limit, whenever it comes', async () => {
    const long = 'x'.repeat(limit + 1)
    for (const later of [false, true]) {
      expect(await codeOf(request(long, {}, later))).toBe('body_too_large')
      expect(await codeOf(request(long, { 'content-encoding': 'gzip' }, later))).toBe('body_too_large')
    }
  })

  it('says what broke a body off', async () => {
    expect(await codeOf(failing(new ConnectionLostError('gone')))).toBe('client_gone')
    expect(await codeOf(failing(new MalformedMessageError('no size')))).toBe('invalid_request')
  })

  it('refuses a decompression bomb without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * limit))
    expect(await codeOf(request(bomb, { 'content-encoding': 'gzip' }))).toBe('body_too_large')
  })

  it('names an encoding it does not know and data that is broken', async () => {
    for (const unknown of ['lzma', 'constructor', '__proto__']) {
      expect(await codeOf(request('x', { 'content-encoding': unknown }))).toBe('body_encoding_unsupported')
    }
    expect(await codeOf(request('x', { 'content-encoding': 'gzip' }))).toBe('invalid_request')
  })
})
