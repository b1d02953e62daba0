import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { cohereProtocol } from '../support/cohere-upstream.ts'
import { converseProtocol } from '../support/converse-upstream.ts'
import { type Operator, operate } from '../support/operator.ts'
import { image, type SdkAnswer, type SdkAsk, type SdkOptions } from '../support/sdk/ask.ts'
import { anthropicCaller, geminiCaller, openAiCaller, responsesCaller } from '../support/sdk-callers.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import type { Counts, Protocol, Scripted } from '../support/upstream-protocol.ts'
import {
  failsAfter,
  refuses,
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../support/upstream-scripted.ts'
import { regionOf, startTokenIssuer, type TokenIssuer, vertexProtocol } from '../support/vertex-upstream.ts'

setDefaultTimeout(20_000)

const awsKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const awsText = `${awsKey.accessKeyId}|${awsKey.secret}|${awsKey.region}`

/** What its models are asked for by, and which counts it tells. */
interface Cloud {
  readonly model: string
  /** As the upstream is to be told it. */
  readonly told: string
  readonly upstream: 'bedrock' | 'vertex' | 'cohere'
  readonly counts: Counts
}

const told: Counts = { input: 100, cacheRead: 40, cacheWrite: 0, output: 30, thoughts: 0 }
const clouds: Readonly<Record<string, Cloud>> = {
  'Bedrock Converse': {
    model: 'amazon.nova-2-lite-v1:0',
    told: 'us.amazon.nova-2-lite-v1:0',
    upstream: 'bedrock',
    counts: { ...told, cacheWrite: 20 },
  },
  'Vertex Gemini': {
    model: 'gemini-3-pro-preview',
    told: 'gemini-3-pro-preview',
    upstream: 'vertex',
    counts: { ...told, thoughts: 10 },
  },
  'Vertex Claude': {
    model: 'claude-sonnet-4-5-20250929',
    told: 'claude-sonnet-4-5@20250929',
    upstream: 'vertex',
    counts: { ...told, cacheWrite: 20 },
  },
  'Vertex open models': {
    model: 'openai/gpt-oss-120b-maas',
    told: 'openai/gpt-oss-120b-maas',
    upstream: 'vertex',
    counts: { ...told, thoughts: 10 },
  },
  Cohere: {
    model: 'command-a-reasoning-08-2025',
    told: 'command-a-reasoning-08-2025',
    upstream: 'cohere',
    counts: { ...told, cacheRead: 0 },
  },
}

const callers: Readonly<Record<string, (options: SdkOptions) => SdkAsk>> = {
  'openai chat': openAiCaller,
  'openai responses': responsesCaller,
  anthropic: anthropicCaller,
  'google genai': geminiCaller,
}

let gateway: Tollgate
let operator: Operator
let issuer: TokenIssuer
let key: string
const upstreams = new Map<Cloud['upstream'], ScriptedUpstream>()

function upstreamOf(name: Cloud['upstream']): ScriptedUpstream {
  const upstream = upstreams.get(name)
  if (upstream === undefined) throw new Error(`no upstream ${name}`)
  return upstream
}

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  issuer = await startTokenIssuer()
  const protocols: Readonly<Record<Cloud['upstream'], Protocol>> = {
    bedrock: converseProtocol(awsKey),
    vertex: vertexProtocol(issuer),
    cohere: cohereProtocol,
  }
  const channels = {
    bedrock: { type: 33, key: awsText },
    vertex: {
      type: 41,
      key: issuer.key,
      other: '{"default":"us-central1","claude-sonnet-4-5-20250929":"europe-west1"}',
    },
    cohere: { type: 34, key: 'co-upstream-0001' },
  }
  for (const name of ['bedrock', 'vertex', 'cohere'] as const) {
    const upstream = await startScriptedUpstream(protocols[name])
    upstreams.set(name, upstream)
    const models = Object.values(clouds).filter((cloud) => cloud.upstream === name)
    await operator.addChannel({
      name,
      base_url: upstream.url,
      models: models.map(({ model }) => model).join(),
      ...channels[name],
    })
  }
  const models = Object.values(clouds).map(({ model }) => model)
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio])))
  await operator.option('ModelRatio', each(2))
  await operator.option('CompletionRatio', each(5))
  await operator.option('CacheRatio', each(0.1))
  await operator.option('CreateCacheRatio', each(1.25))
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await issuer?.stop()
  for (const upstream of upstreams.values()) await upstream.stop()
})

