import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import {
  type RealtimeScript,
  type RealtimeUpstream,
  startRealtimeUpstream,
} from '../../support/upstream/realtime.ts'

setDefaultTimeout(deadline(30_000))

let gateway: Tollgate
let operator: Operator
let key: string
const upstreams: RealtimeUpstream[] = []
const sockets: WebSocket[] = []
const names = [
  'talks',
  'calls',
  'falls',
  'breaks',
  'large',
  'silent',
  'poor',
  'speaks',
  'azure',
  'stops',
  'idle',
  'noisy',
  'broken',
  'searches',
  'strips',
  'banned',
  'priced-search',
  'drained',
]
/** Models that write down: by tokens, by seconds. */
const writers = ['rt-words', 'rt-seconds']

beforeAll(async () => {
  gateway = await startTollgate({
    env: {
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      SHUTDOWN_TIMEOUT: '1',
      REALTIME_IDLE_TIMEOUT: '2',
      STREAMING_TIMEOUT: '1',
    },
  })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  const each = (value: number) =>
    JSON.stringify(
      Object.fromEntries([...names.map((name) => `rt-${name}`), ...writers].map((name) => [name, value])),
    )
  await operator.option('ModelRatio', each(2))
  await operator.option('CompletionRatio', each(4))
  await operator.option('AudioRatio', each(8))
  await operator.option('AudioCompletionRatio', each(2))
  await operator.option('CacheRatio', each(0.5))
  await operator.option('ModelPrice', JSON.stringify({ 'rt-calls': 0.01 }))
  key = (await operator.addKey()).key
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of upstreams) await upstream.stop()
})

const usage = {
  total_tokens: 180,
  input_tokens: 100,
  output_tokens: 80,
  input_token_details: { text_tokens: 40, audio_tokens: 60, cached_tokens: 20 },
  output_token_details: { text_tokens: 30, audio_tokens: 50 },
}
/** Text 20, cached 20 at half, audio 60 at 8; text out 30 at 4, audio out 50 at 16; all at 2. */
const costOfOne = 2 * (20 + 10 + 480 + 120 + 800)

const responds: RealtimeScript = {
  reply(event, send) {
    if (event.type !== 'response.create') return
    send({ type: 'response.output_text.delta', delta: 'Hello' })
    send({ type: 'response.output_audio.delta', delta: 'AAAA' })
    send({ type: 'response.done', response: { usage } })
  },
}

async function channel(name: string, script: RealtimeScript, fields: Record<string, unknown> = {}) {
  const upstream = await startRealtimeUpstream(script)
  upstreams.push(upstream)
  await operator.addChannel({ name, base_url: upstream.url, models: `rt-${name}`, ...fields })
  return upstream
}

interface Caller {
  readonly socket: WebSocket
  /** All that came, as it came. */
  readonly raw: string[]
  readonly events: { type: string; [name: string]: unknown }[]
  readonly closing: Promise<{ code: number; reason: string }>
  say(event: object): void
  heard(type: string, count?: number): Promise<{ type: string; [name: string]: unknown }>
}

function listen(socket: WebSocket): Caller {
  sockets.push(socket)
  const events: Caller['events'] = []
  const raw: string[] = []
  socket.addEventListener('message', ({ data }) => {
    raw.push(String(data))
    const event = eventIn(String(data))
    if (event !== undefined) events.push(event)
  })
  const closing = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
  })
  return {
    socket,
    raw,
    events,
    closing,
    say: (event) => socket.send(JSON.stringify(event)),
    heard: (type, count = 1) => until(() => events.filter((event) => event.type === type)[count - 1]),
  }
}

/** Lines that no honest client sends. */
const noise: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  'null',
  '7',
  '[]',
  '{"type":7}',
  '{"type":"response.create"',
  '{"type":"session.update","session":[[]]}',
  '{"type":"conversation.item.create","item":{"content":"no list"}}',
  '{"type":"input_audio_buffer.append","audio":{"a":1}}',
  `{"type":"${'x'.repeat(300_000)}"}`,
  `${'['.repeat(20_000)}`,
  '\ud800\u0000',
  crypto.getRandomValues(new Uint8Array(999)),
]

