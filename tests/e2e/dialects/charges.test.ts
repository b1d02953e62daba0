import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type DialectCall, dialectCalls, dialectForms, send } from '../../support/dialects/dialect-calls.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import type { Counts, Scripted } from '../../support/protocols/protocol.ts'
import { cutsAfter, refuses, says, stallsAfter } from '../../support/protocols/scripted-upstream.ts'
import {
  healPairs,
  priceModels,
  startPairs,
  stopPairs,
  type UpstreamName,
  type UpstreamPair,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(30_000))

let gateway: Tollgate
let operator: Operator
let pairs: Readonly<Record<UpstreamName, UpstreamPair>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  await priceModels(operator, { model: 1, completion: 1 })
  pairs = await startPairs(operator, upstreamNames)
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await stopPairs(pairs)
})
beforeEach(() => healPairs(operator, pairs))

const counts = (change: Partial<Counts>): Counts => ({
  input: 10,
  cacheRead: 0,
  cacheWrite: 0,
  output: 5,
  reasoning: 0,
  ...change,
})
const words = (count: number) => Array.from({ length: count }, () => 'word ')

/** Runs a call to its end: what came back, what it cost, and its row. */
async function charged(dialect: DialectCall, model: string, stream: boolean) {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const response = await send(gateway, dialect, model, key, { stream })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  const row = await operator.consumption(rows + 1)
  expect(before - (await operator.quota())).toBe(row.quota)
  return { text, row, other: JSON.parse(row.other) }
}

const cells = dialectCalls.flatMap((dialect) =>
  upstreamNames.map((upstream) => [dialect.name, upstream, dialect] as const),
)

describe.each(cells)('a caller who speaks %s, over an upstream that is %s,', (_name, upstream, dialect) => {
  it('pays nothing for an upstream that sent counts, no text, and disconnected', async () => {
    const { model, first, second } = pairs[upstream]
    first.otherwise(cutsAfter(0, { text: ['never'], counts: counts({ input: 9000 }), countsAt: 'start' }))
    second.otherwise(says({ text: ['served'], counts: counts({ input: 7, output: 3 }) }))
    const { text, row, other } = await charged(dialect, model, true)
    expect(dialect.textIn(text)).toBe('served')
    expect(text).toMatch(dialect.endMark)
    expect(first.calls).toHaveLength(1)
    expect(row).toMatchObject({ quota: 10, prompt_tokens: 7, completion_tokens: 3 })
    expect(other.admin_info.attempts).toHaveLength(2)
  })

  it('pays for what was delivered when counts came at the start alone', async () => {
    const { model, first } = pairs[upstream]
    const reported = counts({ input: 50, output: 1 })
    first.otherwise(says({ text: words(40), counts: reported, countsAt: 'start' }))
    const { text, row, other } = await charged(dialect, model, true)
    expect(text).toMatch(dialect.endMark)
    expect(row.prompt_tokens).toBe(50)
    expect(row.completion_tokens).toBeGreaterThanOrEqual(40)
    expect(row.completion_tokens).toBeLessThanOrEqual(42)
    expect(row.quota).toBe(row.prompt_tokens + row.completion_tokens)
    expect(other.estimated).toBe(true)
  })

  it.each([true, false])('pays no count that cannot be (stream: %p)', async (stream) => {
    const { model, first } = pairs[upstream]
    first.otherwise(says({ text: words(20), counts: counts({ input: 99_999_999 }) }))
    const { row, other } = await charged(dialect, model, stream)
    expect(row.quota).toBeLessThan(100)
    expect(row.completion_tokens).toBeGreaterThanOrEqual(20)
    expect(other.usage_disbelieved).toMatchObject({ prompt_tokens: 99_999_999 })
    expect(other.estimated).toBe(true)
  })
})

const crowds = [
  ['OpenAI', dialectForms[0][1], 'openai'],
  ['Anthropic', dialectForms[1][1], 'anthropic'],
  ['Gemini', dialectForms[2][1], 'gemini'],
  ['Gemini as a list', dialectForms[3][1], 'bedrock'],
  ['Responses', dialectForms[4][1], 'responses'],
] as const

