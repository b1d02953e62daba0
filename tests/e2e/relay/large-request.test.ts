import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

const megabyte = 1024 * 1024
/** The platform's client, which a run may have chosen, holds bodies whole. */
const itInBounds = it.skipIf(process.env['TOLLGATE_TEST_UPSTREAM_HTTP'] === 'fetch')
const imageBytes = 20 * megabyte

let gateway: Tollgate
let upstream: Server
let upstreamUrl: string
let operator: Operator
let key: string
/** Bytes of the bodies that arrived. */
let arrived: number[]

/** Reads a body without storing it, and responds briefly in the format of its path. */
function startUpstream(): Promise<Server> {
  const server = createServer((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => {
      arrived.push(bytes)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(replyTo(request.url ?? '')))
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function replyTo(path: string): object {
  if (path.includes('/audio/')) return { text: 'A long talk.' }
  return path.includes('/messages') ? message : completion
}

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text: 'A cat.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1500, output_tokens: 3 },
}
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A cat.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1500, completion_tokens: 3, total_tokens: 1503 },
}

beforeAll(async () => {
  arrived = []
  upstream = await startUpstream()
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  gateway = await startTollgate()
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'openai', type: 1, base_url: upstreamUrl, models: 'gpt-4o,whisper-1' })
  await operator.addChannel({ name: 'claude', type: 14, base_url: upstreamUrl, models: 'claude-haiku-4-5' })
  await operator.option('SelfUseModeEnabled', 'true')
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  upstream?.close()
})

function bodyWithImage(model: string): string {
  const url = `data:image/png;base64,${'iVBORw0KGgo'.padEnd(imageBytes, 'A')}`
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
  ]
  return JSON.stringify({ model, messages: [{ role: 'user', content }], max_tokens: 50 })
}

async function ask(body: string): Promise<string> {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  const json = (await reply.json()) as typeof completion
  expect(reply.status).toBe(200)
  return json.choices[0]?.message.content ?? ''
}

/** Highest resident memory since the last reset, in bytes, as the kernel reports it. */
function peakMemory(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) * 1024
}

async function resetPeak(pid: number): Promise<void> {
  await Bun.write(`/proc/${pid}/clear_refs`, '5')
}

describe('a request of 20 MB with an image', () => {
  itInBounds.each([
    ['of its own format', 'gpt-4o'],
    ['of another format', 'claude-haiku-4-5'],
  ])('reaches an upstream %s in at most three copies at a time', async (_, model) => {
    const body = bodyWithImage(model)
    await ask(bodyWithImage(model).replace('A'.repeat(imageBytes - megabyte), ''))
    await resetPeak(gateway.pid)
    const before = peakMemory(gateway.pid)
    expect(await ask(body)).toBe('A cat.')
    const copies = (peakMemory(gateway.pid) - before) / body.length
    expect(arrived.at(-1)).toBeGreaterThan(imageBytes)
    // Three copies, and half of one for what the collector has not taken yet.
    expect(copies).toBeLessThan(3.5)
  })
})

describe('a large request that is edited on its way', () => {
  let received: Record<string, unknown>
  let vendor: ReturnType<typeof Bun.serve>

  beforeAll(async () => {
    vendor = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        received = (await request.json()) as Record<string, unknown>
        return Response.json(response)
      },
    })
    const base_url = `http://127.0.0.1:${vendor.port}`
    await operator.addChannel({ name: 'edited', type: 1, base_url, models: 'gpt-5-mini' })
  })
  afterAll(() => vendor?.stop(true))

  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'gpt-5-mini',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'A cat.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 1500, output_tokens: 3, total_tokens: 1503 },
  }

  it('reaches an upstream of Responses with its images whole, and with what looks like our marks', async () => {
    const image = `data:image/png;base64,${'iVBORw0KGgo'.padEnd(megabyte, 'A')}`
    const content = [
      { type: 'input_text', text: 'TollgateLiteral0 TollgateLiteral0N0E' },
      { type: 'input_image', image_url: image, detail: 'auto' },
    ]
    // Reasoning of another vendor: it is removed from the input.
    const foreign = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: 'tollgate.unsigned.none.',
    }
    const reply = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5-mini', input: [foreign, { role: 'user', content }] }),
    })
    expect(reply.status).toBe(200)
    expect(JSON.stringify(received.input) === JSON.stringify([{ role: 'user', content }])).toBe(true)
  })
})

describe('an upload of 200 MB', () => {
  const uploaded = 200

  /** The file before the model, as many callers send them. */
  async function* form(megabytes: number) {
    yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n')
    for (let count = 0; count < megabytes; count++) yield Buffer.alloc(megabyte, count)
    yield Buffer.from('\r\n--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--b--\r\n')
  }

  async function transcribe(megabytes: number): Promise<unknown> {
    const reply = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' },
      // A stream to the runtime; its types know buffers and texts alone.
      body: form(megabytes) as unknown as ReadableStream,
    })
    return reply.json()
  }

  itInBounds('reaches its upstream without being in memory', async () => {
    await transcribe(5)
    await resetPeak(gateway.pid)
    const before = peakMemory(gateway.pid)
    expect(await transcribe(uploaded)).toEqual({ text: 'A long talk.' })
    expect(arrived.at(-1)).toBeGreaterThan(uploaded * megabyte)
    // What it is read and sent by, until the collector takes it; one copy of the file would be more.
    expect(peakMemory(gateway.pid) - before).toBeLessThan(0.75 * uploaded * megabyte)
  })
})
