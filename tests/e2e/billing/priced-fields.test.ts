import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type DialectName, dialectCalls } from '../../support/dialects/dialect-calls.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/protocols/scripted-upstream.ts'
import { addChannelTo, type UpstreamName, upstreamKinds } from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

const callers = {
  openai: 'openai',
  responses: 'responses',
  anthropic: 'anthropic',
  gemini: 'gemini',
} as const
type Body = Readonly<Record<string, unknown>>

/** A field that changes the vendor's price, the switch that allows it, and the rest of its member without it. */
interface Trial {
  readonly dialect: DialectName
  readonly fields: Body
  readonly param: string
  readonly flag: string
}

const look = { name: 'look', parameters: { type: 'object', properties: {} } }
const chatLook = { type: 'function', function: look }
const responsesLook = { type: 'function', ...look }

const trials: readonly Trial[] = [
  {
    dialect: 'openai',
    fields: { service_tier: 'priority' },
    param: 'service_tier',
    flag: 'allow_service_tier',
  },
  {
    dialect: 'responses',
    fields: { service_tier: 'flex' },
    param: 'service_tier',
    flag: 'allow_service_tier',
  },
  {
    dialect: 'anthropic',
    fields: { service_tier: 'priority' },
    param: 'service_tier',
    flag: 'allow_service_tier',
  },
  {
    dialect: 'gemini',
    fields: { serviceTier: 'priority' },
    param: 'serviceTier',
    flag: 'allow_service_tier',
  },
  { dialect: 'anthropic', fields: { speed: 'fast' }, param: 'speed', flag: 'allow_speed' },
  {
    dialect: 'anthropic',
    fields: { inference_geo: 'us' },
    param: 'inference_geo',
    flag: 'allow_inference_geo',
  },
  {
    dialect: 'anthropic',
    fields: { fallbacks: [{ model: 'x' }] },
    param: 'fallbacks',
    flag: 'allow_other_models',
  },
  { dialect: 'openai', fields: { models: ['x'] }, param: 'models', flag: 'allow_other_models' },
  {
    dialect: 'openai',
    fields: { provider: { sort: 'price' } },
    param: 'provider',
    flag: 'allow_other_models',
  },
  { dialect: 'openai', fields: { plugins: [{ id: 'web' }] }, param: 'plugins', flag: 'allow_hosted_tools' },
  {
    dialect: 'openai',
    fields: { web_search_options: {} },
    param: 'web_search_options',
    flag: 'allow_hosted_tools',
  },
  { dialect: 'openai', fields: { enable_search: true }, param: 'enable_search', flag: 'allow_hosted_tools' },
  {
    dialect: 'openai',
    fields: { extra_body: { search_parameters: {} } },
    param: 'extra_body.search_parameters',
    flag: 'allow_hosted_tools',
  },
  {
    dialect: 'openai',
    fields: { tools: [{ type: 'live_search' }] },
    param: 'tools[0]',
    flag: 'allow_hosted_tools',
  },
  {
    dialect: 'responses',
    fields: { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    param: 'tools[0]',
    flag: 'allow_hosted_tools',
  },
  {
    dialect: 'anthropic',
    fields: { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
    param: 'tools[0]',
    flag: 'allow_hosted_tools',
  },
  {
    dialect: 'gemini',
    fields: { tools: [{ googleMaps: {} }] },
    param: 'tools[0].googleMaps',
    flag: 'allow_hosted_tools',
  },
]

let gateway: Tollgate
let operator: Operator
let key: string
let count = 0
const upstreams = {} as Record<UpstreamName, ScriptedUpstream>

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('SelfUseModeEnabled', 'true')
  key = (await operator.addKey()).key
  for (const name of ['openai', 'responses', 'anthropic', 'gemini'] as const)
    upstreams[name] = await startScriptedUpstream(upstreamKinds[name].protocol)
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of Object.values(upstreams)) await upstream.stop()
})
beforeEach(() => {
  for (const upstream of Object.values(upstreams)) upstream.forget()
})