function eventIn(text: string): Caller['events'][number] | undefined {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Opens a session over a bare socket, sends these bytes as the last, and waits until it is closed. */
async function sendFrame(model: string, frame: Uint8Array): Promise<void> {
  const { hostname, port } = new URL(gateway.url)
  const head = [
    `GET /v1/realtime?model=${model} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  ].join('\r\n')
  const closed = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(self, bytes) {
        if (bytes.toString('latin1').startsWith('HTTP/1.1 101')) self.end(frame)
      },
      close: () => closed.resolve(),
      end: (self) => void self.end(),
    },
  })
  socket.write(head)
  await closed.promise
}

/** A caller with its key in a header. */
async function open(model: string, apiKey = key): Promise<Caller> {
  return openAt(`?model=${model}`, apiKey)
}

async function openAt(query: string, apiKey = key): Promise<Caller> {
  const url = `${gateway.url.replace('http', 'ws')}/v1/realtime${query}`
  const options: Bun.WebSocketOptions = { headers: { authorization: `Bearer ${apiKey}` } }
  // The types of browsers, which hold here, know no headers.
  const caller = listen(new WebSocket(url, options as unknown as string[]))
  await new Promise((resolve, reject) => {
    caller.socket.addEventListener('open', resolve)
    caller.socket.addEventListener('error', reject)
  })
  return caller
}

/** The SDK speaks TLS alone, which is another's to end in front of a gateway. */
function withoutTls<T>(make: () => T): T {
  const Known = globalThis.WebSocket
  class Plain extends Known {
    constructor(url: string, protocols: string[]) {
      super(url.replace(/^wss:/, 'ws:'), protocols)
    }
  }
  globalThis.WebSocket = Plain as typeof WebSocket // The SDK calls it with these two.
  try {
    return make()
  } finally {
    globalThis.WebSocket = Known
  }
}

async function charged<T>(session: () => Promise<T>) {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const result = await session()
  const row = await operator.consumption(rows + 1)
  expect(before - (await operator.quota())).toBe(row.quota)
  return { result, row, other: JSON.parse(row.other) }
}

/** Responds to every committed piece of audio with its transcript, and its usage. */
const writesDown = (used?: object): RealtimeScript => ({
  reply(event, send) {
    if (event.type === 'input_audio_buffer.commit') {
      const done = 'conversation.item.input_audio_transcription'
      send({ type: `${done}.delta`, delta: 'Good ' })
      send({ type: `${done}.completed`, transcript: 'Good morning', ...(used && { usage: used }) })
    }
    responds.reply?.(event, send, undefined as never)
  },
})
const tokens = {
  type: 'tokens',
  input_tokens: 50,
  output_tokens: 10,
  total_tokens: 60,
  input_token_details: { text_tokens: 0, audio_tokens: 50 },
}
const setting = (model: string) => ({
  type: 'session.update',
  session: { type: 'transcription', audio: { input: { transcription: { model, language: 'en' } } } },
})

describe('a session that transcribes', () => {
  it('is asked for by its intent, and charged for the tokens that its upstream counts', async () => {
    const upstream = await channel('words', writesDown(tokens), {
      model_mapping: '{"rt-words":"gpt-4o-transcribe"}',
    })
    const { row, other } = await charged(async () => {
      const caller = await openAt('?intent=transcription&model=rt-words')
      await caller.heard('session.created')
      caller.say(setting('rt-words'))
      for (let piece = 0; piece < 2; piece += 1) caller.say({ type: 'input_audio_buffer.commit' })
      await caller.heard('conversation.item.input_audio_transcription.completed', 2)
      caller.socket.close(1000)
    })
    expect(upstream.handshakes[0]?.path).toBe('/v1/realtime?intent=transcription')
    expect(JSON.parse(String(upstream.messages[0]))).toEqual(setting('gpt-4o-transcribe'))
    expect(row).toMatchObject({ model_name: 'rt-words', prompt_tokens: 100, completion_tokens: 20 })
    expect(row.quota).toBe(2 * 2 * (50 * 8 + 10 * 4))
    expect(other).toMatchObject({ ws: true, audio_input: 100, upstream_model_name: 'gpt-4o-transcribe' })
  })

  it('may name its model in its first event, and is charged for seconds', async () => {
    await channel('seconds', writesDown({ type: 'duration', seconds: 59.2 }))
    const { row } = await charged(async () => {
      const caller = await openAt('?intent=transcription')
      caller.say({ type: 'input_audio_buffer.append', audio: 'AAAA' })
      caller.say(setting('rt-seconds'))
      caller.say({ type: 'input_audio_buffer.commit' })
      await caller.heard('conversation.item.input_audio_transcription.completed')
      caller.socket.close(1000)
    })
    expect(row).toMatchObject({ model_name: 'rt-seconds', prompt_tokens: 1000, quota: 2000 })
  })

  it('is charged by length where nothing is counted', async () => {
    const upstream = await channel('words', writesDown(), { priority: 9 })
    const { row, other } = await charged(async () => {
      const caller = await openAt('?intent=transcription&model=rt-words')
      caller.say({ type: 'input_audio_buffer.append', audio: Buffer.alloc(3 * 48_000).toString('base64') })
      caller.say({ type: 'input_audio_buffer.commit' })
      await caller.heard('conversation.item.input_audio_transcription.completed')
      caller.socket.close(1000)
    })
    expect(upstream.messages).toHaveLength(2)
    expect(row).toMatchObject({ prompt_tokens: 50, quota: 100 })
    expect(other.estimated).toBe(true)
  })

  it('refuses another model than its own, and goes on', async () => {
    const caller = await openAt('?intent=transcription&model=rt-seconds')
    caller.say(setting('rt-words'))
    expect(await caller.heard('error')).toMatchObject({
      error: { code: 'invalid_request', param: 'session.audio.input.transcription.model' },
    })
    caller.say({ type: 'input_audio_buffer.commit' })
    await caller.heard('conversation.item.input_audio_transcription.completed')
  })

  it('is refused for another intent, an unknown model, and a model without a price', async () => {
    const refused = await fetch(`${gateway.url}/v1/realtime?intent=song`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(refused.status).toBe(400)
    const caller = await openAt('?intent=transcription')
    caller.say(setting('rt-nobody'))
    expect(await caller.heard('error')).toMatchObject({ error: { code: 'model_not_found' } })
    expect((await caller.closing).code).toBe(1008)
    await channel('idle', writesDown(tokens))
    const talker = await open('rt-idle')
    talker.say(setting('rt-free'))
    expect(await talker.heard('error')).toMatchObject({ error: { code: 'model_price_error' } })
  })

  it('beside a conversation is charged as the model that it is, in a row of its own', async () => {
    const rows = await operator.consumed()
    const before = await operator.quota()
    const caller = await open('rt-idle')
    caller.say(setting('rt-words'))
    caller.say({ type: 'input_audio_buffer.commit' })
    caller.say({ type: 'response.create' })
    await caller.heard('response.done')
    caller.socket.close(1000)
    await operator.consumption(rows + 2)
    expect(before - (await operator.quota())).toBe(costOfOne + 2 * (50 * 8 + 10 * 4))
  })
})

describe('a silent session', () => {
  let revoked: Promise<RealtimeUpstream> | undefined
  const banned = () => (revoked ??= channel('banned', responds))

  it.each([
    { why: 'its user is banned', code: 'user_banned' },
    { why: 'its key is disabled', code: 'token_disabled' },
    { why: 'its key is deleted', code: 'invalid_api_key' },
  ])('ends, charged, when $why', async ({ code }) => {
    const upstream = await banned()
    const closings = upstream.closings.length
    const ann = await addUser(gateway, `a-${code}`.slice(0, 12), 1_000_000)
    const { id, key: own } = await ann.addKey()
    const caller = await open('rt-banned', own)
    caller.say({ type: 'response.create' })
    await caller.heard('response.done')
    const before = await operator.consumed()
    if (code === 'user_banned')
      await operator.api('POST', '/api/user/manage', { id: ann.userId, action: 'disable' })
    else if (code === 'token_disabled')
      await ann.api('PUT', '/api/token/?status_only=true', { id, status: 2 })
    else await ann.api('DELETE', `/api/token/${id}`)
    expect(await caller.closing).toEqual({ code: 1008, reason: 'the key may not be used any more' })
    expect((await caller.heard('error'))['error']).toMatchObject({ code })
    expect((await operator.consumption(before + 1)).quota).toBe(costOfOne)
    expect(await until(() => upstream.closings[closings])).toBe(1000)
  })

  it('is closed and settled after a while', async () => {
    const { row, other } = await charged(async () => {
      const caller = await open('rt-idle')
      caller.say({ type: 'response.create' })
      await caller.heard('response.done')
      expect(await caller.closing).toEqual({ code: 1000, reason: 'nothing was said for too long' })
    })
    expect(row.quota).toBe(costOfOne)
    expect(other.ended).toBeUndefined()
  })

  it('ends when an upstream does not respond to a request', async () => {
    await channel('silent', {}, { priority: 9 })
    const before = await operator.quota()
    const caller = await open('rt-silent')
    caller.say({ type: 'response.create' })
    expect(await caller.heard('error')).toMatchObject({ error: { code: 'upstream_timeout' } })
    expect((await caller.closing).code).toBe(1011)
    expect(await operator.quota()).toBe(before)
  })
})

describe('a session of the Realtime API', () => {
  it('is charged exactly once for both of its responses, called by the SDK', async () => {
    const upstream = await channel('talks', responds, { model_mapping: '{"rt-talks":"gpt-realtime"}' })
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, dangerouslyAllowBrowser: true })
    const { row, other } = await charged(async () => {
      const session = withoutTls(() => new OpenAIRealtimeWebSocket({ model: 'rt-talks' }, client))
      const caller = listen(session.socket as unknown as WebSocket)
      await caller.heard('session.created')
      session.send({ type: 'response.create' })
      await caller.heard('response.done')
      session.send({ type: 'response.create' })
      await caller.heard('response.done', 2)
      expect(caller.events[3]).toEqual({ type: 'response.done', response: { usage } })
      session.close()
    })
    expect(row).toMatchObject({ quota: 2 * costOfOne, prompt_tokens: 200, completion_tokens: 160 })
    expect(other).toMatchObject({
      ws: true,
      audio: true,
      audio_input: 120,
      audio_output: 100,
      cache_tokens: 40,
    })
    const [handshake] = upstream.handshakes
    expect(handshake?.path).toBe('/v1/realtime?model=gpt-realtime')
    expect(handshake?.headers['sec-websocket-protocol']).toContain(
      'openai-insecure-api-key.sk-upstream-secret-0001',
    )
    expect(JSON.stringify(handshake)).not.toContain(key)
    await until(() => upstream.closings.includes(1000))
  })

  it('is refused with 401 for a wrong key, and 400 without a model', async () => {
    const ask = (path: string, apiKey: string) =>
      fetch(gateway.url + path, { headers: { authorization: `Bearer ${apiKey}` } })
    expect((await ask('/v1/realtime?model=rt-talks', `sk-${'a'.repeat(48)}`)).status).toBe(401)
    expect((await ask('/v1/realtime', key)).status).toBe(400)
    expect((await ask('/v1/realtime?model=rt-talks', key)).status).toBe(426)
  })

  it('tells a caller without balance so, in a frame, and closes', async () => {
    await channel('poor', responds)
    const { key: userWithoutQuota } = await operator.addKey({ unlimited_quota: false, remain_quota: 10 })
    const caller = await open('rt-poor', userWithoutQuota)
    const error = await caller.heard('error')
    expect(error).toMatchObject({
      event_id: expect.stringMatching(/^evt_/),
      error: { type: 'insufficient_quota', code: 'insufficient_token_quota' },
    })
    expect((await caller.closing).code).toBe(1008)
  })

  it('ends when the balance cannot carry more, and is charged for what it delivered', async () => {
    const { key: small } = await operator.addKey({ unlimited_quota: false, remain_quota: 17_000 })
    const { row, other } = await charged(async () => {
      const caller = await open('rt-poor', small)
      await caller.heard('session.created')
      for (let turn = 0; turn < 5; turn += 1) caller.say({ type: 'response.create' })
      expect(await caller.heard('error')).toMatchObject({ error: { code: 'insufficient_user_quota' } })
      expect((await caller.closing).code).toBe(1008)
    })
    expect(row.quota % costOfOne).toBe(0)
    expect(other.ended).toBe('insufficient_quota')
  })

  it('goes on while its channel drains, and ends with it, charged for what it delivered', async () => {
    const upstream = await startRealtimeUpstream(responds)
    upstreams.push(upstream)
    const fields = { name: 'drained', base_url: upstream.url, models: 'rt-drained' }
    const { id } = await operator.addChannel(fields)
    const { row } = await charged(async () => {
      const caller = await open('rt-drained')
      await caller.heard('session.created')
      await operator.api('POST', `/api/channel/${id}/drain`, { stays: true })
      caller.say({ type: 'response.create' })
      await caller.heard('response.done')
      await operator.api('DELETE', `/api/channel/${id}/drain`)
      await operator.api('PUT', '/api/channel/', { id, status: 2 })
      expect(await caller.heard('error')).toMatchObject({ error: { code: 'no_available_channel' } })
      expect((await caller.closing).code).toBe(1008)
    })
    expect(row.quota).toBe(costOfOne)
  })

  it('goes to the next channel when the first refuses the handshake', async () => {
    const refusing = await channel('falls', { refuses: 503 }, { priority: 10 })
    const serving = await channel('falls', responds)
    const { row, other } = await charged(async () => {
      const caller = await open('rt-falls')
      await caller.heard('session.created')
      caller.say({ type: 'response.create' })
      await caller.heard('response.done')
      caller.socket.close(1000)
    })
    expect(refusing.handshakes).toHaveLength(1)
    expect(serving.handshakes[0]?.headers.authorization).toBe('Bearer sk-upstream-secret-0001')
    expect(other.admin_info.attempts).toMatchObject([{ status: 503 }, { kind: 'ok' }])
    expect(row.quota).toBe(costOfOne)
  })

  it('passes an error of its upstream on, without the key, and its close code', async () => {
    await channel('breaks', {
      reply(event, send, socket) {
        if (event.type === 'response.create') responds.reply?.(event, send, socket)
        send({ type: 'error', error: { message: 'no sk-upstream-secret-0001', code: 'x' } })
        socket.close(1011, 'broken')
      },
    })
    const { row, other } = await charged(async () => {
      const caller = await open('rt-breaks')
      caller.say({ type: 'response.create' })
      expect(await caller.heard('error')).toEqual({
        type: 'error',
        error: { message: 'no [key]', code: 'x' },
      })
      expect(await caller.closing).toEqual({ code: 1011, reason: 'broken' })
    })
    expect(row.quota).toBe(costOfOne)
    expect(other.ended).toBe('upstream_cut')
  })

  it('carries megabytes of audio both ways, in order', async () => {
    const upstream = await channel('large', {
      reply: (event, send) => send({ type: 'echo', audio: event.audio }),
    })
    const caller = await open('rt-large')
    const pieces = Array.from({ length: 6 }, (_, index) => String(index).repeat(1024 * 1024))
    for (const audio of pieces) caller.say({ type: 'input_audio_buffer.append', audio })
    await caller.heard('echo', pieces.length)
    const echoed = caller.events
      .filter(({ type }) => type === 'echo')
      .map(({ audio }) => Bun.hash(String(audio)))
    expect(echoed).toEqual(pieces.map((piece) => Bun.hash(piece)))
    expect(upstream.messages).toHaveLength(pieces.length)
  })

  it('survives any message of its caller and its upstream, and is charged once for the responses', async () => {
    const done = JSON.stringify({ type: 'response.done', response: { usage } })
    const hostile = [...noise, done.replace('100', '"many"'), done.slice(0, -9), '{"type":"response.done"}']
    const upstream = await channel('noisy', {
      reply(event, send, socket) {
        if (event.type !== 'response.create') return
        for (const message of hostile) socket.send(message)
        responds.reply?.(event, send, socket)
      },
    })
    const { row } = await charged(async () => {
      const caller = await open('rt-noisy')
      for (const message of noise) caller.socket.send(message)
      const binary = noise.filter((message) => typeof message !== 'string').length
      await until(
        () => upstream.messages.length === noise.length - binary || upstream.closings.length > 0 || undefined,
      )
      caller.say({ type: 'response.create' })
      await until(() => caller.raw.includes(done) || undefined)
      expect((await caller.heard('error'))['error']).toMatchObject({ type: 'invalid_request_error' })
      caller.socket.close(1000)
    })
    expect(row.quota).toBe(costOfOne)
    expect((await fetch(`${gateway.url}/api/status`)).status).toBe(200)
  })

  it('ends alone when its caller sends invalid UTF-8, or an invalid frame', async () => {
    await channel('broken', responds)
    const before = await operator.quota()
    const text = [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]
    const frames = [text, [0x81, 0xff, ...Array(8).fill(0xff)], [0xff, 0x80, 1, 2, 3, 4], [0x83, 0x00]]
    for (const frame of frames) await sendFrame('rt-broken', Uint8Array.from(frame))
    expect(await operator.quota()).toBe(before)
    const caller = await open('rt-broken')
    await caller.heard('session.created')
  })

  it('costs nothing without a response', async () => {
    const upstream = await channel('silent', {})
    const before = await operator.quota()
    const caller = await open('rt-silent')
    await caller.heard('session.created')
    caller.say({ type: 'session.update', session: { instructions: 'Be kind.' } })
    await until(() => upstream.messages.length === 1)
    caller.socket.close(1000)
    await until(() => upstream.closings.length === 1)
    expect(await operator.quota()).toBe(before)
  })

  it('costs its price per call once', async () => {
    await channel('calls', responds)
    const { row } = await charged(async () => {
      const caller = await open('rt-calls')
      caller.say({ type: 'response.create' })
      caller.say({ type: 'response.create' })
      await caller.heard('response.done', 2)
      caller.socket.close(1000)
    })
    expect(row.quota).toBe(5000)
  })

  it('is counted here where the upstream does not count', async () => {
    await channel('speaks', {
      reply(event, send) {
        if (event.type !== 'response.create') return
        // A second of speech.
        send({ type: 'response.audio.delta', delta: Buffer.alloc(48_000).toString('base64') })
        send({ type: 'response.done', response: {} })
      },
    })
    const { row, other } = await charged(async () => {
      const caller = await open('rt-speaks')
      const audio = Buffer.alloc(2 * 48_000).toString('base64')
      caller.say({ type: 'input_audio_buffer.append', audio })
      caller.say({ type: 'response.create' })
      await caller.heard('response.done')
      caller.socket.close(1000)
    })
    expect(row).toMatchObject({ prompt_tokens: 56, completion_tokens: 14 })
    expect(row.quota).toBe(2 * (56 * 8 + 14 * 16))
    expect(other.estimated).toBe(true)
  })

  it('is asked of Azure at its deployment, with the key in its header', async () => {
    const upstream = await channel('azure', responds, { type: 3, other: '2025-04-01-preview' })
    const caller = await open('rt-azure')
    await caller.heard('session.created')
    expect(upstream.handshakes[0]).toMatchObject({
      path: '/openai/realtime?api-version=2025-04-01-preview&deployment=rt-azure',
      headers: { 'api-key': 'sk-upstream-secret-0001' },
    })
  })

  it('gets an error when the gateway stops while it waits for its model', async () => {
    const caller = await openAt('?intent=transcription')
    caller.say({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    await gateway.restart('SIGTERM')
    expect(await caller.heard('error')).toMatchObject({ error: { code: 'shutting_down' } })
    expect((await caller.closing).code).toBe(1001)
    operator = await operate(gateway.url)
  })

  it('is charged and gets an error when the gateway stops', async () => {
    await channel('stops', responds)
    const rows = await operator.consumed()
    const caller = await open('rt-stops')
    caller.say({ type: 'response.create' })
    await caller.heard('response.done')
    await gateway.restart('SIGTERM')
    expect(await caller.heard('error')).toMatchObject({ error: { code: 'shutting_down' } })
    expect((await caller.closing).code).toBe(1001)
    operator = await operate(gateway.url)
    const row = await operator.consumption(rows + 1)
    expect(row.quota).toBe(costOfOne)
    expect(JSON.parse(row.other).ended).toBe('shutdown')
  })
})

describe('tools that the provider runs', () => {
  const own = { type: 'function', name: 'look' }
  const update = (...tools: object[]) => ({ type: 'session.update', session: { tools } })
  const sessionsOf = ({ messages }: RealtimeUpstream) =>
    messages.map((message) => eventIn(String(message))?.session)

  it('are refused where they have no price, and the session goes on', async () => {
    const upstream = await channel('searches', responds)
    const caller = await open('rt-searches')
    caller.say(update({ type: 'web_search' }))
    const { error } = await caller.heard('error')
    expect(error).toMatchObject({ param: 'session.tools[0]', code: 'unpriced_field' })
    caller.say(update(own, { type: 'web_search' }))
    caller.socket.send('{"type":"session.update","session":{"\\u0074ools":[{"type":"x_search"}]}}')
    await until(() => caller.events.filter(({ type }) => type === 'error')[1])
    caller.say(update(own, { type: 'mcp' }))
    await until(() => upstream.messages[1])
    expect(sessionsOf(upstream)).toEqual([{ tools: [own] }, { tools: [own, { type: 'mcp' }] }])
  })

  it('are refused whatever they cost elsewhere, as no session counts them', async () => {
    await channel('priced-search', responds)
    await operator.option('ToolPrice', '{"rt-priced-search":{"web_search":10}}')
    const caller = await open('rt-priced-search')
    caller.say(update({ type: 'web_search' }))
    expect((await caller.heard('error')).error).toMatchObject({ code: 'unpriced_field' })
  })

  it('are left out where the channel says so', async () => {
    const upstream = await channel('strips', responds, { setting: '{"strip_unpriced_fields":true}' })
    const caller = await open('rt-strips')
    caller.say({ type: 'session.update', session: { voice: 'a', tools: [{ type: 'web_search' }] } })
    await until(() => upstream.messages[0])
    expect(sessionsOf(upstream)).toEqual([{ voice: 'a' }])
  })
})
