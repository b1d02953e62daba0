import { describe, expect, it } from 'bun:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { RelayError } from '../../relay/relay-error.ts'
import { readBody } from './read-body.ts'

const limit = 1024 * 1024

function request(
  body: ConstructorParameters<typeof Response>[0],
  headers: Record<string, string> = {},
): Request {
  return new Request('http://gateway.test/v1/chat/completions', { method: 'POST', body, headers })
}

async function codeOf(reading: Promise<string>): Promise<string> {
  try {
    return `read ${(await reading).length}`
  } catch (error) {
    return error instanceof RelayError ? error.code : String(error)
  }
}

describe('readBody', () => {
  it('reads plain and compressed bodies as the same text', async () => {
    const text = '{"model":"m","content":"héllo 你好"}'
    expect(await readBody(request(text), limit)).toBe(text)
    expect(await readBody(request(gzipSync(text), { 'content-encoding': 'gzip' }), limit)).toBe(text)
    expect(await readBody(request(brotliCompressSync(text), { 'content-encoding': 'br' }), limit)).toBe(text)
  })

  it('refuses a body that announces too much before reading it', async () => {
    const announced = request('x', { 'content-length': String(limit + 1) })
    expect(await codeOf(readBody(announced, limit))).toBe('body_too_large')
  })

  it('stops reading a body of unknown length at the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(256 * 1024))
      },
    })
    expect(await codeOf(readBody(request(endless), limit))).toBe('body_too_large')
    expect(pulled).toBeLessThan(20)
  })

  it('refuses a decompression bomb without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * limit))
    expect(await codeOf(readBody(request(bomb, { 'content-encoding': 'gzip' }), limit))).toBe(
      'body_too_large',
    )
  })

  it('names an encoding it does not know and data that is broken', async () => {
    for (const unknown of ['lzma', 'constructor', '__proto__']) {
      expect(await codeOf(readBody(request('x', { 'content-encoding': unknown }), limit))).toBe(
        'body_encoding_unsupported',
      )
    }
    expect(await codeOf(readBody(request('x', { 'content-encoding': 'gzip' }), limit))).toBe(
      'invalid_request',
    )
  })
})
