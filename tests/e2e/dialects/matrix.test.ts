import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Caller, callers } from '../../support/dialects/matrix-callers.ts'
import type { SdkAsk, SdkOptions, SdkReply } from '../../support/dialects/sdk-callers.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { type InspectedUpstream, overHttp } from '../../support/protocols/inspected-upstream.ts'
import {
  type OwnFormat,
  type OwnFormatName,
  type OwnFormatUpstreams,
  ownFormatNames,
  ownFormats,
  startOwnFormats,
  type UnsupportedFeature,
} from '../../support/protocols/own-format-channels.ts'
import type { Counts, ReceivedPrompt, Scripted, ScriptedCall } from '../../support/protocols/protocol.ts'
import {
  type DialectUpstream,
  type Feature,
  features,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamKinds,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { type ResponseDialect, responseSchemas } from '../../support/schemas/index.ts'
import { watchFetch } from '../../support/schemas/watched-fetch.ts'
import { image, responseSchema } from '../../support/sdk/ask.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let ownUpstreams: OwnFormatUpstreams
let options: SdkOptions
let watched: ReturnType<typeof watchFetch>

beforeAll(async () => {
  // Steps of a workflow at Dify would be among the reasoning.
  const env = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', DIFY_DEBUG: 'false' }
  gateway = await startTollgate({ env })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  ownUpstreams = await startOwnFormats(operator)
  const models = Object.values(ownFormats).map(({ model, seeingModel = model }) => [model, seeingModel])
  await priceModels(operator, { model: 2, completion: 5, cacheRead: 0.1, cacheWrite: 1.25 }, models.flat())
  options = { gatewayUrl: gateway.url, key: (await operator.addKey()).key }
  watched = watchFetch(gateway.url)
})
afterAll(async () => {
  watched?.stop()
  await gateway?.stop()
  await ownUpstreams?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

/** The counts that a provider tells, and what they cost: (input + reads × 0.1 + writes × 1.25 + output × 5) × 2. */
interface CountsCase {
  readonly counts: Counts
  readonly charge: number
}

const reported = { input: 100, cacheRead: 0, cacheWrite: 0, output: 30, reasoning: 0 }
const withMinCounts: CountsCase = { counts: reported, charge: 500 }
const withReasoning: CountsCase = { counts: { ...reported, cacheRead: 40, reasoning: 10 }, charge: 508 }
const withCacheWrites: CountsCase = { counts: { ...reported, cacheRead: 40, cacheWrite: 20 }, charge: 558 }

/** A provider: what it tells and has not, and the model to ask it for. */
interface Row extends CountsCase, Pick<OwnFormat, 'lacks' | 'unsupported' | 'thinksByDefault'> {
  readonly name: string
  readonly model: string
  /** Prompt as the upstream receives it. */
  readonly modelInPrompt: string
  readonly seeingModel: string
  /** Calls of tools carry what the model needs to go on from them. */
  readonly signsCalls: boolean
  readonly callers: readonly Caller[]
  upstream(): InspectedUpstream
}

const tells: Readonly<Record<UpstreamName | OwnFormatName, CountsCase>> = {
  openai: withReasoning,
  responses: withReasoning,
  anthropic: withCacheWrites,
  gemini: withReasoning,
  bedrock: withCacheWrites,
  converse: withCacheWrites,
  'vertex gemini': withReasoning,
  'vertex claude': withCacheWrites,
  'vertex open': withReasoning,
  cohere: withMinCounts,
  tencent: withMinCounts,
  baidu: withMinCounts,
  'zhipu v3': withMinCounts,
  xunfei: withMinCounts,
  'ai proxy': withReasoning,
  dify: withMinCounts,
  fastgpt: withMinCounts,
  'ai proxy library': withMinCounts,
}

const dialectRows = upstreamNames.map((name): Row => {
  const { knownModel: model, lacks = [] } = upstreamKinds[name]
  const models = { model, modelInPrompt: model, seeingModel: model }
  const upstream = () => overHttp(upstreams[name].upstream)
  return { name, ...tells[name], ...models, lacks, signsCalls: name === 'gemini', callers, upstream }
})

/** Callers of other SDKs than the vendors' own add nothing to what the rows above show. */
const vendorCallers = callers.filter(({ name }) => !name.startsWith('ai/'))

const ownRows = ownFormatNames.map((name): Row => {
  const { model, modelInPrompt = model, seeingModel = model, ...traits } = ownFormats[name]
  const upstream = () => ownUpstreams.upstreams[name]
  const signsCalls = name === 'vertex gemini'
  const models = { model, modelInPrompt, seeingModel }
  return { name, ...tells[name], ...models, ...traits, signsCalls, callers: vendorCallers, upstream }
})

const rows: readonly Row[] = [...dialectRows, ...ownRows]

/** One call through one SDK to one upstream, streamed or whole. */
interface Cell {
  readonly caller: Caller
  readonly ask: SdkAsk
  readonly row: Row
  readonly upstream: InspectedUpstream
  readonly question: { readonly model: string; readonly stream: boolean; readonly withTool: boolean }
}

function script({ row, upstream }: Cell, reply: Scripted): void {
  upstream.says({ counts: row.counts, ...reply })
}

/** The body that the upstream got in its only call. */
function promptSentTo({ row, upstream, question }: Cell): ReceivedPrompt {
  const { requested } = upstream
  expect(requested).toHaveLength(1)
  const [only] = requested
  if (only === undefined) throw new Error('the upstream was not called')
  expect(only.model).toBe(question.model === row.model ? row.modelInPrompt : question.model)
  return only.reported
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
  const { ask, question, caller, row } = cell
  const calls = toolCalls.map((call) => ({ name: call.name, arguments: JSON.parse(call.pieces.join('')) }))
  script(cell, { text: ['Let me look.'], toolCalls })
  const calling = await ask({ ...question, withTool: true })
  expect(calling.toolCalls).toEqual(calls)
  expect(calling.text).toBe('Let me look.')
  expect(calling.stop).toBe(caller.stops.call)

  script(cell, { text: ['It is 21 °C.'] })
  const reply = await calling.giveResults(...results)
  expect(reply.text).toBe('It is 21 °C.')
  expect(reply.stop).toBe(caller.stops.text)
  const turns = calls.map((call, index) => ({ ...call, result: results[index] ?? '' }))
  const [first, ...others] = turns
  const retained = caller.knowsOwnVendorOnly === true ? 'skip_thought_signature_validator' : signature
  const signed = row.signsCalls ? [{ ...first, signature: retained }, ...others] : turns
  expect(promptSentTo(cell).toolTurns).toEqual(signed as ReceivedPrompt['toolTurns'])
}

const cells: Readonly<Record<Feature, (cell: Cell) => Promise<void>>> = {
  async text(cell) {
    script(cell, { text: ['Grüezi ', 'aus \n', 'Zürich 🌤.'] })
    const reply = await cell.ask(cell.question)
    expect(reply).toMatchObject({ text: 'Grüezi aus \nZürich 🌤.', toolCalls: [], reasoning: '' })
    expect(reply.stop).toBe(cell.caller.stops.text)
  },
  tools: (cell) => toolLoop(cell, [zurich], ['21 °C']),
  parallel: (cell) => toolLoop(cell, [zurich, geneva], ['21 °C', '23 °C']),
  async image(cell) {
    script(cell, { text: ['One pixel.'] })
    const reply = await cell.ask({ ...cell.question, wants: 'image' })
    expect(reply.text).toBe('One pixel.')
    expect(promptSentTo(cell).images).toEqual([image.base64])
  },
  async reasoning(cell) {
    script(cell, { reasoning: ['It is ', 'June.'], text: ['Warm.'] })
    const reply = await cell.ask({ ...cell.question, wants: 'reasoning' })
    expect(reply.text).toBe('Warm.')
    expect(reply.reasoning).toBe(cell.caller.knowsOwnVendorOnly === true ? '' : 'It is June.')
    expect(promptSentTo(cell).wantsReasoning).toBe(cell.row.thinksByDefault !== true)
  },
  async schema(cell) {
    script(cell, { text: ['{"city":"Zürich",', '"degrees":21}'] })
    const reply = await cell.ask({ ...cell.question, wants: 'schema' })
    expect(JSON.parse(reply.text)).toEqual({ city: 'Zürich', degrees: 21 })
    expect(reply.stop).toBe(cell.caller.stops.text)
    expect(promptSentTo(cell).schema).toMatchObject({
      properties: {
        city: { type: expect.stringMatching(/string/i) },
        degrees: { type: expect.stringMatching(/number/i) },
      },
      required: responseSchema.required,
    })
  },
  async usage(cell) {
    const { row, question, caller } = cell
    script(cell, { text: ['Warm.'] })
    const reply = await charged(row, question.stream, () => cell.ask(question))
    expect(reply.usage).toEqual(caller.usageVisible(row.counts))
  },
}

/** Runs one call and checks what it cost: in its log row, and of the balance. */
async function charged(
  { counts, charge }: Row,
  is_stream: boolean,
  work: () => Promise<SdkReply>,
): Promise<SdkReply> {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const reply = await work()
  const row = await operator.consumption(rows + 1)
  const { input, cacheRead, cacheWrite, output, reasoning } = counts
  expect(row).toMatchObject({
    quota: charge,
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
  expect(other.reasoning_tokens ?? 0).toBe(reasoning)
  expect(other.estimated).toBeUndefined()
  expect(before - (await operator.quota())).toBe(charge)
  return reply
}

/** Refused by name before anything is sent. */
async function isRefused(feature: Feature, cell: Cell): Promise<void> {
  script(cell, { text: ['Hello.'] })
  const wants = feature === 'image' || feature === 'reasoning' || feature === 'schema' ? feature : undefined
  const withTool = feature === 'tools' || feature === 'parallel'
  const asking = cell.ask({ ...cell.question, withTool, ...(wants !== undefined && { wants }) })
  const raised = await asking.catch((error) => error)
  expect(raised).toBeInstanceOf(Error)
  expect(String(raised.message)).toMatch(/not supported|cannot be used/)
  expect(cell.upstream.requested).toHaveLength(0)
}

/** Features that the provider lacks, which the gateway drops, by the provider's page. */
const repliesWithout: Readonly<Record<UnsupportedFeature, (cell: Cell) => Promise<void>>> = {
  /** Its wire has room for one call. */
  async parallel(cell) {
    script(cell, { toolCalls: [zurich, geneva] })
    const reply = await cell.ask({ ...cell.question, withTool: true })
    expect(reply.toolCalls).toEqual([{ name: zurich.name, arguments: { city: 'Zürich' } }])
    expect(reply.stop).toBe(cell.caller.stops.call)
  },
  async reasoning(cell) {
    script(cell, { text: ['Warm.'] })
    const reply = await cell.ask({ ...cell.question, wants: 'reasoning' })
    expect(reply).toMatchObject({ text: 'Warm.', reasoning: '' })
    expect(promptSentTo(cell).wantsReasoning).toBe(false)
  },
  /** The gateway counts itself, and says so. */
  async usage(cell) {
    script(cell, { text: ['Warm.'] })
    const [before, rows] = [await operator.quota(), await operator.consumed()]
    await cell.ask(cell.question)
    const row = await operator.consumption(rows + 1)
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true, completion_ratio: 5 })
    expect(row.prompt_tokens).toBeGreaterThan(0)
    expect(row.completion_tokens).toBeGreaterThan(0)
    expect(row.quota).toBe((row.prompt_tokens + 5 * row.completion_tokens) * 2)
    expect(before - (await operator.quota())).toBe(row.quota)
  },
}

async function raisesBefore({ ask, question, upstream }: Cell): Promise<void> {
  upstream.refuses('that is too much')
  const raised = await ask(question).catch((error) => error)
  expect(raised).toBeInstanceOf(Error)
  expect(String(raised.message)).toContain('that is too much')
}

async function raisesAfter({ ask, question, upstream }: Cell): Promise<void> {
  upstream.failsAfter(2, { text: ['one ', 'two ', 'three '] }, 'no more of this')
  const raised = await ask(question).catch((error) => error)
  expect(raised?.text).toBeUndefined()
  expect(raised).toBeDefined()
}

type Column = (typeof columns)[number]
const columns = [...features, 'error before', 'error after'] as const
type Mark = 'pass' | 'FAIL' | 'has it not'

/** Marks of each caller, upstream and column; a failure in either form is one of the cell. */
const marks = new Map<string, Mark>()
const position = (caller: Caller, row: Row, column: Column) => `${pair(caller, row)}|${column}`

async function marked(key: string, mark: Mark, work: () => Promise<void>): Promise<void> {
  const before = marks.get(key)
  marks.set(key, 'FAIL')
  await work()
  marks.set(key, before === 'FAIL' ? 'FAIL' : mark)
}

/** Dialects whose callers get the provider's own words, which are not ours to complete. */
const passes: Readonly<Record<string, readonly ResponseDialect[]>> = {
  openai: ['openai-chat'],
  responses: ['openai-responses'],
  anthropic: ['anthropic-messages'],
  gemini: ['gemini'],
  bedrock: ['anthropic-messages'],
  'vertex gemini': ['gemini'],
  'vertex claude': ['anthropic-messages'],
  'vertex open': ['openai-chat'],
  'ai proxy': ['openai-chat'],
}

/** Names of the responses that were checked against a schema. */
const checked = new Set<string>()

const isUnsupported = (feature: Feature): feature is UnsupportedFeature => feature in repliesWithout

const forms = [
  ['streamed', true],
  ['whole', false],
] as const

for (const row of rows)
  describe.each([...row.callers])(`over an upstream that is ${row.name} the SDK $name`, (caller) => {
    let ask: SdkAsk
    beforeEach(() => {
      ask ??= caller.sdk(options)
    })
    afterEach(async () => {
      for (const { dialect, problems } of await watched.take()) {
        if (passes[row.name]?.includes(dialect)) continue
        expect(problems).toBe('')
        checked.add(`${dialect} from ${row.name}`)
      }
    })

    for (const [form, stream] of forms) {
      const cellOf = (feature?: Feature): Cell => {
        const model = feature === 'image' ? row.seeingModel : row.model
        return { caller, ask, row, upstream: row.upstream(), question: { model, stream, withTool: false } }
      }
      for (const feature of features) {
        const key = position(caller, row, feature)
        const run = (mark: Mark, work: (cell: Cell) => Promise<void>) =>
          marked(key, mark, () => work(cellOf(feature)))
        if (row.lacks?.includes(feature))
          it(`is refused ${feature}, ${form}, which the provider has not`, () =>
            run('has it not', (cell) => isRefused(feature, cell)))
        else if (isUnsupported(feature) && row.unsupported?.includes(feature))
          it(`succeeds without ${feature}, ${form}, which the provider lacks`, () =>
            run('has it not', repliesWithout[feature]))
        else it(`gets ${feature}, ${form}`, () => run('pass', cells[feature]))
      }
      it(`raises what fails before the first token, ${form}`, () =>
        marked(position(caller, row, 'error before'), 'pass', () => raisesBefore(cellOf())))
      if (stream)
        it('raises what fails after the first token', () =>
          marked(position(caller, row, 'error after'), 'pass', () => raisesAfter(cellOf())))
    }
  })

describe('the matrix', () => {
  it('has no hole, and no cell that fails', () => {
    process.stdout.write(`${table()}\n`)
    const every = rows.flatMap((row) =>
      row.callers.flatMap((caller) => columns.map((column) => position(caller, row, column))),
    )
    expect(every.filter((key) => !marks.has(key) || marks.get(key) === 'FAIL')).toEqual([])
  })

  it('has held the responses of every dialect, from every provider that speaks another, against their schema', () => {
    const every = rows.flatMap(({ name }) =>
      (Object.keys(responseSchemas) as ResponseDialect[])
        .filter((dialect) => !passes[name]?.includes(dialect))
        .map((dialect) => `${dialect} from ${name}`),
    )
    expect([...checked].toSorted()).toEqual(every.toSorted())
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
  const wide = Math.max(...rows.flatMap((row) => row.callers.map((caller) => pair(caller, row).length)))
  const cell = (text: string, column: Column) => text.padEnd(Math.max(column.length, 'has it not'.length))
  const lines = rows.flatMap((row) =>
    row.callers.map((caller) => {
      const found = columns.map((column) => cell(marks.get(position(caller, row, column)) ?? '–', column))
      return [pair(caller, row).padEnd(wide), ...found].join(' | ')
    }),
  )
  const head = columns.map((column) => cell(column, column))
  return [[''.padEnd(wide), ...head].join(' | '), ...lines].join('\n')
}

function pair(caller: Caller, { name }: Row): string {
  return `${caller.name} → ${name}`
}
