import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

/** Request that the upstream got. */
interface Requested {
  readonly path: string
  readonly headers: Headers
  readonly text: string
}

const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
const channels = {
  mistral: { type: 42, key: 'mistral-0001', models: 'codestral-latest' },
  cloudflare: {
    type: 39,
    key: 'cf-0001',
    other: '0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b',
    models: '@cf/meta/llama-3.1-8b-instruct',
  },
  speech: { type: 45, key: 'app-1|token-0001', models: 'doubao-tts' },
  dify: { type: 37, key: 'app-0001', models: 'my-app' },
  bedrock: { type: 33, key: 'bedrock-0001|us-east-1', models: 'claude-sonnet-4-5-20250929' },
} as const

let gateway: Tollgate
let operator: Operator
let client: OpenAI
let key: string
let server: ReturnType<typeof Bun.serve>
let requested: Requested[]
/** The upstream's response: an object as JSON, texts as events. */
let answer: object | readonly string[]

beforeAll(async () => {
  gateway = await startTollgate()
  operator = await operate(gateway.url)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
  const models = Object.values(channels).map((channel) => channel.models)
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(models.map((name) => [name, 1]))))
  await operator.option(
    'CompletionRatio',
    JSON.stringify(Object.fromEntries(models.map((name) => [name, 2]))),
  )
  await operator.option('OutboundAllowedRanges', '127.0.0.0/8')
  for (const [name, channel] of Object.entries(channels))
    await operator.addChannel({ name, base_url: server.url.origin, ...channel })
  key = (await operator.addKey()).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await gateway?.stop()
  await server?.stop(true)
})
beforeEach(() => {
  requested = []
})

async function serve(request: Request): Promise<Response> {
  const { pathname: path } = new URL(request.url)
  if (path === '/cat.png') return new Response(png)
  if (path === '/v1/files/upload') return upload(request)
  requested.push({ path, headers: request.headers, text: await request.text() })
  if (!Array.isArray(answer)) return Response.json(answer)
  const events = answer.map((data) => `data: ${data}\n\n`).join('')
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
}

/** Uploads as Dify does: a file for a user, whose id contains its size. */
async function upload(request: Request): Promise<Response> {
  const form = await request.formData()
  const file = form.get('file')
  if (!(file instanceof File) || request.headers.get('authorization') !== 'Bearer app-0001')
    return Response.json({ code: 'no_file_uploaded', message: 'no file', status: 400 }, { status: 400 })
  if (file.type === 'image/gif')
    return Response.json({ code: 'unsupported_file_type', message: 'no GIFs', status: 415 }, { status: 415 })
  const bytes = Buffer.from(await file.arrayBuffer())
  const id = `${form.get('user')}-${file.name}-${bytes.length}-${Bun.hash(bytes)}`
  return Response.json({ id, name: file.name, size: bytes.length, mime_type: file.type }, { status: 201 })
}

const events = (...objects: readonly object[]) => [...objects.map((each) => JSON.stringify(each)), '[DONE]']

/** Runs a call; what came of it, and what it was charged. */
async function charged<Result>(work: () => Promise<Result>) {
  const rows = await operator.consumed()
  const result = await work()
  return { result, quota: (await operator.consumption(rows + 1)).quota }
}

async function streamed(model: string, more: object = {}) {
  const stream = await client.completions.create({ model, prompt: 'def add(', stream: true, ...more })
  let text = ''
  let finish: string | null = null
  for await (const { choices } of stream) {
    text += choices[0]?.text ?? ''
    finish = choices[0]?.finish_reason ?? finish
  }
  return { text, finish }
}

describe('completions', () => {
  const usage = { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 }

  it('are filled in by Mistral between prompt and suffix, and come back as such', async () => {
    const chunk = (content: string, finish_reason: string | null = null, more: object = {}) => ({
      id: 'f',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content }, finish_reason }],
      ...more,
    })
    answer = events(chunk('a'), chunk(', '), chunk('b'), chunk(')', 'stop', { usage }))
    const { models: model } = channels.mistral
    const { result, quota } = await charged(() => streamed(model, { suffix: 'return', seed: 3, user: 'u' }))
    expect(result).toEqual({ text: 'a, b)', finish: 'stop' })
    expect(quota).toBe(4 + 3 * 2)
    expect(requested[0]?.path).toBe('/v1/fim/completions')
    expect(JSON.parse(requested[0]?.text ?? '')).toEqual({
      model,
      prompt: 'def add(',
      stream: true,
      suffix: 'return',
      random_seed: 3,
    })
    const message = { role: 'assistant', content: 'a, b)' }
    answer = {
      id: 'f',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    const buffered = await client.completions.create({ model, prompt: 'def add(' })
    expect(buffered).toMatchObject({ object: 'text_completion', choices: [{ text: 'a, b)' }], usage })
  })

  it('are run by Cloudflare at the address of the model', async () => {
    answer = events({ response: 'a, ', p: 'x' }, { response: 'b)', p: 'xy' }, { response: '', usage })
    const { models: model } = channels.cloudflare
    const { result, quota } = await charged(() => streamed(model, { max_tokens: 9 }))
    expect(result).toEqual({ text: 'a, b)', finish: 'stop' })
    expect(quota).toBe(4 + 3 * 2)
    expect(requested[0]?.path).toBe(`/client/v4/accounts/${channels.cloudflare.other}/ai/run/${model}`)
    expect(JSON.parse(requested[0]?.text ?? '')).toEqual({ prompt: 'def add(', stream: true, max_tokens: 9 })
    answer = { result: { response: 'a, b)', usage }, success: true, errors: [], messages: [] }
    const buffered = await client.completions.create({ model, prompt: 'def add(' })
    expect(buffered).toMatchObject({ model, object: 'text_completion', choices: [{ text: 'a, b)' }], usage })
  })

  it('are refused by the name of a field that would change the response', async () => {
    for (const [model, more, param] of [
      [channels.mistral.models, { n: 2 }, 'n'],
      [channels.cloudflare.models, { suffix: 'x' }, 'suffix'],
      [channels.cloudflare.models, { prompt: ['a', 'b'] }, 'prompt'],
    ] as const) {
      const failed = streamed(model, more).catch((error) => error)
      expect(await failed).toMatchObject({ status: 400, param })
    }
    expect(requested).toEqual([])
  })
})

