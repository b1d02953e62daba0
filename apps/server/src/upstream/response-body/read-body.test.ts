import { describe, expect, it } from 'bun:test'
import type { HttpResponse } from '@tollgate/http/client'
import { openedBody, readBody } from './read-body.ts'
import { createResponseMemory, type ResponseHold } from './response-memory.ts'

const kilobyte = 1024
const megabyte = kilobyte * kilobyte

/** A response whose body comes in pieces of 100 KB. */
function responseOf(body: string, fields: Readonly<Record<string, string>> = {}): HttpResponse {
  const bytes = Buffer.from(body)
  let at = 0
  return {
    status: 200,
    header: (name) => fields[name] ?? null,
    headers: () => ({ ...fields }),
    async read() {
      if (at >= bytes.length) return { done: true }
      const value = bytes.subarray(at, at + 100 * kilobyte)
      at += value.length
      return { done: false, value }
    },
    next: () => undefined,
    buffered: async () => bytes,
  }
}

const memory = createResponseMemory({ limitBytes: 3 * megabyte, accountLimitBytes: 2 * megabyte, waitMs: 10 })

async function read(response: HttpResponse, passesFrom?: string) {
  let hold: ResponseHold | undefined
  const enter = () => {
    hold = memory.enter(1)
    return hold
  }
  try {
    return await readBody(response, { limitBytes: 8 * megabyte, enter, passesFrom: () => passesFrom })
  } finally {
    hold?.release()
  }
}

const filled = (length: number) => JSON.stringify({ choices: 'x'.repeat(length) })
const announced = (body: string) => ({ 'content-length': String(body.length) })

describe('a body', () => {
  it.each([10, 300 * kilobyte, megabyte + 5])(
    'of %d bytes is complete, with its length and without',
    async (length) => {
      const body = filled(length)
      for (const fields of [{}, announced(body), { 'content-length': '20', 'content-encoding': 'gzip' }]) {
        const result = await read(responseOf(body, fields))
        expect(result.kind === 'complete' && Buffer.from(result.bytes).equals(Buffer.from(body))).toBe(true)
      }
    },
  )

  it('may be longer than its announced length, where the runtime has decoded it', async () => {
    const body = filled(1_300_000)
    const result = await read(responseOf(body, { 'content-length': '1150000' }))
    expect(result.kind === 'complete' && Buffer.from(result.bytes).equals(Buffer.from(body))).toBe(true)
  })

  it('passes once it is large and shows that it is a response', async () => {
    const body = filled(5 * megabyte)
    for (const fields of [{}, announced(body)]) {
      const passing = await read(responseOf(body, fields), 'choices')
      expect(passing.kind === 'passing' && Buffer.concat(passing.pieces).toString()).toBe(
        body.slice(0, 1100 * kilobyte),
      )
    }
    expect(await read(responseOf(body), 'output')).toEqual({ kind: 'refused', room: 'account' })
    expect((await read(responseOf(filled(900 * kilobyte)), 'choices')).kind).toBe('complete')
  })

  it.each([
    ['[', '['.repeat(200_000), 'The upstream sent JSON that nests more than 512 levels deep.'],
    [
      '{"1":1,',
      `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":1`)}}`,
      'The upstream sent JSON of too many parts.',
    ],
    ['data: ', 'data: {}\n\n'.repeat(60_000), 'The upstream sent JSON of too many parts.'],
    ['a longer one', filled(9 * megabyte), 'The upstream sent a response that is too large.'],
  ])('of nothing but %s is not read to its end', async (_, body, message) => {
    const bounds = { limitBytes: 8 * megabyte }
    const roomy = createResponseMemory({ limitBytes: 99 * megabyte, accountLimitBytes: 99 * megabyte })
    const result = await readBody(responseOf(body), { ...bounds, enter: () => roomy.enter(1) })
    expect(result).toEqual({ kind: 'unusable', message })
  })

  it('is the same for a body whose first piece has been read', async () => {
    for (const length of [0, 10, 99 * kilobyte, 300 * kilobyte])
      for (const announced of [true, false]) {
        const text = 'x'.repeat(length)
        const left = Buffer.from(text).subarray(100 * kilobyte)
        const response = {
          ...responseOf(text, announced ? { 'content-length': String(length) } : {}),
          buffered: async (limit: number) => (left.length > limit ? undefined : left),
        }
        const opened = openedBody(response, await response.read())
        const body = await readBody(opened, { limitBytes: 8 * megabyte, enter: () => memory.enter(1) })
        expect(body.kind === 'complete' && body.bytes.length).toBe(length)
      }
  })
})
