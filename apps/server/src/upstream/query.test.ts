import { describe, expect, it } from 'bun:test'
import type { HttpExchange, HttpResponse } from '@tollgate/http/client'
import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { readSmall } from './query.ts'

const body = new TextEncoder().encode('{}')
const response = { status: 200, headers: () => ({}), buffered: async () => body } as unknown as HttpResponse // What is read of one.

function exchange(responded: Promise<HttpResponse>): { exchange: HttpExchange; aborted: () => boolean } {
  let isAborted = false
  const { promise: gone, reject } = Promise.withResolvers<HttpResponse>()
  const abort = () => {
    isAborted = true
    reject(new Error('aborted'))
  }
  const made = { response: Promise.race([responded, gone]), abort } as unknown as HttpExchange // What is used of one.
  return { exchange: made, aborted: () => isAborted }
}

const never = new Promise<HttpResponse>(() => undefined)
const limits = { timeoutMs: 60_000, maxBytes: 100 }

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown)
  return error instanceof OutboundError ? error.failure : String(error)
}

describe('a small question', () => {
  it('leaves no timer behind that would keep its body in memory', async () => {
    const { signal } = new AbortController()
    const waiting = new Set<unknown>()
    const { addEventListener: add, removeEventListener: remove } = signal
    signal.addEventListener = (type: string, listener: () => void) => {
      waiting.add(listener)
      add.call(signal, type, listener)
    }
    signal.removeEventListener = (type: string, listener: () => void) => {
      waiting.delete(listener)
      remove.call(signal, type, listener)
    }
    const { exchange: requested } = exchange(Promise.resolve(response))
    const read = await readSmall(() => requested, { ...limits, signal })
    expect([read.status, read.body, waiting.size]).toEqual([200, '{}', 0])
  })

  it('gives up after its timeout, and when its signal aborts', async () => {
    const late = exchange(never)
    expect(await failureOf(readSmall(() => late.exchange, { ...limits, timeoutMs: 1 }))).toBe('timeout')
    const stop = new AbortController()
    const stopped = exchange(never)
    const asking = readSmall(() => stopped.exchange, { ...limits, signal: stop.signal })
    stop.abort()
    expect(await failureOf(asking)).toBe('aborted')
    const before = exchange(never)
    expect(await failureOf(readSmall(() => before.exchange, { ...limits, signal: stop.signal }))).toBe(
      'aborted',
    )
    expect([late, stopped, before].map((each) => each.aborted())).toEqual([true, true, true])
  })

  it('that cannot be sent is unreachable', async () => {
    const broken = exchange(Promise.reject(new Error('refused')))
    expect(await failureOf(readSmall(() => broken.exchange, limits))).toBe('unreachable')
  })

  it('reads only the beginnings of texts that may be of any length', async () => {
    const pieces = ['{"done":true,"data":"', 'A'.repeat(50), 'A'.repeat(50), '","more":{"data":"BB"}}']
    const read = async () => ({ value: pieces.length > 0 ? Buffer.from(pieces.shift() ?? '') : undefined })
    const long = { status: 200, headers: () => ({}), read } as unknown as HttpResponse // What is read of one.
    const { exchange: sent } = exchange(Promise.resolve(long))
    const small = await readSmall(() => sent, { ...limits, shortened: 'data' })
    expect(JSON.parse(small.body)).toEqual({ done: true, data: 'A'.repeat(16), more: { data: 'BB' } })
  })
})
