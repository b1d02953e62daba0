import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type Operator, operate } from '../support/operator.ts'
import { answerSchema, image } from '../support/sdk/ask.ts'
import {
  anthropicCaller,
  geminiCaller,
  openAiCaller,
  responsesCaller,
  type SdkAnswer,
  type SdkAsk,
  type SdkOptions,
  vercelCallers,
} from '../support/sdk-callers.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import {
  type DialectUpstream,
  type Feature,
  features,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamKinds,
  upstreamNames,
} from '../support/upstream-channels.ts'
import type { Counts, Scripted, ScriptedCall, Told } from '../support/upstream-protocol.ts'
import { failsAfter, refuses, says } from '../support/upstream-scripted.ts'

setDefaultTimeout(20_000)

/** A program that calls: its SDK, and what the SDK makes of an answer. */
interface Caller {
  readonly name: string
  readonly sdk: (options: SdkOptions) => SdkAsk
  readonly stops: { readonly text: string; readonly call: string }
  usageShown(counts: Counts): Readonly<Record<string, number>>
  /** The SDK has no place for what its vendor's own models do not send: thoughts, and signatures of calls. */
  readonly knowsOwnVendorOnly?: boolean
}

const vercel = {
  stops: { text: 'stop', call: 'tool-calls' },
  usageShown: (counts: Counts) => nonZero({ ...counts }),
}

const callers: readonly Caller[] = [
  {
    name: 'openai chat',
    sdk: openAiCaller,
    stops: { text: 'stop', call: 'tool_calls' },
    usageShown: ({ input, cacheRead, cacheWrite, output, thoughts }) =>
      nonZero({
        prompt_tokens: input + cacheRead + cacheWrite,
        completion_tokens: output,
        total_tokens: input + cacheRead + cacheWrite + output,
        cached_tokens: cacheRead,
        reasoning_tokens: thoughts,
      }),
  },
  {
    name: 'openai responses',
    sdk: responsesCaller,
    stops: { text: 'completed', call: 'completed' },
    usageShown: ({ input, cacheRead, cacheWrite, output, thoughts }) =>
      nonZero({
        input_tokens: input + cacheRead + cacheWrite,
        output_tokens: output,
        total_tokens: input + cacheRead + cacheWrite + output,
        cached_tokens: cacheRead,
        reasoning_tokens: thoughts,
      }),
  },
  {
    name: 'anthropic',
    sdk: anthropicCaller,
    stops: { text: 'end_turn', call: 'tool_use' },
    usageShown: ({ input, cacheRead, cacheWrite, output }) =>
      nonZero({
        input_tokens: input,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
        output_tokens: output,
      }),
  },
  {
    name: 'google genai',
    sdk: geminiCaller,
    stops: { text: 'STOP', call: 'STOP' },
    usageShown: ({ input, cacheRead, cacheWrite, output, thoughts }) =>
      nonZero({
        promptTokenCount: input + cacheRead + cacheWrite,
        candidatesTokenCount: output - thoughts,
        thoughtsTokenCount: thoughts,
        totalTokenCount: input + cacheRead + cacheWrite + output,
        cachedContentTokenCount: cacheRead,
      }),
  },
  { ...vercel, name: 'ai/openai chat', sdk: vercelCallers.openai, knowsOwnVendorOnly: true },
  { ...vercel, name: 'ai/openai responses', sdk: vercelCallers.responses },
  { ...vercel, name: 'ai/anthropic', sdk: vercelCallers.anthropic },
  {
    ...vercel,
    name: 'ai/google',
    sdk: vercelCallers.gemini,
    usageShown: ({ input, cacheWrite, ...others }) => nonZero({ ...others, input: input + cacheWrite }),
  },
]

