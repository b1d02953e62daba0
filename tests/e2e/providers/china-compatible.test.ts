import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createHmac } from 'node:crypto'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { anthropicCaller, openAiCaller, type SdkAsk } from '../../support/dialects/sdk-callers.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

/** Request that the upstream got. */
interface Requested {
  readonly path: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

let gateway: Tollgate
let operator: Operator
let server: ReturnType<typeof Bun.serve>
let requested: Requested[]
/** The upstream's response: an object as JSON, texts as events. */
let reply: object | readonly string[]
let sdks: Readonly<Record<'openai' | 'anthropic', SdkAsk>>

const channels = {
  ali: { type: 17, key: 'sk-dashscope-0001', model: 'qwen-plus-internet', other: '{"calculator":{}}' },
  moonshot: { type: 25, key: 'sk-moonshot-0001', model: 'moonshot-v1-8k' },
  zhipu: { type: 26, key: '0a1b2c3d.Zh1puS3cret', model: 'glm-4-plus' },
  lingyi: { type: 31, key: 'yi-0001', model: 'yi-large' },
  minimax: { type: 35, key: 'sk-minimax-0001', model: 'MiniMax-M2' },
  ark: { type: 45, key: 'ark-0001', model: 'bot-20240601' },
  qianfan: { type: 46, key: 'bce-v3/ALTAK-a/b|app-9', model: 'ernie-4.0-8k-search' },
} as const
type Name = keyof typeof channels
const ids = new Map<Name, number>()

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
  const models = Object.values(channels).map(({ model }) => model)
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio])))
  await operator.option('ModelRatio', each(2))
  await operator.option('CompletionRatio', each(5))
  for (const [name, { model, ...fields }] of Object.entries(channels)) {
    const { id } = await operator.addChannel({ name, base_url: server.url.origin, models: model, ...fields })
    ids.set(name as Name, id)
  }
  const options = { gatewayUrl: gateway.url, key: (await operator.addKey()).key }
  sdks = { openai: openAiCaller(options), anthropic: anthropicCaller(options) }
})
afterAll(async () => {
  await gateway?.stop()
  await server?.stop(true)
})
beforeEach(() => {
  requested = []
})

async function serve(request: Request): Promise<Response> {
  const { pathname: path, search } = new URL(request.url)
  const text = await request.text()
  requested.push({ path: path + search, headers: request.headers, body: text === '' ? {} : JSON.parse(text) })
  if (!Array.isArray(reply)) return Response.json(reply)
  const events = reply.map((data) => `data: ${data}\n\n`).join('')
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
}

const events = (...objects: readonly (object | string)[]) =>
  objects.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
const chunk = (delta: object, more: object = {}, top: object = {}) => ({
  id: 'c1',
  created: 1_761_000_000,
  model: 'm',
  choices: [{ index: 0, delta, ...more }],
  ...top,
})
const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 }
const visible = {
  openai: usage,
  anthropic: { input_tokens: 100, output_tokens: 30 },
} as const
const callers = ['openai', 'anthropic'] as const

/** Checks a stream as its caller gets it, charged by the upstream's counts: (100 + 30 × 5) × 2. */
async function streamed(name: Name, caller: (typeof callers)[number]) {
  const rows = await operator.consumed()
  const got = await sdks[caller]({ model: channels[name].model, stream: true, withTool: false })
  expect(await operator.consumption(rows + 1)).toMatchObject({ quota: 500, completion_tokens: 30 })
  expect(got.usage).toEqual(visible[caller])
  return got.text
}

describe('usage and text', () => {
  it.each(callers)('of Moonshot are found inside the last choice, for callers of %s', async (caller) => {
    reply = events(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hello' }),
      chunk({}, { finish_reason: 'stop', usage }),
      '[DONE]',
    )
    expect(await streamed('moonshot', caller)).toBe('Hello')
  })

  it.each(callers)('of MiniMax are not repeated by its last frame, for callers of %s', async (caller) => {
    const message = { role: 'assistant', content: 'Hello there' }
    reply = events(
      chunk({ role: 'assistant', content: 'Hello' }, {}, { usage: { total_tokens: 0 } }),
      chunk({ content: ' there' }, { finish_reason: 'stop' }),
      {
        ...chunk({}),
        choices: [{ index: 0, finish_reason: 'stop', message }],
        usage,
        base_resp: { status_code: 0 },
      },
    )
    expect(await streamed('minimax', caller)).toBe('Hello there')
  })

  it.each([true, false])(
    'of MiniMax that tells a total alone are that total, streamed %p',
    async (stream) => {
      const message = { role: 'assistant', content: 'Hello there' }
      const reported = {
        ...chunk({}),
        choices: [{ index: 0, finish_reason: 'stop', message }],
        usage: { total_tokens: 130 },
        base_resp: { status_code: 0 },
      }
      reply = stream
        ? events(chunk({ role: 'assistant', content: 'Hello there' }, { finish_reason: 'stop' }), reported)
        : reported
      for (const caller of callers) {
        const rows = await operator.consumed()
        const got = await sdks[caller]({ model: channels.minimax.model, stream, withTool: false })
        expect(got.text).toBe('Hello there')
        const row = await operator.consumption(rows + 1)
        expect(row.prompt_tokens + row.completion_tokens).toBe(130)
        expect(row.prompt_tokens).toBeGreaterThan(0)
        expect(row.quota).toBe((row.prompt_tokens + row.completion_tokens * 5) * 2)
      }
    },
  )

  it.each(callers)('of a bot of Ark are added up, for callers of %s', async (caller) => {
    const half = { name: 'doubao', prompt_tokens: 50, completion_tokens: 15, total_tokens: 65 }
    reply = events(
      chunk({ role: 'assistant', content: 'Hello' }),
      chunk({}, { finish_reason: 'stop' }),
      { ...chunk({}), choices: [], bot_usage: { model_usage: [half, half], action_usage: [] } },
      '[DONE]',
    )
    expect(await streamed('ark', caller)).toBe('Hello')
    expect(requested[0]?.path).toBe('/api/v3/bots/chat/completions')
  })

  it.each(callers)('of 01.AI are those of the choices, for callers of %s', async (caller) => {
    reply = events(
      chunk({ role: 'assistant', content: 'Hello' }, {}, { content: 'Hello', lastOne: false }),
      chunk({}, { finish_reason: 'stop' }, { content: 'Hello', lastOne: true, usage }),
      '[DONE]',
    )
    expect(await streamed('lingyi', caller)).toBe('Hello')
  })
})

