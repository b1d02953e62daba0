import { describe, expect, it } from 'bun:test'
import type { NewStoredResponse } from '../../store/work/stored-responses.ts'
import { createResponseWriter, type PendingResponse } from './response-writer.ts'

function response(id: string, userId = 1): NewStoredResponse {
  return {
    userId,
    tokenId: 1,
    id,
    previousId: '',
    sealed: '',
    bytes: 1,
    createdAt: 0,
    expiresAt: 1,
    itemIds: [],
    ancestorIds: [],
  }
}

function pending(id: string, userId?: number, bytes = 10): PendingResponse {
  return { bytes, prepare: () => response(id, userId) }
}

function world({ maxPendingBytes = 1000, fails = false } = {}) {
  const batches: string[][] = []
  const trimmed: number[] = []
  const stated: string[] = []
  const writer = createResponseWriter({
    repository: {
      async addAll(responses) {
        if (fails) throw new Error('no database')
        batches.push(responses.map(({ id }) => id))
      },
      async trimUser(userId) {
        trimmed.push(userId)
      },
    },
    perUser: { responses: 1, bytes: 1 },
    logger: {
      warn: (text: unknown) => void stated.push(String(text)),
      error: (_: unknown, text?: unknown) => void stated.push(String(text)),
    } as never,
    maxPendingBytes,
  })
  return { writer, batches, trimmed, said: stated }
}

describe('createResponseWriter', () => {
  it('writes concurrent responses in one batch, and checks each user once', async () => {
    const { writer, batches, trimmed } = world()
    for (const [id, user] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ] as const)
      writer.put(pending(id, user))
    await writer.flushed()
    expect(batches).toEqual([['a', 'b', 'c']])
    expect(trimmed).toEqual([1, 2])
  })

  it('flushes every response put before, and resolves at once without any', async () => {
    const { writer, batches } = world()
    await writer.flushed()
    writer.put(pending('a'))
    await writer.flushed()
    writer.put(pending('b'))
    await writer.flushed()
    expect(batches).toEqual([['a'], ['b']])
  })

  it('bounds its memory, and logs that once', async () => {
    const { writer, batches, said: stated } = world({ maxPendingBytes: 25 })
    expect(['a', 'b', 'c', 'd'].map((id) => writer.put(pending(id)))).toEqual([true, true, false, false])
    await writer.flushed()
    expect(stated).toHaveLength(1)
    expect(writer.put(pending('e'))).toBe(true)
    await writer.flushed()
    expect(batches).toEqual([['a', 'b'], ['e']])
  })

  it('drops responses that the database rejects, and goes on', async () => {
    const { writer, said: stated } = world({ fails: true })
    writer.put(pending('a'))
    await writer.flushed()
    writer.put({ bytes: 1, prepare: () => undefined })
    await writer.flushed()
    expect(stated).toEqual([
      'these responses were not stored, so callers cannot continue from them: check the database',
    ])
  })
})