interface Cell {
  readonly ask: SdkAsk
  readonly cloud: Cloud
  readonly upstream: ScriptedUpstream
  readonly question: { readonly model: string; readonly stream: boolean; readonly withTool: boolean }
}

function script({ cloud, upstream }: Cell, answer: Scripted): void {
  upstream.forget()
  upstream.otherwise(says({ counts: cloud.counts, ...answer }))
}

function toldTo({ upstream, cloud }: Cell) {
  expect(upstream.calls).toHaveLength(1)
  const [call] = upstream.calls
  if (call === undefined) throw new Error('the upstream was not called')
  expect(upstream.protocol.modelOf(call)).toBe(cloud.told)
  return upstream.protocol.told(call)
}

const zurich = { id: 'call_z', name: 'get_weather', pieces: ['{"ci', 'ty": "Zü', 'rich"}'] }
const geneva = { id: 'call_g', name: 'get_weather', pieces: ['{"city": ', '"Genf"}'] }

const cells: Readonly<Record<string, (cell: Cell) => Promise<void>>> = {
  async 'text, charged exactly'(cell) {
    script(cell, { text: ['Grüezi ', 'aus ', 'Zürich 🌤.'] })
    const answer = await charged(cell, () => cell.ask(cell.question))
    expect(answer.text).toBe('Grüezi aus Zürich 🌤.')
    toldTo(cell)
  },
  async 'parallel tools and their results'(cell) {
    script(cell, { toolCalls: [zurich, geneva] })
    const calling = await cell.ask({ ...cell.question, withTool: true })
    const calls = ['Zürich', 'Genf'].map((city) => ({ name: 'get_weather', arguments: { city } }))
    expect(calling.toolCalls).toEqual(calls)
    script(cell, { text: ['It is 21 °C.'] })
    expect((await calling.giveResults('21 °C', '23 °C')).text).toBe('It is 21 °C.')
    const [first, second] = calls
    expect(toldTo(cell).toolTurns).toMatchObject([
      { ...first, result: '21 °C' },
      { ...second, result: '23 °C' },
    ])
  },
  async 'an image'(cell) {
    script(cell, { text: ['One pixel.'] })
    expect((await cell.ask({ ...cell.question, wants: 'image' })).text).toBe('One pixel.')
    expect(toldTo(cell).images).toEqual([image.base64])
  },
  async thoughts(cell) {
    script(cell, { thoughts: ['It is ', 'June.'], text: ['Warm.'] })
    const answer = await cell.ask({ ...cell.question, wants: 'thoughts' })
    expect(answer).toMatchObject({ text: 'Warm.', thoughts: 'It is June.' })
    expect(toldTo(cell).wantsThoughts).toBe(true)
  },
  async 'an answer by a schema'(cell) {
    script(cell, { text: ['{"city":"Zürich",', '"degrees":21}'] })
    const answer = await cell.ask({ ...cell.question, wants: 'schema' })
    expect(JSON.parse(answer.text)).toEqual({ city: 'Zürich', degrees: 21 })
    expect(toldTo(cell).schema).toMatchObject({ required: ['city', 'degrees'] })
  },
  async 'refusals and failures'(cell) {
    cell.upstream.forget()
    cell.upstream.otherwise(refuses(400, 'that is too much'))
    const refused = await cell.ask(cell.question).catch((error) => error)
    expect(String(refused.message)).toContain('that is too much')
    if (!cell.question.stream) return
    cell.upstream.otherwise(failsAfter(2, { text: ['one ', 'two ', 'three '] }, 'no more of this'))
    const raised = await cell.ask(cell.question).catch((error) => error)
    expect(raised?.text).toBeUndefined()
  },
}