describe('failures', () => {
  it.each([true, false])('of MiniMax inside a 200 have their status, streamed %p', async (stream) => {
    for (const [code, status] of [
      [1002, 429],
      [1026, 400],
      [1008, 503],
    ] as const) {
      reply = { id: 'x', choices: null, base_resp: { status_code: code, status_msg: 'not now' } }
      for (const caller of callers) {
        const failed = sdks[caller]({ model: channels.minimax.model, stream, withTool: false })
        expect(await failed.catch((error) => error)).toMatchObject({ status })
      }
    }
  })

  it('of DashScope inside a 200 are failures, too', async () => {
    reply = { code: 'DataInspectionFailed', message: 'Input data may contain …', request_id: 'r' }
    const failed = sdks.openai({ model: channels.ali.model, stream: true, withTool: false })
    expect(await failed.catch((error) => error)).toMatchObject({
      status: 400,
      code: 'content_policy_violation',
    })
  })
})

describe('requests', () => {
  const buffered = {
    ...chunk({}),
    choices: [{ index: 0, finish_reason: 'stop', message: { content: 'Hi' } }],
    usage,
  }
  const ask = async (name: Name) => {
    reply = buffered
    const caller = sdks.openai({ model: channels[name].model, stream: false, withTool: false })
    expect((await caller).text).toBe('Hi')
    const [call] = requested
    if (call === undefined) throw new Error('not asked')
    return call
  }

  it('to Zhipu carry a token that is made of the key, for a day in milliseconds', async () => {
    const { path, headers } = await ask('zhipu')
    expect(path).toBe('/api/paas/v4/chat/completions')
    const [header, payload = '', signature] =
      headers.get('authorization')?.replace('Bearer ', '').split('.') ?? []
    const [id, secret = ''] = channels.zhipu.key.split('.')
    expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url'))
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(claims.api_key).toBe(id)
    expect(claims.exp - claims.timestamp).toBe(86_400_000)
    expect(Math.abs(claims.timestamp - Date.now())).toBeLessThan(60_000)
  })

  it('to Qianfan name the application apart, and switch search on', async () => {
    const { headers, body } = await ask('qianfan')
    expect([headers.get('authorization'), headers.get('appid')]).toEqual(['Bearer bce-v3/ALTAK-a/b', 'app-9'])
    expect(body).toMatchObject({ model: 'ernie-4.0-8k', web_search: { enable: true, enable_status: false } })
  })

  it('to DashScope name the plugin, and switch search on', async () => {
    const { path, headers, body } = await ask('ali')
    expect(path).toBe('/compatible-mode/v1/chat/completions')
    expect(headers.get('x-dashscope-plugin')).toBe(channels.ali.other)
    expect(body).toMatchObject({ model: 'qwen-plus', enable_search: true })
  })
})

describe('accounts', () => {
  it('of Moonshot tell their balance', async () => {
    reply = {
      code: 0,
      data: { available_balance: 49.58, voucher_balance: 46.58 },
      scode: '0x0',
      status: true,
    }
    const reported = await operator.call('GET', `/api/channel/update_balance/${ids.get('moonshot')}/`)
    expect(reported).toMatchObject({ success: true, balance: 49.58 })
    expect(requested.map(({ path }) => path)).toEqual(['/v1/users/me/balance'])
  })

  it('without a balance are reported as such, and skipped in an update of all', async () => {
    reply = { code: 0, data: { available_balance: 7 } }
    expect(await operator.call('GET', `/api/channel/update_balance/${ids.get('zhipu')}/`)).toMatchObject({
      success: false,
    })
    expect(requested).toEqual([])
  })

  it.each([
    ['moonshot', '/v1/models'],
    ['ali', '/compatible-mode/v1/models'],
    ['ark', '/api/v3/models'],
    ['qianfan', '/v2/models'],
  ] as const)('of %s list their models', async (name, path) => {
    reply = { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }
    expect(await operator.api('GET', `/api/channel/fetch_models/${ids.get(name)}`)).toEqual(['a', 'b'])
    expect(requested[0]?.path).toBe(path)
  })
})
