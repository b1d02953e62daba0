import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

interface Vendor {
  readonly url: string
  /** Requests that came whole: what a vendor is paid for. */
  paid: number
  behaviour: Behaviour
  stop(): void
}

async function startVendor(): Promise<Vendor> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      // The poller asks about drawings at its own pace, which costs nothing.
      if (!request.url?.startsWith('/mj/task/')) vendor.paid += 1
      vendor.behaviour(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const vendor: Vendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid: 0,
    behaviour: reply,
    stop: () => server.close().closeAllConnections(),
  }
  return vendor
}

const usage = { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 }
const bodies: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage,
  },
  '/v1/images/generations': { created: 1, data: [{ url: 'https://img.test/1.png' }] },
  '/v1/audio/transcriptions': { text: 'Hello.' },
}

const reply: Behaviour = (response, { url = '' }) => {
  if (url === '/v1/audio/speech') response.setHeader('content-type', 'audio/mpeg').end('a recording')
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(bodies[url]))
}
const reset: Behaviour = (response) => response.socket?.resetAndDestroy()
const replyLater: Behaviour = (response, request) => void setTimeout(() => reply(response, request), 300)

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const streamHead = { 'content-type': 'text/event-stream' }

let gateway: Tollgate
let operator: Operator
let first: Vendor
let second: Vendor
let key: string

/** Priced by the token, by the call, by the image, by the minute, by the character. */
const models = 'by-token,by-call,dall-e-3,whisper-1,tts-1'

beforeAll(async () => {
  first = await startVendor()
  second = await startVendor()
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', RELAY_TIMEOUT: '10' } })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  await operator.option('ModelRatio', JSON.stringify({ 'by-token': 1, 'whisper-1': 15, 'tts-1': 7.5 }))
  await operator.option(
    'ModelPrice',
    JSON.stringify({ 'by-call': 0.01, 'dall-e-3': 0.04, mj_describe: 0.1, mj_imagine: 0.1 }),
  )
  await operator.addChannel({ name: 'first', base_url: first.url, models, priority: 10 })
  await operator.addChannel({ name: 'second', base_url: second.url, models })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  first?.stop()
  second?.stop()
})
beforeEach(async () => {
  for (const vendor of [first, second]) {
    vendor.paid = 0
    vendor.behaviour = reply
  }
  for (const id of [1, 2]) {
    await operator.api('PUT', '/api/channel/', { id, status: 2 })
    await operator.api('PUT', '/api/channel/', { id, status: 1 })
  }
})

const chat = (model: string, more: object = {}) =>
  [
    '/v1/chat/completions',
    JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
  ] as const
const image = ['/v1/images/generations', JSON.stringify({ model: 'dall-e-3', prompt: 'a cat' })] as const
const form = [
  '/v1/audio/transcriptions',
  [
    '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1',
    `\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n${'x'.repeat(64_000)}`,
    '\r\n--b--\r\n',
  ].join(''),
] as const

type Call = readonly [path: string, body: string]

/** A call over a socket of the test's own, which can be ended in any way. */
function dial([path, body]: Call, by = key): Socket {
  const type = path.includes('/audio/') ? 'multipart/form-data; boundary=b' : 'application/json'
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${by}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  return socket
}

const ask = ([path, body]: Call, by = key) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
    body,
  })

const otherOf = (row: LogRow) => JSON.parse(row.other) as Record<string, unknown>

async function auditIsClean(): Promise<void> {
  const { code, output } = await gateway.run('audit')
  expect(output).not.toContain('differs')
  expect(code).toBe(0)
}

/** The newest row of a failed call. */
async function failure(): Promise<(LogRow & { readonly content: string }) | undefined> {
  const { items } = await operator.api<{ items: (LogRow & { content: string })[] }>(
    'GET',
    '/api/log/?p=1&page_size=1&type=5',
  )
  return items[0]
}

