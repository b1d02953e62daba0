import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { dialectCalls, dialectForms, send } from '../../support/dialects/dialect-calls.ts'
import { type Operator, operate } from '../../support/operator.ts'
import {
  answers,
  asEvents,
  asJson,
  rawAnswers,
  type TextUpstream,
  textUpstreams,
} from '../../support/protocols/raw-answers.ts'
import {
  addChannelTo,
  type DialectUpstream,
  startDialectUpstreams,
  type UpstreamName,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  type MidjourneyUpstream,
  type ProxyReply,
  proxySecret,
  startMidjourneyUpstream,
} from '../../support/tasks/midjourney.ts'
import { type SunoUpstream, startSunoUpstream, sunoToken } from '../../support/tasks/suno.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(30_000))

/** The caller's name, and the upstream's: one name that stands in others, and one that a gateway strips an ending of. */
const caller = 'front-desk-1'
const sent = 'vendor-codex.9'
const snapshot = 'VENDOR-CODEX.9-2026-08-01'
/** Text of a response about models, which is its own: no name in it is changed. */
const spoken = `I am ${sent}, {"model":"${sent}"}`

type Json = Readonly<Record<string, unknown>>

const naming: Readonly<Record<TextUpstream, (event: Json) => Json>> = {
  openai: (event) => ({ ...event, model: snapshot }),
  responses: ({ response, ...event }) =>
    response === undefined && event.type !== undefined
      ? event
      : response === undefined
        ? { ...event, model: snapshot }
        : { ...event, response: { ...(response as Json), model: snapshot } },
  anthropic: ({ message, ...event }) =>
    message !== undefined
      ? { ...event, message: { ...(message as Json), model: snapshot } }
      : 'model' in event
        ? { ...event, model: snapshot }
        : event,
  gemini: (event) => ({ ...event, modelVersion: snapshot }),
}

const says = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('"served"', JSON.stringify(spoken)))

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string
/** An upstream of every mode, which answers as it is told. */
let plain: ReturnType<typeof servePlain>
let plainAnswer: Json = {}
let plainStatus = 200
const servePlain = () =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json(plainAnswer, { status: plainStatus }),
  })

/** Model of a channel that serves the other modes, too. */
const plainModel = `${caller}-plain`
/** A caller's name of which the gateway strips an ending. */
const [endingModel, strippedModel] = ['claude-desk-9-thinking', 'claude-desk-9']
const callersName = (name: TextUpstream) => `${caller}-${name}`

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', TASK_POLL_SECONDS: '1' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  plain = servePlain()
  const names = [...textUpstreams.map(callersName), plainModel, upstreams.openai.model, endingModel]
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))))
  for (const name of textUpstreams)
    await addChannelTo(operator, name, upstreams[name].upstream, {
      models: callersName(name),
      model_mapping: JSON.stringify({ [callersName(name)]: sent }),
    })
  // OpenAI serves every mode but rerank, which Jina does.
  for (const type of [1, 38])
    await operator.addChannel({
      name: `modes ${type}`,
      type,
      key: 'sk-modes-0001',
      base_url: plain.url.origin,
      models: plainModel,
      model_mapping: JSON.stringify({ [plainModel]: sent }),
    })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await plain?.stop(true)
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

/** Every name of a model in a reply, of whatever member. */
function namesIn(reply: string): ReadonlySet<string> {
  const found = reply.matchAll(/"(?:model|modelVersion)":"([^"]*)"/g)
  return new Set([...found].map(([, name = '']) => name))
}

const refusal = {
  error: {
    message: `The model \`${sent}\` (openai/${sent}) is not ${sent}-large; see ${snapshot}.`,
    type: 'invalid_request_error',
    code: 'invalid_value',
    status: 'INVALID_ARGUMENT',
    param: null,
  },
}

const cells = dialectForms.flatMap(([form, dialect]) =>
  textUpstreams.flatMap((name) => [false, true].map((stream) => [form, name, stream, dialect] as const)),
)

describe.each(cells)(
  'a caller of %s over an upstream of %s, streamed: %p',
  (_caller, name, stream, dialect) => {
    it('reads its own name of a mapped model in every event, and its answer untouched', async () => {
      const { body, events } = says(rawAnswers[name])
      const { upstream } = upstreams[name]
      upstream.otherwise(stream ? asEvents(name, events.map(naming[name])) : asJson(naming[name](body)))
      const reply = await send(gateway, dialect, callersName(name), key, { stream })
      const text = await reply.text()
      expect([reply.status, [...namesIn(text)]]).toEqual([200, [callersName(name)]])
      expect(dialect.textIn(text)).toBe(spoken)
      for (const [, value] of reply.headers) expect(value.toLowerCase()).not.toContain(sent)
    })

    it('reads its own name in an error', async () => {
      const { upstream } = upstreams[name]
      upstream.otherwise(({ response }) => {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify(refusal))
      })
      const reply = await send(gateway, dialect, callersName(name), key, { stream })
      const stated = dialect.errorIn(await reply.text())?.message
      const own = callersName(name)
      expect(stated).toContain(`The model \`${own}\` (${own}) is not ${sent}-large; see ${own}.`)
    })
  },
)