/** A channel with a model of its own, so that tests do not meet. */
function serve(name: UpstreamName, setting: Body = {}, more: Body = {}): Promise<string> {
  count += 1
  return serveAs(`model-${count}`, name, setting, more)
}

async function serveAs(
  model: string,
  name: UpstreamName,
  setting: Body = {},
  more: Body = {},
): Promise<string> {
  const upstream = upstreams[name]
  // A type that speaks Responses for every model.
  const type = name === 'responses' ? { type: 48, base_url: upstream.url } : {}
  const fields = { models: model, setting: JSON.stringify(setting), ...type, ...more }
  await addChannelTo(operator, name, upstream, fields)
  return model
}

interface Asking {
  readonly stream?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

function ask(
  dialect: DialectName,
  model: string,
  fields: Body,
  { stream = false, headers = {} }: Asking = {},
) {
  const call = dialectCalls.find(({ name }) => name === dialect) ?? dialectCalls[0]
  return fetch(gateway.url + call.path(model, stream), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...call.body(model, stream), ...fields }),
  })
}

/** Returns the body that an upstream was sent. */
async function sent(name: UpstreamName): Promise<Body> {
  return (await upstreams[name].call()).json as Body
}

describe.each(trials)('$dialect: $param', ({ dialect, fields, param, flag }) => {
  it('is refused by default, by its name and with its switch, and costs nothing', async () => {
    const model = await serve(callers[dialect])
    const before = await operator.quota()
    for (const stream of [false, true]) {
      const reply = await ask(dialect, model, fields, { stream })
      const text = await reply.text()
      expect(reply.status).toBe(400)
      const error = dialectCalls.find(({ name }) => name === dialect)?.errorIn(text)
      expect(error?.message).toContain(param)
      expect(error?.message).toContain(flag)
      if (dialect === 'openai' || dialect === 'responses')
        expect(JSON.parse(text).error).toMatchObject({ param, code: 'unpriced_field' })
    }
    expect(upstreams[callers[dialect]].calls).toHaveLength(0)
    expect(await operator.quota()).toBe(before)
  })

  it('is left out where the channel says so', async () => {
    const name = callers[dialect]
    const model = await serve(name, { strip_unpriced_fields: true })
    const plain = await ask(dialect, model, {})
    expect(plain.status).toBe(200)
    const standard = await sent(name)
    upstreams[name].forget()
    const reply = await ask(dialect, model, fields)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-tollgate-warning')).toContain(param)
    expect(await sent(name)).toEqual(standard)
  })

  it('passes as it was sent where the channel allows it', async () => {
    const name = callers[dialect]
    const model = await serve(name, { [flag]: true })
    await ask(dialect, model, fields)
    expect(await sent(name)).toMatchObject(fields)
  })
})