describe('speech', () => {
  const ask = () =>
    client.audio.speech.create({ model: channels.speech.models, input: 'Hello', voice: 'zh_voice' })

  it('of Volcengine is asked for with its own kind of key', async () => {
    answer = {
      reqid: 'r',
      code: 3000,
      message: 'Success',
      sequence: -1,
      data: Buffer.from('ID3').toString('base64'),
    }
    const { result } = await charged(ask)
    expect(result.headers.get('content-type')).toBe('audio/mpeg')
    expect(await result.text()).toBe('ID3')
    const [{ path, headers, text } = { path: '', headers: new Headers(), text: '{}' }] = requested
    expect([path, headers.get('authorization')]).toEqual(['/api/v1/tts', 'Bearer;token-0001'])
    expect(JSON.parse(text)).toMatchObject({
      app: { appid: 'app-1' },
      audio: { voice_type: 'zh_voice', encoding: 'mp3' },
      request: { text: 'Hello', operation: 'query', reqid: expect.stringMatching(/./) },
    })
  })

  it('that fails inside a 200 is a failure with its kind', async () => {
    answer = { reqid: 'r', code: 3001, message: 'invalid voice', sequence: 0 }
    expect(await ask().catch((error) => error)).toMatchObject({ status: 400 })
  })
})

describe('files for Dify', () => {
  const large = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(400_000, 'x')])
  const ask = (...files: readonly (readonly [type: string, bytes: Buffer])[]) =>
    client.chat.completions.create({
      model: channels.dify.models,
      user: 'ann',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            ...files.map(([type, bytes]) => ({
              type: 'image_url' as const,
              image_url: { url: `data:${type};base64,${bytes.toString('base64')}` },
            })),
          ],
        },
      ],
    })

  it('are uploaded once each for the one user, whole however large, and named by their ids', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 }
    answer = { event: 'message', message_id: 'm', mode: 'chat', answer: 'A cat.', metadata: { usage } }
    const { result, quota } = await charged(() =>
      ask(['image/png', png], ['image/jpeg', large], ['image/png', png]),
    )
    expect(result.choices[0]?.message.content).toBe('A cat.')
    expect(quota).toBe(12 + 8 * 2)
    const file = (name: string, bytes: Buffer) => ({
      type: 'image',
      transfer_method: 'local_file',
      upload_file_id: `ann-${name}-${bytes.length}-${Bun.hash(bytes)}`,
    })
    expect(JSON.parse(requested[0]?.text ?? '')).toMatchObject({
      query: 'What is it?',
      user: 'ann',
      files: [file('file.png', png), file('file.jpg', large), file('file.png', png)],
    })
  })

  it('that it does not take are its refusal', async () => {
    const failed = await ask(['image/gif', Buffer.from('GIF89a')]).catch((error) => error)
    expect(failed).toMatchObject({ status: 415, code: 'unsupported_file_type' })
    expect(requested).toEqual([])
  })
})

it('puts files into bodies for Claude at Bedrock and leaves all else of them as it came', async () => {
  answer = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'c',
    content: [{ type: 'text', text: 'A cat.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 3 },
  }
  const body = (source: string) =>
    `{"messages" : [{"role":"user","content":[{"type":"image" , "source":${source},"cache_control":{"type":"ephemeral"}},` +
    `{"type":"text","text":"caf\\u00e9"}]},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"n","input":{"id":12345678901234567890}}]},` +
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":${source}}]}]}],"max_tokens":64`
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: `${body(JSON.stringify({ type: 'url', url: `${server.url.origin}/cat.png` }))},"model":"${channels.bedrock.models}"}`,
  })
  expect(response.status).toBe(200)
  const inline = { type: 'base64', media_type: 'image/png', data: png.toString('base64') }
  expect(requested[0]?.text).toBe(`${body(JSON.stringify(inline))},"anthropic_version":"bedrock-2023-05-31"}`)
})