it('leaves the bytes of a model that is not mapped as they are, with the snapshot that they name', async () => {
  const { upstream, model } = upstreams.openai
  const body = naming.openai(says(rawAnswers.openai.body))
  const text = JSON.stringify(body, null, 1)
  upstream.otherwise(answers('application/json', text))
  const reply = await send(gateway, dialectCalls[0], model, key)
  expect(await reply.text()).toBe(text)
})

it('changes nothing but the name in the bytes of one that is', async () => {
  const { upstream } = upstreams.openai
  const text = JSON.stringify(
    naming.openai({ ...rawAnswers.openai.body, x: 1.5, y: { model: sent } }),
    null,
    1,
  )
  upstream.otherwise(answers('application/json', text))
  const reply = await send(gateway, dialectCalls[0], callersName('openai'), key)
  expect(await reply.text()).toBe(text.replace(snapshot, callersName('openai')))
})

it('tells the operator the name that was sent', async () => {
  upstreams.openai.upstream.otherwise(asJson(naming.openai(rawAnswers.openai.body)))
  const rows = await operator.consumed()
  await (await send(gateway, dialectCalls[0], callersName('openai'), key)).text()
  const row = await operator.consumption(rows + 1)
  expect(row.model_name).toBe(callersName('openai'))
  expect(JSON.parse(row.other)).toMatchObject({ is_model_mapped: true, upstream_model_name: sent })
})

/** A call of each other mode in OpenAI's form, with a body that names the model. */
const modes: readonly (readonly [string, Json, Json])[] = [
  [
    '/v1/embeddings',
    { input: 'a' },
    {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    },
  ],
  ['/v1/moderations', { input: 'a' }, { id: 'm', results: [{ flagged: false }] }],
  [
    '/v1/rerank',
    { query: 'q', documents: ['a'] },
    { results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 3 } },
  ],
  [
    '/v1/images/generations',
    { prompt: 'p', n: 1 },
    {
      created: 1,
      data: [{ b64_json: 'AAAA' }],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    },
  ],
  [
    '/v1/completions',
    { prompt: 'p' },
    {
      id: 'c',
      object: 'text_completion',
      choices: [{ index: 0, text: 'a', finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    },
  ],
]

const image = new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'a.png', { type: 'image/png' })
const sound = new File([new Uint8Array(400)], 'a.mp3', { type: 'audio/mpeg' })

/** The same of modes whose requests are forms, and whose responses name a model where an upstream adds it. */
const forms: typeof modes = [
  ['/v1/audio/transcriptions', { file: sound, response_format: 'json' }, { text: 'a' }],
  ['/v1/audio/transcriptions', { file: sound, response_format: 'verbose_json' }, { text: 'a', duration: 1 }],
  ['/v1/audio/translations', { file: sound }, { text: 'a' }],
  ['/v1/images/edits', { image, prompt: 'p' }, { created: 1, data: [{ b64_json: 'AAAA' }] }],
  ['/v1/images/variations', { image }, { created: 1, data: [{ b64_json: 'AAAA' }] }],
]
const speech: (typeof modes)[number] = ['/v1/audio/speech', { input: 'a', voice: 'alloy' }, {}]

function post(path: string, body: Json): Promise<Response> {
  const authorization = `Bearer ${key}`
  const isForm = Object.values(body).some((value) => value instanceof File)
  const form = new FormData()
  for (const [name, value] of Object.entries({ model: plainModel, ...body }))
    form.append(name, value as string)
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: isForm ? { authorization } : { authorization, 'content-type': 'application/json' },
    body: isForm ? form : JSON.stringify({ model: plainModel, ...body }),
  })
}

it.each([...modes, ...forms, speech])('names it so in the errors of %s too', async (path, body) => {
  plainAnswer = refusal
  plainStatus = 400
  const reply = await post(path, body)
  plainStatus = 200
  const text = await reply.text()
  expect([reply.status, text]).toEqual([
    400,
    expect.stringContaining(`The model \`${plainModel}\` (${plainModel})`),
  ])
})

it.each([false, true])(
  'names a model without the ending that is stripped of it, streamed: %p',
  async (stream) => {
    const [model, stripped] = [endingModel, strippedModel]
    await addChannelTo(operator, 'anthropic', upstreams.anthropic.upstream, { models: model })
    const { body, events } = rawAnswers.anthropic
    const { upstream } = upstreams.anthropic
    const asStripped = (event: Json): Json =>
      JSON.parse(JSON.stringify(naming.anthropic(event)).replaceAll(snapshot, `${stripped}-20260801`))
    for (const [form, dialect] of dialectForms) {
      upstream.otherwise(stream ? asEvents('anthropic', events.map(asStripped)) : asJson(asStripped(body)))
      const reply = await send(gateway, dialect, model, key, { stream })
      const text = await reply.text()
      expect([form, reply.status, [...namesIn(text)]]).toEqual([form, 200, [model]])
      upstream.otherwise(({ response }) => {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ error: { ...refusal.error, message: `The model \`${stripped}\` is busy` } }),
        )
      })
      const refused = await send(gateway, dialect, model, key, { stream })
      expect(dialect.errorIn(await refused.text())?.message).toContain(`The model \`${model}\` is busy`)
    }
  },
)

