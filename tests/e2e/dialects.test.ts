import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { DialectName } from '../support/dialect-calls.ts'
import { type Operator, operate } from '../support/operator.ts'
import {
  anthropicCaller,
  geminiCaller,
  openAiCaller,
  type SdkAnswer,
  type SdkAsk,
} from '../support/sdk-callers.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import { type DialectUpstream, startDialectUpstreams, upstreamNames } from '../support/upstream-channels.ts'
import type { Counts, ScriptedCall } from '../support/upstream-protocol.ts'
import { says } from '../support/upstream-scripted.ts'

setDefaultTimeout(20_000)

const callerNames = ['openai', 'anthropic', 'gemini'] as const

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<string, DialectUpstream>>
let sdks: Readonly<Record<DialectName, SdkAsk>>
const marks = new Map<string, boolean>()

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  const { key } = await operator.addKey()
  const options = { gatewayUrl: gateway.url, key }
  sdks = {
    openai: openAiCaller(options),
    anthropic: anthropicCaller(options),
    gemini: geminiCaller(options),
  }
  const models = Object.values(upstreams).map(({ model }) => model)
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio])))
  await operator.option('ModelRatio', each(2))
  await operator.option('CompletionRatio', each(5))
  await operator.option('CacheRatio', each(0.1))
  await operator.option('CreateCacheRatio', each(1.25))
})
afterAll(async () => {
  process.stdout.write(`${matrix()}\n`)
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

const signature = 'CiQBVKhc7vB+vaaq6rA1MYkBAgM='
const toolCall: ScriptedCall = {
  id: 'toolu_01A09q90qw90lq917835lq9',
  name: 'get_weather',
  pieces: ['{"ci', 'ty": "Zü', 'rich"}'],
  signature,
}

/** Cache writes and thoughts are told by the vendors that know them. */
function countsFor(upstream: string): Counts {
  const cacheWrite = upstream === 'anthropic' || upstream === 'bedrock' ? 20 : 0
  return { input: 100, cacheRead: 40, cacheWrite, output: 30, thoughts: upstream === 'gemini' ? 10 : 0 }
}

/** (100 + 40 × 0.1 + 20 × 1.25 + 30 × 5) × 2, and without the cache write (100 + 40 × 0.1 + 30 × 5) × 2. */
const chargeFor = (upstream: string) => (countsFor(upstream).cacheWrite > 0 ? 558 : 508)

const usageShown = {
  openai: ({ input, cacheRead, cacheWrite, output, thoughts }: Counts) => ({
    prompt_tokens: input + cacheRead + cacheWrite,
    completion_tokens: output,
    total_tokens: input + cacheRead + cacheWrite + output,
    cached_tokens: cacheRead,
    ...(thoughts > 0 && { reasoning_tokens: thoughts }),
  }),
  anthropic: ({ input, cacheRead, cacheWrite, output }: Counts) => ({
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    ...(cacheWrite > 0 && { cache_creation_input_tokens: cacheWrite }),
    output_tokens: output,
  }),
  gemini: ({ input, cacheRead, cacheWrite, output, thoughts }: Counts) => ({
    promptTokenCount: input + cacheRead + cacheWrite,
    candidatesTokenCount: output - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: input + cacheRead + cacheWrite + output,
    cachedContentTokenCount: cacheRead,
  }),
} as const

const stops = {
  openai: { text: 'stop', call: 'tool_calls' },
  anthropic: { text: 'end_turn', call: 'tool_use' },
  gemini: { text: 'STOP', call: 'STOP' },
} as const

/** Runs one call and checks what it cost: in its log row, and of the balance. */
async function charged(
  upstream: string,
  stream: boolean,
  work: () => Promise<SdkAnswer>,
): Promise<SdkAnswer> {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const answer = await work()
  const row = await operator.consumption(rows + 1)
  const counts = countsFor(upstream)
  const { input, cacheRead, cacheWrite, output, thoughts } = counts
  expect(row).toMatchObject({
    quota: chargeFor(upstream),
    prompt_tokens: input + cacheRead + cacheWrite,
    completion_tokens: output,
    is_stream: stream,
  })
  const other = JSON.parse(row.other)
  expect(other).toMatchObject({
    model_ratio: 2,
    completion_ratio: 5,
    cache_ratio: 0.1,
    cache_tokens: cacheRead,
  })
  expect(other.cache_creation_tokens ?? 0).toBe(cacheWrite)
  expect(other.reasoning_tokens ?? 0).toBe(thoughts)
  expect(other.estimated).toBeUndefined()
  expect(before - (await operator.quota())).toBe(chargeFor(upstream))
  return answer
}

async function textCell(caller: DialectName, upstream: string, stream: boolean): Promise<void> {
  const { model, upstream: server } = upstreamOf(upstream)
  server.otherwise(says({ text: ['Grüezi ', 'aus ', 'Zürich 🌤.'], counts: countsFor(upstream) }))
  const answer = await charged(upstream, stream, () => sdks[caller]({ model, stream, withTool: false }))
  expect(answer.text).toBe('Grüezi aus Zürich 🌤.')
  expect(answer.toolCall).toBeUndefined()
  expect(answer.stop).toBe(stops[caller].text)
  expect(answer.usage).toEqual(usageShown[caller](countsFor(upstream)))
}

async function toolCell(caller: DialectName, upstream: string, stream: boolean): Promise<void> {
  const { model, upstream: server } = upstreamOf(upstream)
  const counts = countsFor(upstream)
  server.otherwise(says({ text: ['Let me look.'], toolCall, counts }))
  const calling = await charged(upstream, stream, () => sdks[caller]({ model, stream, withTool: true }))
  expect(calling.toolCall).toEqual({ name: 'get_weather', arguments: { city: 'Zürich' } })
  expect(calling.text).toBe('Let me look.')
  expect(calling.stop).toBe(stops[caller].call)
  expect(calling.usage).toEqual(usageShown[caller](counts))

  server.forget()
  server.otherwise(says({ text: ['It is 21 °C.'], counts }))
  const answer = await charged(upstream, stream, () => calling.giveResult('21 °C'))
  expect(answer.text).toBe('It is 21 °C.')
  expect(answer.stop).toBe(stops[caller].text)
  const [call] = server.calls
  const told = call === undefined ? undefined : server.protocol.toolTurnIn(call)
  expect(told).toEqual({
    name: 'get_weather',
    arguments: { city: 'Zürich' },
    result: '21 °C',
    ...(upstream === 'gemini' && { signature }),
  })
}

function upstreamOf(name: string): DialectUpstream {
  const found = upstreams[name]
  if (found === undefined) throw new Error(`no upstream ${name}`)
  return found
}

const cells = [
  ['text', textCell],
  ['tool call and its result', toolCell],
] as const
const forms = [
  ['streamed', true],
  ['whole', false],
] as const

for (const caller of callerNames)
  describe.each([...upstreamNames])(`the ${caller} SDK over an upstream that is %s`, (upstream) => {
    for (const [form, stream] of forms)
      for (const [kind, cell] of cells)
        it(`gets ${kind}, ${form}, exact and charged exactly`, async () => {
          const place = `${caller}|${upstream}|${form} ${kind}`
          marks.set(place, false)
          await cell(caller, upstream, stream)
          marks.set(place, true)
        })
  })

describe('the books', () => {
  it('add up after all of it', async () => {
    await gateway.kill()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    await gateway.start()
  })
})

function matrix(): string {
  const columns = forms.flatMap(([form]) => cells.map(([kind]) => `${form} ${kind}`))
  const lines = callerNames.flatMap((caller) =>
    upstreamNames.map((upstream) => {
      const row = columns.map((column) => {
        const mark = marks.get(`${caller}|${upstream}|${column}`)
        return (mark === undefined ? '-' : mark ? '✓' : '✗').padEnd(column.length)
      })
      return [`${caller} → ${upstream}`.padEnd(22), ...row].join(' | ')
    }),
  )
  return [[''.padEnd(22), ...columns].join(' | '), ...lines].join('\n')
}
