import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type DialectCall, dialectCalls, send } from '../../support/dialects/dialect-calls.ts'
import {
  edgeTrials,
  type FieldKinds,
  type Trial,
  withField,
  wrongTrials,
} from '../../support/dialects/field-trials.ts'
import { nestedFields } from '../../support/dialects/nested-fields.ts'
import { type Operator, operate } from '../../support/operator.ts'
import {
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(30_000))

let gateway: Tollgate
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string
let operator: Operator

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await priceModels(operator, { model: 1, completion: 1 })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

/** Kinds of values that a field of each dialect may have, by path. All others are tried. */
const fields: Readonly<Record<DialectCall['name'], FieldKinds>> = {
  openai: {
    messages: ['list'],
    stream_options: ['object'],
    temperature: ['number'],
    top_p: ['number'],
    n: ['number'],
    stop: ['text', 'list'],
    max_tokens: ['number'],
    max_completion_tokens: ['number'],
    presence_penalty: ['number'],
    frequency_penalty: ['number'],
    seed: ['number'],
    logit_bias: ['object'],
    logprobs: ['flag'],
    top_logprobs: ['number'],
    user: ['text'],
    tools: ['list'],
    tool_choice: ['text', 'object'],
    parallel_tool_calls: ['flag'],
    response_format: ['object'],
    reasoning_effort: ['text'],
    metadata: ['object'],
    modalities: ['list'],
    service_tier: ['text'],
    store: ['flag'],
    verbosity: ['text'],
    prompt_cache_key: ['text'],
  },
  responses: {
    input: ['text', 'list'],
    instructions: ['text'],
    max_output_tokens: ['number'],
    temperature: ['number'],
    top_p: ['number'],
    top_logprobs: ['number'],
    tools: ['list'],
    tool_choice: ['text', 'object'],
    parallel_tool_calls: ['flag'],
    text: ['object'],
    reasoning: ['object'],
    include: ['list'],
    metadata: ['object'],
    user: ['text'],
    service_tier: ['text'],
    store: ['flag'],
    background: ['flag'],
    truncation: ['text'],
    prompt_cache_key: ['text'],
  },
  anthropic: {
    messages: ['list'],
    max_tokens: ['number'],
    system: ['text', 'list'],
    stop_sequences: ['list'],
    temperature: ['number'],
    top_p: ['number'],
    top_k: ['number'],
    tools: ['list'],
    tool_choice: ['object'],
    thinking: ['object'],
    output_config: ['object'],
    metadata: ['object'],
    service_tier: ['text'],
  },
  gemini: {
    contents: ['list', 'object'],
    tools: ['list', 'object'],
    toolConfig: ['object'],
    safetySettings: ['list', 'object'],
    generationConfig: ['object'],
    'generationConfig.temperature': ['number'],
    'generationConfig.topP': ['number'],
    'generationConfig.topK': ['number'],
    'generationConfig.seed': ['number'],
    'generationConfig.maxOutputTokens': ['number'],
    'generationConfig.candidateCount': ['number'],
    'generationConfig.stopSequences': ['list'],
    'generationConfig.presencePenalty': ['number'],
    'generationConfig.frequencyPenalty': ['number'],
    'generationConfig.responseMimeType': ['text'],
    'generationConfig.responseSchema': ['object'],
    'generationConfig.responseModalities': ['list'],
    'generationConfig.responseLogprobs': ['flag'],
    'generationConfig.thinkingConfig': ['object'],
  },
}

interface Outcome {
  readonly status: number
  readonly reported: string
}

async function outcomeOf(dialect: DialectCall, model: string, body: object): Promise<Outcome> {
  const response = await send(gateway, dialect, model, key, { body })
  const reply = await response.text()
  const error = dialect.errorIn(reply)
  if (response.status >= 400) expect(error).toMatchObject({ kind: dialect.kinds[400] })
  return { status: response.status, reported: error?.message ?? '' }
}

const cells = dialectCalls.flatMap((dialect) =>
  upstreamNames.map((name) => [dialect.name, name, dialect] as const),
)

/** The JSON form of protocol buffers takes an empty text for no number. */
function wrongTrialsOf({ name }: DialectCall, tried: FieldKinds): readonly Trial[] {
  return wrongTrials(tried).filter(([, value]) => name !== 'gemini' || value !== '')
}

describe.each(cells)('a caller of %s over an upstream that is %s', (_name, upstream, dialect) => {
  const tried = async ([path, value]: Trial) => {
    const { model } = upstreams[upstream]
    const outcome = await outcomeOf(dialect, model, withField(dialect.body(model, false), path, value))
    const field = path.split('.').at(-1) ?? ''
    return { what: `${path}: ${JSON.stringify(value).slice(0, 40)}`, field, ...outcome }
  }

  it('gets the name of the field with the wrong type', async () => {
    for (const trial of wrongTrialsOf(dialect, fields[dialect.name])) {
      const { what, field, status, reported } = await tried(trial)
      expect([what, status, reported]).toEqual([what, 400, expect.stringContaining(field)])
    }
  })

  it('succeeds, or is refused with the name of the field, for any value of the right type', async () => {
    for (const trial of edgeTrials(fields[dialect.name])) {
      const { what, field, status, reported } = await tried(trial)
      const expected = status === 200 ? [200, ''] : [400, expect.stringContaining(field)]
      expect([what, status, reported]).toEqual([what, ...expected])
    }
  })

  it('succeeds with unknown fields, which a strict upstream does not get', async () => {
    const { model } = upstreams[upstream]
    const body = { ...dialect.body(model, false), x_future: [{ a: 1.5 }], ['é'.repeat(5000)]: {} }
    const { status, reported } = await outcomeOf(dialect, model, body)
    expect([status, reported]).toEqual([200, ''])
  })
})

/** Bodies that pass to an upstream of their own format are for that upstream to judge. */
const foreignCells = cells.filter(([dialect, upstream]) =>
  upstream === 'bedrock' ? dialect !== 'anthropic' : dialect !== upstream,
)

describe.each(foreignCells)(
  'a caller of %s over an upstream that is %s, inside of its fields,',
  (name, upstream, dialect) => {
    const { body, fields: tried } = nestedFields[name]
    const outcomeWith = ([path, value]: Trial) => {
      const { model } = upstreams[upstream]
      return outcomeOf(dialect, model, withField({ ...dialect.body(model, false), ...body }, path, value))
    }
    const describedApart = ([path, value]: Trial) => `${path}: ${JSON.stringify(value).slice(0, 40)}`

    it('gets the path of the one with the wrong type, free of charge, without a call upstream', async () => {
      const calls = upstreams[upstream].upstream.calls.length
      const quota = await operator.quota()
      for (const trial of wrongTrialsOf(dialect, tried)) {
        const { status, reported } = await outcomeWith(trial)
        expect([describedApart(trial), status, reported]).toEqual([
          describedApart(trial),
          400,
          expect.stringContaining(trial[0]),
        ])
      }
      expect(upstreams[upstream].upstream.calls.length).toBe(calls)
      expect(await operator.quota()).toBe(quota)
    })

    it('succeeds, or gets the invalid part of the list or object, for any value of the right type', async () => {
      for (const trial of edgeTrials(tried)) {
        const { status, reported } = await outcomeWith(trial)
        const [root = ''] = trial[0].split(/[.[]/)
        const expected = status === 200 ? [200, ''] : [400, expect.stringContaining(root)]
        expect([describedApart(trial), status, reported]).toEqual([describedApart(trial), ...expected])
      }
    })
  },
)