it.each([...modes, ...forms])(
  'names a mapped model as its caller did at %s',
  async (path, body, response) => {
    plainAnswer = { ...response, model: snapshot }
    const reply = await post(path, body)
    const text = await reply.text()
    expect([reply.status, [...namesIn(text)]]).toEqual([200, [plainModel]])
  },
)

interface Work {
  readonly type: number
  readonly model: string
  readonly submit: readonly [path: string, body: Json]
  /** Refusals of the upstream in place of a submission. */
  readonly refusals: readonly ProxyReply[]
  readonly idIn: (reply: Json) => unknown
  readonly fetched: (id: string) => string
  readonly list: string
  readonly start: () => Promise<MidjourneyUpstream | SunoUpstream>
  readonly key: string
  /** A report that ends the task. */
  readonly failed: (id: string) => Json & { readonly id: string }
}

/** Works of the forms of Midjourney and Suno, whose paths name the model. */
const works: Readonly<Record<'drawing' | 'song', Work>> = {
  drawing: {
    type: 5,
    model: 'mj_imagine',
    submit: ['/mj/submit/imagine', { prompt: 'a cat' }],
    refusals: [
      { body: { code: 24, description: refusal.error.message } },
      { status: 400, body: { description: refusal.error.message } },
    ],
    idIn: (reply: Json) => reply.result,
    fetched: (id: string) => `/mj/task/${id}/fetch`,
    list: '/api/mj/self',
    start: startMidjourneyUpstream,
    key: proxySecret,
    failed: (id: string) => ({ id, status: 'FAILURE', failReason: refusal.error.message, progress: '100%' }),
  },
  song: {
    type: 36,
    model: 'suno_music',
    submit: ['/suno/submit/music', { prompt: 'la' }],
    refusals: [
      { body: { code: 'busy', message: refusal.error.message, data: null } },
      { status: 400, body: { code: 'busy', message: refusal.error.message, data: null } },
    ],
    idIn: (reply: Json) => reply.data,
    fetched: (id: string) => `/suno/fetch/${id}`,
    list: '/api/task/self',
    start: startSunoUpstream,
    key: sunoToken,
    failed: (id: string) => ({ id, status: 'FAILURE', fail_reason: refusal.error.message }),
  },
}

/** One fake takes the id beside the report, the other within. */
function tellOf(upstream: MidjourneyUpstream | SunoUpstream, report: Json & { readonly id: string }): void {
  if ('requested' in upstream) upstream.tell(report)
  else upstream.tell(report.id, report)
}

describe.each(Object.entries(works))('a %s of a mapped model', (name, work) => {
  let upstream: MidjourneyUpstream | SunoUpstream
  const [path, body] = work.submit
  const authorized = () => ({ authorization: `Bearer ${key}` })
  const submit = () =>
    fetch(gateway.url + path, { method: 'POST', headers: authorized(), body: JSON.stringify(body) })

  beforeAll(async () => {
    upstream = await work.start()
    await operator.option('ModelPrice', JSON.stringify({ [work.model]: 0.01 }))
    await operator.addChannel({
      name,
      type: work.type,
      key: work.key,
      base_url: upstream.url,
      models: work.model,
      model_mapping: JSON.stringify({ [work.model]: sent }),
    })
  })
  afterAll(() => upstream?.stop())

  it.each(work.refusals)('has its caller’s name in a refusal: %p', async (refused) => {
    upstream.reply(refused)
    const text = await (await submit()).text()
    expect(text).toContain(`(${work.model}) is not`)
    expect(text.replaceAll(`${sent}-large`, '').toLowerCase()).not.toContain(sent)
    // A list may have the upstream's name for administrators alone.
    const [row = {}] = await operator.api<Json[]>('GET', `${work.list}?p=0`)
    const { fail_reason = '', description = '' } = row
    expect(`${fail_reason} ${description}`.replaceAll(`${sent}-large`, '').toLowerCase()).not.toContain(sent)
  })

  it('has it in the reason of its failure', async () => {
    const id = String(work.idIn((await (await submit()).json()) as Json))
    tellOf(upstream, work.failed(id))
    const text = await until(async () => {
      const reply = await (await fetch(gateway.url + work.fetched(id), { headers: authorized() })).text()
      return reply.includes('FAILURE') ? reply : undefined
    })
    expect(text).toContain(`(${work.model}) is not`)
    expect(text.replaceAll(`${sent}-large`, '').toLowerCase()).not.toContain(sent)
  })
})