describe('what has a price passes by default', () => {
  it.each<[DialectName, string, Body]>([
    ['openai', 'gpt-4.1', { service_tier: 'priority' }],
    ['responses', 'gpt-5.1', { tools: [{ type: 'web_search' }], service_tier: 'flex' }],
    ['anthropic', 'claude-sonnet-4-5', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['anthropic', 'claude-opus-4-8', { speed: 'fast', inference_geo: 'us' }],
    ['gemini', 'gemini-2.5-flash', { tools: [{ googleSearch: {} }] }],
  ])('%s: %s with %j', async (dialect, name, fields) => {
    const model = await serveAs(name, callers[dialect])
    expect((await ask(dialect, model, fields)).status).toBe(200)
    expect(await sent(callers[dialect])).toMatchObject(fields)
  })

  it('by the vendor’s price alone: what the model has none for is refused', async () => {
    const model = await serveAs('claude-3-5-haiku-20241022', 'anthropic')
    expect((await ask('anthropic', model, { speed: 'fast' })).status).toBe(400)
    expect((await ask('anthropic', model, { service_tier: 'priority' })).status).toBe(400)
  })

  it('by the operator’s price, too, as soon as it is set', async () => {
    const model = await serve('openai')
    const fields = { tools: [{ type: 'live_search' }] }
    expect((await ask('openai', model, fields)).status).toBe(400)
    await operator.option('ToolPrice', JSON.stringify({ [model]: { live_search: 25 } }))
    expect((await ask('openai', model, fields)).status).toBe(200)
    expect(await sent('openai')).toMatchObject(fields)
  })
})

describe('routing', () => {
  it('skips a channel that refuses the field, without counting a failure', async () => {
    const model = await serve('openai', {}, { priority: 10 })
    await addChannelTo(operator, 'openai', upstreams.openai, {
      models: model,
      setting: '{"allow_service_tier":true}',
    })
    await operator.option('RetryTimes', '0')
    const reply = await ask('openai', model, { service_tier: 'priority' })
    expect(reply.status).toBe(200)
    expect(await sent('openai')).toMatchObject({ service_tier: 'priority' })
    expect(upstreams.openai.calls).toHaveLength(1)
  })

  it('holds for bodies that pass as they were received, too', async () => {
    const refusing = await serve('openai', { pass_through_body_enabled: true })
    expect((await ask('openai', refusing, { service_tier: 'priority' })).status).toBe(400)
    const stripping = await serve('openai', { pass_through_body: true, strip_unpriced_fields: true })
    expect((await ask('openai', stripping, { service_tier: 'priority' })).status).toBe(200)
    expect(await sent('openai')).not.toHaveProperty('service_tier')
  })

  it('leaves a row of the refusal in the log, which names the field and the switch', async () => {
    const model = await serve('openai')
    await ask('openai', model, { service_tier: 'priority' })
    const page = `/api/log/?p=1&page_size=20&type=5&model_name=${model}`
    const row = await until(async () => (await operator.api<{ items: LogRow[] }>('GET', page)).items[0])
    expect(row.quota).toBe(0)
    expect(JSON.parse(row.other)).toMatchObject({
      error: { code: 'unpriced_field', params: { param: 'service_tier', switch: 'allow_service_tier' } },
    })
  })
})

describe('smuggled', () => {
  it('through a translation, a tier is refused as in its own dialect', async () => {
    const model = await serve('openai')
    for (const dialect of ['anthropic', 'responses'] as const) {
      const reply = await ask(dialect, model, { service_tier: 'priority' })
      expect([dialect, reply.status]).toEqual([dialect, 400])
    }
    const stripping = await serve('openai', { strip_unpriced_fields: true })
    expect((await ask('anthropic', stripping, { service_tier: 'priority' })).status).toBe(200)
    expect(await sent('openai')).not.toHaveProperty('service_tier')
  })

  it('as a function that is Google’s search in disguise, where the upstream is Google', async () => {
    const tools = [{ type: 'function', function: { name: 'googleSearch', parameters: { type: 'object' } } }]
    const google = await serve('gemini')
    expect((await ask('openai', google, { tools })).status).toBe(400)
    const other = await serve('openai')
    expect((await ask('openai', other, { tools })).status).toBe(200)
  })

  it.each([
    [
      'twice',
      '{"service_tier":"priority","service_tier":"auto","model":MODEL,"messages":[{"role":"user","content":"Hi"}]}',
    ],
    ['in capitals', '{"Service_Tier":"priority","model":MODEL,"messages":[{"role":"user","content":"Hi"}]}'],
  ])('a field that is there %s is refused', async (_, text) => {
    const model = await serve('openai')
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: text.replace('MODEL', JSON.stringify(model)),
    })
    expect(reply.status).toBe(400)
    expect((await reply.json()).error.message).toContain('service_tier')
  })

  it('the beta for long prompts goes along with usual ones, and with long ones where the channel allows it', async () => {
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07,effort-2025-11-24' }
    const long = { messages: [{ role: 'user', content: 'Read this. '.repeat(100_000) }] }
    const betaOf = async (model: string, fields: Body) => {
      upstreams.anthropic.forget()
      expect((await ask('anthropic', model, fields, { headers })).status).toBe(200)
      return (await upstreams.anthropic.call()).headers['anthropic-beta']
    }
    const model = await serve('anthropic')
    expect(await betaOf(model, {})).toBe(headers['anthropic-beta'])
    expect(await betaOf(model, long)).toBe('effort-2025-11-24')
    const allowing = await serve('anthropic', { allow_long_context: true })
    expect(await betaOf(allowing, long)).toBe(headers['anthropic-beta'])
  })

  it('in a mode other than chat', async () => {
    const model = await serve('openai')
    const reply = await fetch(`${gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'x', provider: { order: ['dear'] } }),
    })
    expect([reply.status, (await reply.json()).error.param]).toEqual([400, 'provider'])
  })
})

describe('a form', () => {
  const transcribe = (model: string) => {
    const form = new FormData()
    form.set('model', model)
    form.set('provider', '{"order":["dear"]}')
    form.set('file', new File([new Uint8Array(64)], 'a.wav'))
    const headers = { authorization: `Bearer ${key}` }
    return fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
  }

  it('is held to the same rule', async () => {
    const refused = await transcribe(await serve('openai'))
    expect([refused.status, (await refused.json()).error.param]).toEqual([400, 'provider'])
    await transcribe(await serve('openai', { strip_unpriced_fields: true }))
    const { body } = await upstreams.openai.call()
    expect(body.toString('latin1')).toContain('name="file"')
    expect(body.toString('latin1')).not.toContain('provider')
    upstreams.openai.forget()
    await transcribe(await serve('openai', { allow_other_models: true }))
    expect((await upstreams.openai.call()).body.toString('latin1')).toContain('{"order":["dear"]}')
  })
})

describe('agents', () => {
  it('lose a hosted tool without a price, and continue with their own', async () => {
    const chat = await serve('openai')
    const reply = await ask('openai', chat, {
      tools: [chatLook, { type: 'live_search' }],
      tool_choice: 'auto',
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-tollgate-warning')).toContain('tools[1] (live_search)')
    expect(await sent('openai')).toMatchObject({ tools: [chatLook], tool_choice: 'auto' })
    const responses = await serve('responses')
    const tools = [responsesLook, { type: 'image_generation' }]
    expect((await ask('responses', responses, { tools, store: false })).status).toBe(200)
    expect(await sent('responses')).toMatchObject({ tools: [responsesLook], store: false })
  })

  it('pass every byte beside it, large images too', async () => {
    const model = await serve('openai')
    const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(80_000)}`
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }]
    const reply = await ask('openai', model, { messages, tools: [chatLook, { type: 'x' }], seed: 1 })
    expect(reply.status).toBe(200)
    expect(await sent('openai')).toMatchObject({ messages, tools: [chatLook], seed: 1 })
  })
})

