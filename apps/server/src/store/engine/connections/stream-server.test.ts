import { describe, expect, it } from 'bun:test'
import { rejection } from '../../contract/rejection.ts'
import { StoreFault } from '../../errors.ts'
import { StreamServer } from './stream-server.ts'

const first = { op: 'pull', stream: 1, source: { name: 'test', args: undefined } } as const
const next = { op: 'pull', stream: 1 } as const

function serverOf(pieces: () => AsyncIterable<string | Uint8Array>): StreamServer {
  return new StreamServer(async () => pieces)
}

describe('the streams of a thread', () => {
  it('go out in messages of some size, whatever the size of their pieces', async () => {
    const server = serverOf(async function* () {
      for (let piece = 0; piece < 3000; piece += 1) yield `${'é'.repeat(20)}\n`
      yield Uint8Array.of(1, 2)
    })
    const sizes: number[] = []
    for (let bytes = await server.pull(first); bytes; bytes = await server.pull(next))
      sizes.push(bytes.length)
    expect(sizes.length).toBeLessThan(10)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(3000 * 41 + 2)
    expect(await server.pull(next)).toBeUndefined()
  })

  it('make nothing that was not asked for, and end when their reader leaves', async () => {
    let made = 0
    let isEnded = false
    const server = serverOf(async function* () {
      try {
        for (;;) {
          made += 1
          yield new Uint8Array(64 * 1024)
        }
      } finally {
        isEnded = true
      }
    })
    await server.pull(first)
    await Bun.sleep(1)
    expect([made, isEnded]).toEqual([1, false])
    await server.leave(1)
    expect([made, isEnded]).toEqual([1, true])
    expect(await server.pull(next)).toBeUndefined()
    await server.leave(1)
  })

  it('end with the thread', async () => {
    let ended = 0
    const server = serverOf(async function* () {
      try {
        for (;;) yield new Uint8Array(64 * 1024)
      } finally {
        ended += 1
      }
    })
    await server.pull(first)
    await server.pull({ ...first, stream: 2 })
    await server.close()
    expect(ended).toBe(2)
  })

  it('tell a fault of the database from any other error', async () => {
    const failing = (error: unknown) =>
      serverOf(async function* () {
        yield new Uint8Array(64 * 1024)
        throw error
      })
    const errorOf = async (error: unknown) => {
      const server = failing(error)
      await server.pull(first)
      return await rejection(server.pull(next))
    }
    const fault = new StoreFault('busy', 'too long')
    expect(await errorOf(fault)).toBe(fault)
    expect(await errorOf(new TypeError('oh'))).toMatchObject({ name: 'StreamError', message: 'oh' })
    expect(await errorOf('a text')).toMatchObject({ name: 'StreamError', message: 'a text' })
  })
})