describe.each(crowds)('64 streams at once, read as %s reads them,', (_name, dialect, upstream) => {
  const callers = 64
  const stepTokens = 256
  const long: Scripted = {
    text: Array.from({ length: 50 }, () => words(120).join('')),
    counts: counts({ output: 6000 }),
  }

  it('spend a balance worth 10 of them and at most a step each beyond; the others are refused', async () => {
    const { model, first } = pairs[upstream]
    const balance = 10 * 6010
    const userWithoutQuota = await operator.addKey({ unlimited_quota: false, remain_quota: balance })
    // Anthropic's format must have a limit; this upstream exceeds it.
    const body = { ...dialect.body(model, true), ...(upstream === 'anthropic' && { max_tokens: 10 }) }
    // What such calls cost is taken from those before.
    first.otherwise(says({ text: ['short'], counts: counts({}) }))
    await (await send(gateway, dialect, model, userWithoutQuota.key, { stream: true, body })).text()

    first.otherwise(says(long, { eventDelayMs: 4 }))
    const replies = await Promise.all(
      Array.from({ length: callers }, async () => {
        const response = await send(gateway, dialect, model, userWithoutQuota.key, { stream: true, body })
        return { status: response.status, text: await response.text() }
      }),
    )
    const ended = replies.filter(({ text }) => !dialect.endMark.test(text))
    for (const { text } of ended) {
      expect(dialect.errorIn(text)?.kind).toBe(dialect.kinds[403])
      expect(dialect.errorIn(text)?.message).toContain('Insufficient quota')
    }
    const inTheMiddle = ended.filter(({ status }) => status === 200)
    expect(inTheMiddle.length).toBeGreaterThan(0)
    expect(replies.length - ended.length).toBeLessThanOrEqual(10)
    const { remain_quota } = await operator.api<{ remain_quota: number }>(
      'GET',
      `/api/token/${userWithoutQuota.id}`,
    )
    expect(remain_quota).toBeGreaterThanOrEqual(-callers * stepTokens)
    expect(remain_quota).toBeLessThan(balance / 2)
  })
})

describe.each(crowds)(
  'one stream that comes all at once, read as %s reads it,',
  (_name, dialect, upstream) => {
    it('ends where the balance does, and no more than a step beyond', async () => {
      const { model, first } = pairs[upstream]
      // More than calls of this upstream are known to use beyond their limit.
      const userWithoutQuota = await operator.addKey({ unlimited_quota: false, remain_quota: 9000 })
      const body = { ...dialect.body(model, true), ...(upstream === 'anthropic' && { max_tokens: 10 }) }
      first.otherwise(
        says({ text: Array.from({ length: 2000 }, () => words(10).join('')), counts: counts({}) }),
      )
      const text = await (
        await send(gateway, dialect, model, userWithoutQuota.key, { stream: true, body })
      ).text()
      expect(dialect.errorIn(text)?.message).toContain('Insufficient quota')
      expect(dialect.textIn(text).length).toBeGreaterThan(2000 * 5)
      const { remain_quota } = await operator.api<{ remain_quota: number }>(
        'GET',
        `/api/token/${userWithoutQuota.id}`,
      )
      expect(remain_quota).toBeGreaterThanOrEqual(-256)
      expect(remain_quota).toBeLessThanOrEqual(512)
    })
  },
)

/** The newest row of a failed call, once there are more than `before`. */
async function failureRow(before: number): Promise<LogRow> {
  return until(async () => {
    const { items, total } = await failures()
    return total > before ? items[0] : undefined
  })
}

function failures(): Promise<{ items: LogRow[]; total: number }> {
  return operator.api('GET', '/api/log/?p=1&page_size=1&type=5')
}

describe.each(dialectForms)('a call as %s makes it', (_name, dialect) => {
  it('leaves an uncharged row that says what was tried when its caller hangs up before the first token', async () => {
    const { model, first } = pairs.anthropic
    first.otherwise(stallsAfter(0, { text: ['never'] }))
    const before = (await failures()).total
    const balance = await operator.quota()
    const hangUp = new AbortController()
    const calling = send(gateway, dialect, model, key, { stream: true, signal: hangUp.signal }).catch(
      (error) => error,
    )
    const call = await first.call()
    await Bun.sleep(50)
    hangUp.abort()
    await calling
    const row = await failureRow(before)
    await until(() => call.abortedAt)
    expect(row).toMatchObject({ quota: 0, completion_tokens: 0, model_name: model })
    const other = JSON.parse(row.other)
    expect(other.ended).toBe('client_gone')
    expect(other.admin_info.attempts).toMatchObject([{ kind: 'client_gone' }])
    expect(await operator.quota()).toBe(balance)
  })

  it('leaves an uncharged row with every attempt when no channel serves it', async () => {
    const { model, first, second } = pairs.gemini
    first.otherwise(refuses(503, 'busy'))
    second.otherwise(refuses(429, 'slow down'))
    const before = (await failures()).total
    const balance = await operator.quota()
    const response = await send(gateway, dialect, model, key, { stream: true })
    expect(response.status).toBe(429)
    expect(dialect.errorIn(await response.text())?.message).toContain('slow down')
    const row = await failureRow(before)
    expect(row).toMatchObject({ quota: 0, model_name: model })
    const { admin_info } = JSON.parse(row.other)
    expect(admin_info.attempts).toMatchObject([{ kind: 'overloaded' }, { kind: 'rate_limited' }])
    expect(await operator.quota()).toBe(balance)
  })
})