describe('a caller that is gone before its response', () => {
  const calls: readonly (readonly [string, Call])[] = [
    ['a buffered response priced by the token', chat('by-token')],
    ['a buffered response priced by the call', chat('by-call')],
    ['an image', image],
    ['a form', form],
    ['a recording', ['/v1/audio/speech', JSON.stringify({ model: 'tts-1', voice: 'alloy', input: 'Hello' })]],
  ]

  it.each(calls)('pays for %s, however it leaves', async (_, call) => {
    const rows = await operator.consumed()
    const before = await operator.quota()
    const full = await (async () => {
      await (call === form ? untilEnded(dial(call)) : ask(call))
      return (await operator.consumption(rows + 1)).quota
    })()
    first.behaviour = replyLater
    const leave: readonly ((socket: Socket) => void)[] = [
      (socket) => void socket.resetAndDestroy(),
      (socket) => void socket.destroy(),
      (socket) => void socket.end(),
    ]
    for (const [position, leaving] of leave.entries()) {
      const paid = first.paid
      const socket = dial(call)
      await until(() => first.paid > paid || undefined)
      leaving(socket)
      const row = await operator.consumption(rows + 2 + position)
      expect(row.quota).toBe(full)
      socket.destroy()
    }
    expect(full).toBeGreaterThan(0)
    expect(before - (await operator.quota())).toBe(4 * full)
    expect(first.paid + second.paid).toBe(4)
    await auditIsClean()
  })

  it('is not tried elsewhere, and pays nothing, where its upstream then fails', async () => {
    first.behaviour = (response) => void setTimeout(() => response.writeHead(500).end('{}'), 200)
    const before = await operator.quota()
    const socket = dial(image)
    await until(() => first.paid === 1 || undefined)
    socket.resetAndDestroy()
    const row = await until(failure)
    expect(otherOf(row)).toMatchObject({ ended: 'client_gone' })
    expect(second.paid).toBe(0)
    expect(await operator.quota()).toBe(before)
  })

  it('is waited for by a gateway that stops', async () => {
    first.behaviour = (response, request) => void setTimeout(() => reply(response, request), 1000)
    const rows = await operator.consumed()
    const socket = dial(image)
    await until(() => first.paid === 1 || undefined)
    socket.resetAndDestroy()
    await gateway.restart('SIGTERM')
    operator = await operate(gateway.url)
    expect(await operator.consumed()).toBe(rows + 1)
    await auditIsClean()
  })
})

function untilEnded(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('data', () => socket.end())
    socket.on('close', () => resolve())
  })
}

describe('a key that has less than a response costs', () => {
  it('is charged down to nothing, and has it delivered', async () => {
    const short = await operator.addKey({ unlimited_quota: false, remain_quota: 700 })
    const rows = await operator.consumed()
    const response = await ask(chat('by-token'), short.key)
    expect(response.status).toBe(200)
    const row = await operator.consumption(rows + 1)
    expect(row.quota).toBe(700)
    expect(otherOf(row).shortfall).toBe(1300)
    const { remain_quota } = await operator.api<{ remain_quota: number }>('GET', `/api/token/${short.id}`)
    expect(remain_quota).toBe(0)
    expect((await ask(chat('by-token'), short.key)).status).toBeGreaterThanOrEqual(400)
    await auditIsClean()
  })
})

