import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type SocksProxyServer, startSocksProxy } from '../../support/network/socks-proxy.ts'
import { type Operator, operate } from '../../support/operator.ts'
import {
  type ScriptedBehaviour,
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import {
  addChannelTo,
  type UpstreamName,
  upstreamKinds,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const thinking = says({ reasoning: ['First ', 'this.'], text: ['Then ', 'that.'] })
const proxyPair = { username: 'gateway', password: 'p@ss:word' }

let gateway: Tollgate
let operator: Operator
let openai: OpenAI
let anthropic: Anthropic
let files: ReturnType<typeof Bun.serve>
let proxy: SocksProxyServer
const upstreams = {} as Record<UpstreamName, ScriptedUpstream>
let key: string
let count = 0

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', MAX_FILE_DOWNLOAD_MB: '1' } })
  operator = await operate(gateway.url)
  await operator.option('SelfUseModeEnabled', 'true')
  key = (await operator.addKey()).key
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 })
  for (const name of upstreamNames)
    upstreams[name] = await startScriptedUpstream(upstreamKinds[name].protocol)
  proxy = await startSocksProxy({ ...proxyPair, hosts: { 'upstream.invalid': '127.0.0.1' } })
  files = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/moved') return Response.redirect('/pixel')
      if (pathname === '/page') return new Response('<html>', { headers: { 'content-type': 'image/png' } })
      if (pathname === '/huge') return new Response(Buffer.alloc(2 * 1024 * 1024, pixel))
      return new Response(pixel, { headers: { 'content-type': 'text/plain' } })
    },
  })
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of Object.values(upstreams)) await upstream.stop()
  proxy?.stop()
  files?.stop(true)
})
beforeEach(() => {
  for (const upstream of Object.values(upstreams)) upstream.forget()
})

/** Names that say how the upstream is asked. */
const ownNames: Partial<Record<UpstreamName, (number: number) => string>> = {
  bedrock: (number) => `anthropic.claude-${number}-v1:0`,
  responses: (number) => `gpt-5.${number}-pro`,
}

/** A channel with a model of its own, so that tests do not meet. */
async function channel(
  name: UpstreamName,
  fields: Readonly<Record<string, unknown>>,
  behaviour?: ScriptedBehaviour,
): Promise<{ model: string; upstream: ScriptedUpstream; id: number }> {
  count += 1
  const model = ownNames[name]?.(count) ?? `model-${count}`
  const { setting, ...others } = fields
  const { id } = await addChannelTo(operator, name, upstreams[name], {
    models: model,
    ...(setting !== undefined && { setting: JSON.stringify(setting) }),
    ...others,
  })
  if (behaviour !== undefined) upstreams[name].otherwise(behaviour)
  return { model, upstream: upstreams[name], id }
}

const hi = [{ role: 'user' as const, content: 'Hi' }]

async function streamedText(model: string, more: object = {}): Promise<string> {
  const stream = await openai.chat.completions.create({ model, messages: hi, stream: true, ...more })
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  return text
}

async function bufferedText(model: string): Promise<string> {
  const reply = await openai.chat.completions.create({ model, messages: hi })
  return reply.choices[0]?.message.content ?? ''
}

async function newestOther(): Promise<Record<string, unknown>> {
  return JSON.parse((await operator.consumption(await operator.consumed())).other)
}

describe('thinking_to_content', () => {
  const thought = '<think>\nFirst this.\n</think>\nThen that.'

  it.each(['openai', 'anthropic', 'gemini'] as const)(
    'puts the thoughts of %s between one pair of tags, streamed and whole',
    async (name) => {
      const { model } = await channel(name, { setting: { thinking_to_content: true } }, thinking)
      expect(await streamedText(model)).toBe(thought)
      expect(await bufferedText(model)).toBe(thought)
    },
  )

  it('leaves the reasoning of other formats, and of JSON responses, in its own field', async () => {
    const { model } = await channel('openai', { setting: { thinking_to_content: true } }, thinking)
    const message = await anthropic.messages.create({ model, max_tokens: 100, messages: hi })
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    expect(await streamedText(model, { response_format: { type: 'json_object' } })).toBe('Then that.')
  })
})

