import { describe, expect, it } from 'bun:test'
import { openBase64 } from './base64-member.ts'

const film = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7) % 256))
const base64 = film.toString('base64')

function inChunks(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  let start = 0
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(start, start + size))
      start += size
    },
  })
}

const read = async (text: string, size: number) => {
  const stream = await openBase64(inChunks(text, size), 'data')
  return stream && Buffer.from(await new Response(stream).arrayBuffer())
}

describe('bytes in base64 within JSON', () => {
  it.each([
    JSON.stringify({ done: true, videos: [{ mimeType: 'video/mp4', data: base64 }] }),
    JSON.stringify({ data: base64, more: { data: 'AAAA' } }),
    `{"data":"${base64.replaceAll('/', '\\/').replaceAll('=', '\\u003d')}"}`,
    `{"data":"${base64.replace(/.{76}/g, '$&\\r\\n')}"}`,
  ])('are the same however they are split and escaped', async (text) => {
    for (const size of [1, 3, 64, 1000, 10_000]) expect(await read(text, size)).toEqual(film)
  })

  it('are absent where the text holds none', async () => {
    for (const text of ['{}', '', '<html>', '{"data":7}']) expect(await read(text, 3)).toBeUndefined()
  })

  it('fail where they are cut off', async () => {
    await expect(read(`{"data":"${base64}`, 50)).rejects.toThrow()
  })

  it('are read no further than they are pulled, and released when the reader stops', async () => {
    let sent = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from(sent === 0 ? '{"data":"' : 'AAAA'.repeat(256)))
        sent += 1
      },
      cancel() {
        isCancelled = true
      },
    })
    const reader = (await openBase64(endless, 'data'))?.getReader()
    for (let index = 0; index < 5; index += 1) await reader?.read()
    expect(sent).toBeLessThan(12)
    await reader?.cancel()
    expect(isCancelled).toBe(true)
  })

  it('are left at once while nothing comes', async () => {
    let isCancelled = false
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"data":"AAAA')),
      cancel() {
        isCancelled = true
      },
    })
    const reader = (await openBase64(silent, 'data'))?.getReader()
    await reader?.read()
    const waiting = reader?.read()
    await reader?.cancel()
    expect(isCancelled).toBe(true)
    expect((await waiting)?.done).toBe(true)
  })
})