function nonZero(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let options: SdkOptions

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await priceModels(operator, { model: 2, completion: 5, cacheRead: 0.1, cacheWrite: 1.25 })
  options = { gatewayUrl: gateway.url, key: (await operator.addKey()).key }
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

/** Cache writes and thoughts are told by the vendors that know them. */
function countsFor(name: UpstreamName): Counts {
  const isClaude = name === 'anthropic' || name === 'bedrock'
  const told = { input: 100, cacheRead: 40, output: 30 }
  return { ...told, cacheWrite: isClaude ? 20 : 0, thoughts: isClaude ? 0 : 10 }
}

/** (100 + 40 × 0.1 + 20 × 1.25 + 30 × 5) × 2, and without the cache write (100 + 40 × 0.1 + 30 × 5) × 2. */
const charges = { openai: 508, responses: 508, anthropic: 558, gemini: 508, bedrock: 558 } as const

/** One call through one SDK to one upstream, streamed or whole. */
interface Cell {
  readonly caller: Caller
  readonly ask: SdkAsk
  readonly name: UpstreamName
  readonly upstream: DialectUpstream['upstream']
  readonly question: { readonly model: string; readonly stream: boolean; readonly withTool: boolean }
}

function script({ name, upstream }: Cell, answer: Scripted): void {
  upstream.forget()
  upstream.otherwise(says({ counts: countsFor(name), ...answer }))
}

/** What the upstream was told in its only call. */
function toldTo({ upstream }: Cell): Told {
  expect(upstream.calls).toHaveLength(1)
  const [call] = upstream.calls
  if (call === undefined) throw new Error('the upstream was not called')
  return upstream.protocol.told(call)
}

const signature = 'CiQBVKhc7vB+vaaq6rA1MYkBAgM='
const zurich: ScriptedCall = {
  id: 'toolu_01A09q90qw90lq917835lq9',
  name: 'get_weather',
  pieces: ['{"ci', 'ty": "Zü', 'rich"}'],
  signature,
}
const geneva: ScriptedCall = { id: 'toolu_02', name: 'get_weather', pieces: ['{"city": ', '"Genf"}'] }

/** Two turns: the calls, and their results in the order in which side by side they end. */
async function toolLoop(
  cell: Cell,
  toolCalls: readonly ScriptedCall[],
  results: readonly string[],
): Promise<void> {
  const { ask, question, caller, name } = cell
  const calls = toolCalls.map((call) => ({ name: call.name, arguments: JSON.parse(call.pieces.join('')) }))
  script(cell, { text: ['Let me look.'], toolCalls })
  const calling = await ask({ ...question, withTool: true })
  expect(calling.toolCalls).toEqual(calls)
  expect(calling.text).toBe('Let me look.')
  expect(calling.stop).toBe(caller.stops.call)

  script(cell, { text: ['It is 21 °C.'] })
  const answer = await calling.giveResults(...results)
  expect(answer.text).toBe('It is 21 °C.')
  expect(answer.stop).toBe(caller.stops.text)
  const told = calls.map((call, place) => ({ ...call, result: results[place] ?? '' }))
  const [first, ...others] = told
  const kept = caller.knowsOwnVendorOnly === true ? 'skip_thought_signature_validator' : signature
  const signed = name === 'gemini' ? [{ ...first, signature: kept }, ...others] : told
  expect(toldTo(cell).toolTurns).toEqual(signed as Told['toolTurns'])
}

const cells: Readonly<Record<Feature, (cell: Cell) => Promise<void>>> = {
  async text(cell) {
    script(cell, { text: ['Grüezi ', 'aus ', 'Zürich 🌤.'] })
    const answer = await cell.ask(cell.question)
    expect(answer).toMatchObject({ text: 'Grüezi aus Zürich 🌤.', toolCalls: [], thoughts: '' })
    expect(answer.stop).toBe(cell.caller.stops.text)
  },
  tools: (cell) => toolLoop(cell, [zurich], ['21 °C']),
  parallel: (cell) => toolLoop(cell, [zurich, geneva], ['21 °C', '23 °C']),
  async image(cell) {
    script(cell, { text: ['One pixel.'] })
    const answer = await cell.ask({ ...cell.question, wants: 'image' })
    expect(answer.text).toBe('One pixel.')
    expect(toldTo(cell).images).toEqual([image.base64])
  },
  async thoughts(cell) {
    script(cell, { thoughts: ['It is ', 'June.'], text: ['Warm.'] })
    const answer = await cell.ask({ ...cell.question, wants: 'thoughts' })
    expect(answer.text).toBe('Warm.')
    expect(answer.thoughts).toBe(cell.caller.knowsOwnVendorOnly === true ? '' : 'It is June.')
    expect(toldTo(cell).wantsThoughts).toBe(true)
  },
  async schema(cell) {
    script(cell, { text: ['{"city":"Zürich",', '"degrees":21}'] })
    const answer = await cell.ask({ ...cell.question, wants: 'schema' })
    expect(JSON.parse(answer.text)).toEqual({ city: 'Zürich', degrees: 21 })
    expect(answer.stop).toBe(cell.caller.stops.text)
    expect(toldTo(cell).schema).toMatchObject({
      properties: {
        city: { type: expect.stringMatching(/string/i) },
        degrees: { type: expect.stringMatching(/number/i) },
      },
      required: answerSchema.required,
    })
  },
  async usage(cell) {
    const { name, question, caller } = cell
    script(cell, { text: ['Warm.'] })
    const answer = await charged(name, question.stream, () => cell.ask(question))
    expect(answer.usage).toEqual(caller.usageShown(countsFor(name)))
  },
}

/** Runs one call and checks what it cost: in its log row, and of the balance. */
async function charged(
  name: UpstreamName,
  is_stream: boolean,
  work: () => Promise<SdkAnswer>,
): Promise<SdkAnswer> {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const answer = await work()
  const row = await operator.consumption(rows + 1)
  const { input, cacheRead, cacheWrite, output, thoughts } = countsFor(name)
  expect(row).toMatchObject({
    quota: charges[name],
    prompt_tokens: input + cacheRead + cacheWrite,
    completion_tokens: output,
    is_stream,
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
  expect(before - (await operator.quota())).toBe(charges[name])
  return answer
}

/** Refused by name before anything is sent. */
async function isRefused(feature: Feature, cell: Cell): Promise<void> {
  script(cell, { text: ['Hello.'] })
  const wants = feature === 'image' || feature === 'thoughts' || feature === 'schema' ? feature : undefined
  const withTool = feature === 'tools' || feature === 'parallel'
  const asking = cell.ask({ ...cell.question, withTool, ...(wants !== undefined && { wants }) })
  const raised = await asking.catch((error) => error)
  expect(raised).toBeInstanceOf(Error)
  expect(String(raised.message)).toMatch(/not supported|cannot be used/)
  expect(cell.upstream.calls).toHaveLength(0)
}

async function raisesBefore({ ask, question, upstream }: Cell): Promise<void> {
  upstream.forget()
  upstream.otherwise(refuses(400, 'that is too much'))
  const raised = await ask(question).catch((error) => error)
  expect(raised).toBeInstanceOf(Error)
  expect(String(raised.message)).toContain('that is too much')
}

async function raisesAfter({ ask, question, upstream }: Cell): Promise<void> {
  upstream.forget()
  upstream.otherwise(failsAfter(2, { text: ['one ', 'two ', 'three '] }, 'no more of this'))
  const raised = await ask(question).catch((error) => error)
  expect(raised?.text).toBeUndefined()
  expect(raised).toBeDefined()
}

type Column = (typeof columns)[number]
const columns = [...features, 'error before', 'error after'] as const
type Mark = 'pass' | 'FAIL' | 'has it not'

/** Of each caller and upstream and column; a failure in either form is one of the cell. */
const marks = new Map<string, Mark>()
const place = (caller: Caller, name: UpstreamName, column: Column) => `${caller.name} → ${name}|${column}`

async function marked(key: string, mark: Mark, work: () => Promise<void>): Promise<void> {
  const before = marks.get(key)
  marks.set(key, 'FAIL')
  await work()
  marks.set(key, before === 'FAIL' ? 'FAIL' : mark)
}

const forms = [
  ['streamed', true],
  ['whole', false],
] as const

for (const caller of callers)
  describe.each([...upstreamNames])(`the SDK ${caller.name} over an upstream that is %s`, (name) => {
    let ask: SdkAsk
    beforeEach(() => {
      ask ??= caller.sdk(options)
    })

    for (const [form, stream] of forms) {
      const cellOf = (): Cell => {
        const { knownModel: model, upstream } = upstreams[name]
        return { caller, ask, name, upstream, question: { model, stream, withTool: false } }
      }
      for (const feature of features) {
        const key = place(caller, name, feature)
        if (upstreamKinds[name].lacks?.includes(feature))
          it(`is refused ${feature}, ${form}, which the provider has not`, () =>
            marked(key, 'has it not', () => isRefused(feature, cellOf())))
        else it(`gets ${feature}, ${form}`, () => marked(key, 'pass', () => cells[feature](cellOf())))
      }
      it(`raises what fails before the first token, ${form}`, () =>
        marked(place(caller, name, 'error before'), 'pass', () => raisesBefore(cellOf())))
      if (stream)
        it('raises what fails after the first token', () =>
          marked(place(caller, name, 'error after'), 'pass', () => raisesAfter(cellOf())))
    }
  })

describe('the matrix', () => {
  it('has no hole, and no cell that fails', () => {
    process.stdout.write(`${table()}\n`)
    const every = callers.flatMap((caller) =>
      upstreamNames.flatMap((name) => columns.map((column) => place(caller, name, column))),
    )
    expect(every.filter((key) => !marks.has(key) || marks.get(key) === 'FAIL')).toEqual([])
  })

  it('leaves books that add up', async () => {
    await gateway.kill()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    await gateway.start()
  })
})

function table(): string {
  const wide = Math.max(...callers.map(({ name }) => name.length)) + ' → anthropic'.length
  const lines = callers.flatMap((caller) =>
    upstreamNames.map((name) => {
      const row = columns.map((column) =>
        (marks.get(place(caller, name, column)) ?? '–').padEnd(Math.max(column.length, 'has it not'.length)),
      )
      return [`${caller.name} → ${name}`.padEnd(wide), ...row].join(' | ')
    }),
  )
  const head = columns.map((column) => column.padEnd(Math.max(column.length, 'has it not'.length)))
  return [[''.padEnd(wide), ...head].join(' | '), ...lines].join('\n')
}