describe('agents that add their tools as they go', () => {
  it('lose a hosted one among them, and no byte of the pictures beside it', async () => {
    const model = await serve('responses')
    const image_url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(80_000)}`
    const question = { role: 'user', content: [{ type: 'input_image', image_url }] }
    const added = (...tools: object[]) => ({ type: 'additional_tools', role: 'developer', tools })
    const input = [added(responsesLook, { type: 'image_generation' }), question]
    expect((await ask('responses', model, { input })).status).toBe(200)
    expect(await sent('responses')).toMatchObject({ input: [added(responsesLook), question] })
  })
})

describe('privacy', () => {
  const fields = { store: true, safety_identifier: 'user-1', stream_options: { include_obfuscation: false } }

  it('of callers is kept as in the older console: nothing said, nothing refused', async () => {
    const model = await serve('responses')
    const reply = await ask('responses', model, fields, { stream: true })
    expect([reply.status, reply.headers.get('x-tollgate-warning')]).toEqual([200, null])
    await reply.text()
    const body = await sent('responses')
    expect(body).toMatchObject({ store: true })
    expect(body).not.toHaveProperty('safety_identifier')
    expect(body).not.toHaveProperty('stream_options')
  })

  it('follows the channel', async () => {
    const model = await serve('responses', {
      disable_store: true,
      allow_safety_identifier: true,
      allow_include_obfuscation: true,
    })
    await (await ask('responses', model, fields, { stream: true })).text()
    const { store: _, ...others } = fields
    const body = await sent('responses')
    expect(body).toMatchObject(others)
    expect(body).not.toHaveProperty('store')
  })
})