describe('a balance that has less than a response costs', () => {
  const counted = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`

  it.each([
    ['buffered', false],
    ['streamed', true],
  ])(
    'is charged down to nothing and not below for one that is %s, and then refuses',
    async (name, stream) => {
      first.behaviour = (response, request) => {
        if (!stream) return reply(response, request)
        response.writeHead(200, streamHead)
        response.end(`${chunk({ content: 'Hi' })}${chunk({}, 'stop')}${counted}data: [DONE]\n\n`)
      }
      const user = await addUser(gateway, name, 1500)
      const { key: own } = await user.addKey()
      const rows = await operator.consumed()
      const call = chat('by-token', { stream, ...(stream && { stream_options: { include_usage: true } }) })
      const response = await ask(call, own)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('Hi')
      const row = await operator.consumption(rows + 1)
      expect([row.quota, otherOf(row).shortfall]).toEqual([1500, 500])
      expect(await user.quota()).toBe(0)
      expect((await ask(call, own)).status).toBe(403)
      // What is topped up must be enough for what such a call is known to cost.
      await operator.api('PUT', '/api/user/', { id: user.userId, quota: 1000 })
      expect((await ask(call, own)).status).toBe(403)
      expect((await ask(chat('by-token', { max_tokens: 100 }), own)).status).toBe(200)
      await auditIsClean()
    },
  )
})

describe('a call that goes on without its caller', () => {
  it('is a task of its owner, when it orders one', async () => {
    await operator.addChannel({ name: 'mj', type: 5, base_url: first.url, models: 'mj_describe' })
    first.behaviour = (response) =>
      void setTimeout(() => response.end(JSON.stringify({ code: 1, description: 'ok', result: 'up-1' })), 300)
    const before = await operator.quota()
    const socket = dial([
      '/mj/submit/describe',
      JSON.stringify({ base64: 'data:image/png;base64,iVBORw0KGgo=' }),
    ])
    await until(() => first.paid === 1 || undefined)
    socket.resetAndDestroy()
    const task = await until(async () => {
      const tasks = await operator.api<{ mj_id: string; status: string }[]>('GET', '/api/mj/self/?p=0')
      return tasks.find(({ status }) => status === 'SUBMITTED')
    })
    expect(task.mj_id).not.toBe('')
    expect(before - (await operator.quota())).toBe(50_000)
    await auditIsClean()
  })

  it('counts as one of the concurrent calls of its key', async () => {
    const { key: narrow } = await operator.addKey({ concurrency: 1 })
    first.behaviour = replyLater
    const socket = dial(image, narrow)
    await until(() => first.paid === 1 || undefined)
    socket.resetAndDestroy()
    expect((await ask(image, narrow)).status).toBe(429)
    first.behaviour = reply
    await until(async () => ((await ask(image, narrow)).status === 200 ? true : undefined))
    expect(first.paid).toBe(2)
  })
})

describe('an upstream that had the complete request and never responded', () => {
  it('is the only one that is asked for a drawing', async () => {
    const vendors = [first, second]
    for (const [position, { url }] of vendors.entries())
      await operator.addChannel({
        name: `mj${position}`,
        type: 5,
        base_url: url,
        models: 'mj_imagine',
        priority: -position,
      })
    first.behaviour = reset
    const before = await operator.quota()
    await ask(['/mj/submit/imagine', JSON.stringify({ prompt: 'a cat' })])
    expect([first.paid, second.paid]).toEqual([1, 0])
    expect(await operator.quota()).toBe(before)
  })

  it.each([
    ['an image', image],
    ['a call priced by the call', chat('by-call')],
    ['a stream priced by the call', chat('by-call', { stream: true })],
  ])('is the only one that is asked for %s', async (_, call) => {
    first.behaviour = reset
    const before = await operator.quota()
    const response = await ask(call)
    expect(response.status).toBe(502)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('no other upstream was asked') },
    })
    expect([first.paid, second.paid]).toEqual([1, 0])
    expect(await operator.quota()).toBe(before)
    expect((await failure())?.content).toContain('may have carried it out')
  })

  it('is replaced for a call priced by the token', async () => {
    first.behaviour = reset
    expect((await ask(chat('by-token'))).status).toBe(200)
    expect([first.paid, second.paid]).toEqual([1, 1])
  })

  it('is replaced for an image that it refused, or that never reached it', async () => {
    first.behaviour = (response) => void response.writeHead(503).end('{}')
    expect((await ask(image)).status).toBe(200)
    await operator.addChannel({
      name: 'nowhere',
      base_url: 'http://127.0.0.1:1',
      models: 'dall-e-3',
      priority: 20,
    })
    first.behaviour = reply
    expect((await ask(image)).status).toBe(200)
    expect(second.paid).toBe(1)
  })
})

describe('a stream priced by the call', () => {
  it('costs nothing when its upstream breaks it off', async () => {
    first.behaviour = (response) => {
      response.writeHead(200, streamHead)
      response.write(chunk({ role: 'assistant', content: 'Hel' }))
      setTimeout(() => response.socket?.resetAndDestroy(), 100)
    }
    const rows = await operator.consumed()
    await (await ask(chat('by-call', { stream: true }))).text()
    const row = await operator.consumption(rows + 1)
    expect(row.quota).toBe(0)
    expect(otherOf(row)).toMatchObject({ ended: 'upstream_cut', unfinished: true })
  })

  it.each([
    ['in the middle of it', 0],
    ['before its first event', 400],
  ])('costs its price when its caller leaves %s', async (_, delayMs) => {
    first.behaviour = (response) => {
      setTimeout(() => {
        response.writeHead(200, streamHead)
        const timer = setInterval(() => response.write(chunk({ content: 'x' })), 20)
        response.on('close', () => clearInterval(timer))
      }, delayMs)
    }
    const rows = await operator.consumed()
    const socket = dial(chat('by-call', { stream: true }))
    if (delayMs === 0) await new Promise((resolve) => socket.once('data', resolve))
    else await until(() => first.paid === 1 || undefined)
    socket.resetAndDestroy()
    const row = await operator.consumption(rows + 1)
    expect(row.quota).toBe(5000)
    expect(otherOf(row)).toMatchObject({ ended: 'client_gone' })
    await auditIsClean()
  })
})