/** (input + cache read × 0.1 + cache write × 1.25 + output × its ratio) × 2. */
async function charged({ cloud, question }: Cell, work: () => Promise<SdkAnswer>): Promise<SdkAnswer> {
  const rows = await operator.consumed()
  const answer = await work()
  const row = await operator.consumption(rows + 1)
  const { input, cacheRead, cacheWrite, output, thoughts } = cloud.counts
  const other = JSON.parse(row.other)
  expect(row).toMatchObject({
    prompt_tokens: input + cacheRead + cacheWrite,
    completion_tokens: output,
    is_stream: question.stream,
    quota: (input + cacheRead * 0.1 + cacheWrite * 1.25 + output * other.completion_ratio) * 2,
  })
  expect(other.estimated).toBeUndefined()
  expect(other.reasoning_tokens ?? 0).toBe(thoughts)
  return answer
}

for (const [callerName, sdk] of Object.entries(callers))
  describe.each(Object.entries(clouds))(`the SDK ${callerName} over %s`, (_name, cloud) => {
    let ask: SdkAsk
    beforeEach(() => {
      ask ??= sdk({ gatewayUrl: gateway.url, key })
    })

    for (const stream of [true, false])
      for (const [what, cell] of Object.entries(cells))
        it(`gets ${what} (stream: ${stream})`, () => {
          const question = { model: cloud.model, stream, withTool: false }
          return cell({ ask, cloud, upstream: upstreamOf(cloud.upstream), question })
        })
  })

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const chat = (model: string, more: object = {}) =>
  post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }], ...more })

describe('tokens of a service account', () => {
  it('are fetched once for all calls side by side, and once more when they are refused', async () => {
    upstreamOf('vertex').forget()
    issuer.revoke()
    const before = issuer.issued
    for (const round of [1, 2]) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => chat('gemini-3-pro-preview')))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect(issuer.issued).toBe(before + round)
      if (round === 1) issuer.revoke()
    }
  })
})

describe('Claude at Vertex', () => {
  it('is asked in its region, with the betas that are known there, and nothing else of the caller', async () => {
    const upstream = upstreamOf('vertex')
    upstream.forget()
    const asked = {
      model: 'claude-sonnet-4-5-20250929',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
      new_field: 1,
    }
    const beta = 'claude-code-20250219,context-1m-2025-08-07'
    const answer = await post('/v1/messages?beta=true', asked, {
      'anthropic-version': '2023-06-01',
      'anthropic-beta': beta,
    })
    expect(answer.status).toBe(200)
    const [call] = upstream.calls
    expect(call === undefined ? '' : regionOf(call)).toBe('europe-west1')
    expect(call?.headers['anthropic-beta']).toBe('context-1m-2025-08-07')
    expect(call?.json).toMatchObject({ new_field: 1, max_tokens: 9 })
  })
})

describe('keys that are none', () => {
  it.each([
    [41, 'sk-plain', 'us-central1', 'client_email'],
    [41, '{"client_email":"a","private_key":"-----BEGIN"}', 'us-central1', 'project_id'],
    [33, 'AKID|secret', '', 'AccessKeyId|SecretAccessKey|Region'],
    [33, 'AKID|secret|us-east-1|more', '', 'AccessKeyId|SecretAccessKey|Region'],
  ] as const)('of type %i are refused when the channel is saved: %s', async (type, wrong, other, shown) => {
    const refused = await operator
      .addChannel({ name: 'bad', base_url: '', type, key: wrong, other, models: 'm' })
      .catch((error) => error)
    expect(String(refused?.message ?? refused)).toContain(shown)
  })
})