describe('force_format', () => {
  const oddities: ScriptedBehaviour = ({ call, response }) => {
    const head = { id: 'chatcmpl-odd', created: 1, model: 'm', provider: 'Odd', system_fingerprint: 'fp' }
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.1 }
    const stated = { role: 'assistant', content: 'Odd.', extra: 1 }
    if (call.json.stream !== true) {
      const choices = [{ index: 0, message: stated, finish_reason: 'stop', native_finish_reason: 'STOP' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
      return
    }
    const object = 'chat.completion.chunk'
    const chunks = [
      { ...head, object, choices: [{ index: 0, delta: stated, finish_reason: null, odd: true }] },
      { ...head, object, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...head, object, choices: [], usage },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`)
  }

  it('leaves nothing but what OpenAI sends', async () => {
    const { model } = await channel('openai', { setting: { force_format: true } }, oddities)
    const headers = { authorization: `Bearer ${key}` }
    for (const stream of [true, false]) {
      const body = JSON.stringify({ model, messages: hi, stream, stream_options: { include_usage: true } })
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
      const text = await reply.text()
      expect(text).toContain('Odd.')
      expect(text).toContain('"system_fingerprint":"fp"')
      for (const odd of ['provider', 'extra', 'odd":', 'native', 'cost']) expect(text).not.toContain(odd)
    }
  })
})

describe('a system prompt of the channel', () => {
  const prompt = 'Be brief.'

  it('goes to every kind of upstream, in the place that its format has for it', async () => {
    for (const name of ['openai', 'responses', 'anthropic', 'gemini', 'bedrock'] as const) {
      const { model, upstream } = await channel(name, { setting: { system_prompt: prompt } })
      await bufferedText(model)
      expect([name, upstream.calls.at(-1)?.body.toString()]).toEqual([name, expect.stringContaining(prompt)])
    }
    expect(await newestOther()).toMatchObject({ is_system_prompt_overwritten: true })
  })

  it('stays out of a call that has its own, unless it is for every call', async () => {
    const own = { max_tokens: 9, messages: hi, system: 'Be long.' }
    const polite = await channel('anthropic', { setting: { system_prompt: prompt } })
    await anthropic.messages.create({ model: polite.model, ...own })
    expect(polite.upstream.calls.at(-1)?.json.system).toBe('Be long.')
    const strict = await channel('anthropic', {
      setting: { system_prompt: prompt, system_prompt_override: true },
    })
    await anthropic.messages.create({ model: strict.model, ...own })
    expect(strict.upstream.calls.at(-1)?.json.system).toBe('Be brief.\n\nBe long.')
  })
})

describe('pass_through_body', () => {
  it('sends the very bytes, by the name of the caller, and charges the call', async () => {
    const { model, upstream, id } = await channel('openai', {
      setting: { pass_through_body: true, system_prompt: 'no' },
      param_override: '{"temperature":0}',
    })
    await operator.api('PUT', '/api/channel/', { id, model_mapping: JSON.stringify({ [model]: 'other' }) })
    const before = await operator.quota()
    const body = `{ "model":"${model}",  "messages":[{"role":"user","content":"Hi"}], "odd": 1.0 }`
    const headers = { authorization: `Bearer ${key}` }
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(reply.status).toBe(200)
    expect(upstream.calls.at(-1)?.body.toString()).toBe(body)
    expect(await operator.quota()).toBeLessThan(before)
  })

  it('translates what the upstream does not speak, as without it', async () => {
    const { model, upstream } = await channel('openai', { setting: { pass_through_body: true } })
    const message = await anthropic.messages.create({ model, max_tokens: 100, messages: hi })
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello.' }])
    expect(upstream.calls.at(-1)?.json).toMatchObject({ model, max_tokens: 100 })
  })
})

describe('operations of param_override', () => {
  it("edit what is sent, in the upstream's own format too", async () => {
    const operations = [
      { mode: 'prepend', path: 'messages.-1.content', value: 'Be brief. ' },
      { mode: 'set', path: 'temperature', value: 0.5, conditions: [{ path: 'top_p', mode: 'gt', value: 1 }] },
      { mode: 'set', path: 'metadata.user_id', value: 'house' },
    ]
    const param_override = JSON.stringify({ top_p: 1, operations })
    const { model, upstream } = await channel('openai', { param_override })
    await openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] })
    expect(upstream.calls.at(-1)?.json).toEqual({
      model,
      messages: [{ role: 'user', content: 'Be brief. Hi' }],
      top_p: 1,
      metadata: { user_id: 'house' },
    })
    const { model: claude, upstream: messages } = await channel('anthropic', { param_override })
    await openai.chat.completions.create({ model: claude, messages: [{ role: 'user', content: 'Hi' }] })
    expect(messages.calls.at(-1)?.json).toMatchObject({ top_p: 1, metadata: { user_id: 'house' } })
  })

  it('are refused in the words of the administrator when they cannot be done', async () => {
    const { id } = await channel('openai', {})
    const param_override = JSON.stringify({ operations: [{ mode: 'set', path: 'a' }] })
    const refused = await operator.api('PUT', '/api/channel/', { id, param_override }).catch(String)
    expect(JSON.stringify(refused)).toContain('value is missing or not valid for set')
  })
})

describe('a model mapping', () => {
  it('is followed to its end, and recorded in the log', async () => {
    const { model, upstream, id } = await channel('openai', {})
    const model_mapping = JSON.stringify({ [model]: 'step', step: 'final', final: 'final' })
    await operator.api('PUT', '/api/channel/', { id, model_mapping })
    await bufferedText(model)
    expect(upstream.calls.at(-1)?.json.model).toBe('final')
    expect(await newestOther()).toMatchObject({ is_model_mapped: true, upstream_model_name: 'final' })
  })

  it('that leads back to itself is refused when it is saved', async () => {
    const { id } = await channel('openai', {})
    const saved = await operator.call('PUT', '/api/channel/', { id, model_mapping: '{"a":"b","b":"a"}' })
    expect(saved).toMatchObject({ success: false, code: 'channel_mapping_cycle' })
  })
})

describe('a SOCKS5 proxy of the channel', () => {
  const address = (password: string) =>
    `socks5://${proxyPair.username}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`
  /** The host is known to the proxy alone. */
  const hidden = () => upstreams.openai.url.replace('127.0.0.1', 'upstream.invalid')

  it('is the way of whole calls and of streams, and looks the host up', async () => {
    const setting = { proxy: address(proxyPair.password) }
    const { model } = await channel(
      'openai',
      { setting, base_url: hidden() },
      says({ text: ['By ', 'proxy.'] }),
    )
    expect(await bufferedText(model)).toBe('By proxy.')
    expect(await streamedText(model)).toBe('By proxy.')
    expect(proxy.requests.at(-1)?.host).toBe('upstream.invalid')
  })

  it('that refuses the password is never bypassed, and costs nothing', async () => {
    const { model } = await channel('openai', { setting: { proxy: address('wrong') }, base_url: hidden() })
    const before = await operator.quota()
    const failure = await bufferedText(model).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 502 })
    expect(String(failure)).not.toContain('wrong')
    expect(proxy.refusedPasswords).toBeGreaterThan(0)
    expect(await operator.quota()).toBe(before)
  })
})

describe('an image by address', () => {
  const asks = (model: string, path: string) =>
    openai.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `http://127.0.0.1:${files.port}${path}` } }],
        },
      ],
    })

  it('is refused where it leads into a private network', async () => {
    const { model, upstream } = await channel('gemini', {})
    const failure = await asks(model, '/pixel').catch((error: unknown) => error)
    expect(failure).toMatchObject({
      status: 400,
      code: 'invalid_image_url',
      param: 'messages[0].content[0]',
    })
    expect(upstream.calls).toEqual([])
  })

  describe('of an open network', () => {
    beforeAll(() => operator.option('OutboundAllowedRanges', '127.0.0.0/8'))
    afterAll(() => operator.option('OutboundAllowedRanges', ''))

    it.each(['gemini', 'bedrock'] as const)(
      'is fetched for %s, whatever its server calls it',
      async (name) => {
        const { model, upstream } = await channel(name, {})
        for (const path of ['/pixel', '/moved']) {
          await asks(model, path)
          const sent = upstream.calls.at(-1)?.body.toString()
          expect(sent).toContain(pixel.toString('base64'))
          expect(sent).toContain('image/png')
        }
      },
    )

    it('goes on as it is to those that fetch by themselves', async () => {
      const { model, upstream } = await channel('openai', {})
      await asks(model, '/pixel')
      expect(upstream.calls.at(-1)?.body.toString()).toContain(`${files.port}/pixel`)
    })

    it.each(['/page', '/huge'])('is refused by name when it is no image, or too large: %s', async (path) => {
      const { model } = await channel('gemini', {})
      expect(await asks(model, path).catch((error: unknown) => error)).toMatchObject({
        status: 400,
        code: 'invalid_image_url',
      })
    })
  })
})
