import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { callHead, sendBytes, type Wire } from '../../support/network/raw-connection.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { type Behaviour, refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(30_000))

const upstreamKey = 'sk-upstream-secret-0001'
const messages = [{ role: 'user', content: 'hi' }]

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string
const wires: Wire[] = []

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({
    env: { STREAMING_TIMEOUT: '2', MAX_RESPONSE_MB: '2', LOG_LEVEL: 'trace' },
  })
  operator = await operate(gateway.url)
  await operator.addChannel({
    name: 'only',
    base_url: upstream.url,
    models: 'gpt-4o,gpt-3.5-turbo-instruct',
    openai_organization: 'TheOperatorsOwn',
  })
  key = (await operator.addKey()).key
})
afterEach(() => {
  upstream.forget()
  for (const { socket } of wires.splice(0)) socket.destroy()
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

function post(body: unknown, path = '/v1/chat/completions', as = key): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function send(text: string, read = true, to = gateway): Wire {
  const wire = sendBytes(to.url, text, read)
  wires.push(wire)
  return wire
}

/** Another gateway before the same upstream, for what needs other deadlines. */
async function withGateway(
  env: Record<string, string>,
  use: (other: Tollgate, otherKey: string) => Promise<void>,
): Promise<void> {
  const other = await startTollgate({ env })
  try {
    const theirs = await operate(other.url)
    await theirs.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
    await use(other, (await theirs.addKey()).key)
  } finally {
    await other.stop()
  }
}

async function rootCookie(): Promise<string> {
  const body = JSON.stringify({ username: 'root', password: 'correct-horse-battery' })
  const login = await fetch(`${gateway.url}/api/user/login`, { method: 'POST', body })
  return (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

/** More than any socket and buffer takes, as fast as it is taken, with less text than any model may write. */
const flood: Behaviour = async ({ response }) => {
  const content = 'word '.repeat(20)
  const padding = 'x'.repeat(5000)
  const line = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }], padding })}\n\n`
  response.setMaxListeners(0).writeHead(200, { 'content-type': 'text/event-stream' })
  while (!response.destroyed) {
    if (response.write(line)) continue
    await new Promise<void>((taken) => void response.once('drain', taken).once('close', taken))
  }
}

describe('a caller that asks for a stream and never reads it', () => {
  it('is disconnected after the longest silence, and pays for the bytes delivered', async () => {
    upstream.on('gpt-4o', flood)
    const rows = await operator.consumed()
    const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages })
    send(callHead(key, body) + body, false)
    await upstream.call((call) => call.model === 'gpt-4o')
    const row = await operator.consumption(rows + 1, 8000)
    expect(row.completion_tokens).toBeGreaterThan(1000)
    expect(JSON.parse(row.other)).toMatchObject({ ended: 'client_gone' })
    await until(() => upstream.open().length === 0 || undefined)
  })

  it('does not block a shutdown, and still pays', async () => {
    await withGateway({ STREAMING_TIMEOUT: '60', SHUTDOWN_TIMEOUT: '1' }, async (other, otherKey) => {
      upstream.on('gpt-4o', flood)
      const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages })
      send(callHead(otherKey, body) + body, false, other)
      await upstream.call((call) => call.model === 'gpt-4o')
      await Bun.sleep(300)
      const began = performance.now()
      expect(await other.kill('SIGTERM')).toBe(0)
      expect(performance.now() - began).toBeLessThan(10_000 * slowness())
      await other.start()
      const row = await (await operate(other.url)).consumption(1)
      expect(JSON.parse(row.other)).toMatchObject({ ended: 'shutdown' })
      expect((await other.run('audit')).code).toBe(0)
    })
  })
})

describe('an upstream that means ill', () => {
  const secrets = `${upstreamKey} TheOperatorsOwn`
  it.each([302, 400, 429, 500, 600, 999])(
    'cannot have its status %d carry the key or the organization to the caller',
    async (status) => {
      upstream.on(
        'gpt-4o',
        refuse(status, { message: `${secrets} ${upstream.url}`, type: secrets, code: secrets }),
      )
      const reply = await post({ model: 'gpt-4o', messages })
      const text = await reply.text()
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(text).not.toMatch(/upstream-secret|TheOperatorsOwn/)
      expect(text).not.toContain(new URL(upstream.url).host)
      expect(gateway.logs()).not.toMatch(/upstream-secret/)
    },
  )

  it('cannot fill memory with a small response that unpacks to a large one', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    upstream.on('gpt-4o', ({ response }) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': packed.length,
      })
      response.end(packed)
    })
    const reply = await post({ model: 'gpt-4o', messages })
    expect(reply.status).toBe(502)
    expect(await reply.text()).toContain('too large')
  })

  it('cannot have its response shown as a page of this site', async () => {
    upstream.on(
      'gpt-4o',
      respond({ headers: { 'content-type': 'text/html', 'set-cookie': 'session=theirs' } }),
    )
    const reply = await post({ model: 'gpt-4o', messages })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json')
    expect(reply.headers.get('set-cookie')).toBeNull()
  })
})

describe('a caller that means ill', () => {
  it('learns nothing by an invalid Host header', async () => {
    for (const host of ['', 'a b', '[', '%', '\\', 'a/b', 'a@b', '<script>']) {
      for (const path of ['/', '/v1/models', '/api/status', '/readyz']) {
        const wire = send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        await wire.closed
        expect(wire.heard()).not.toContain('HTTP/1.1 500')
        expect(wire.heard()).not.toMatch(/apps\/server|\.ts:|Bun__/)
      }
    }
  })

  it('cannot have the upstream read another model or limit than was priced', async () => {
    for (const field of ['"Model":"gpt-4"', '"MAX_TOKENS":9000', '"m\\u006fdel":"gpt-4"', '"N":100']) {
      const body = `{"model":"gpt-4o",${field},"messages":${JSON.stringify(messages)}}`
      expect((await post(body)).status).toBe(400)
    }
    expect(upstream.calls).toHaveLength(0)
  })

  it('reserves the cost of all candidates of a call, not of one of them', async () => {
    const userWithoutQuota = await addUser(gateway, 'poor', 1000)
    const { key: keyWithoutQuota } = await userWithoutQuota.addKey()
    const complete = (prompt: unknown) =>
      post({ model: 'gpt-3.5-turbo-instruct', max_tokens: 200, prompt }, '/v1/completions', keyWithoutQuota)
    const chat = (n: number) => post({ model: 'gpt-4o', n, messages }, undefined, keyWithoutQuota)
    expect((await complete(Array(50).fill('a'))).status).toBe(403)
    expect((await chat(64)).status).toBe(403)
    expect((await complete('a')).status).toBe(200)
    expect((await chat(1)).status).toBe(200)
  })

  it('cannot stop the clock for everybody with a body of a million parts', async () => {
    const parts = `{"model":"gpt-4o","messages":${JSON.stringify(messages)},"x":[${'[],'.repeat(3_000_000)}0]}`
    const began = performance.now()
    expect((await post(parts)).status).toBe(400)
    expect(performance.now() - began).toBeLessThan(1500 * slowness())
  })

  it('cannot hold connections for nothing, while a call may be as slow as it likes', async () => {
    await withGateway({ IDLE_TIMEOUT: '1' }, async (other, otherKey) => {
      upstream.on('gpt-4o', respond({ text: 'late', delayMs: 4000 }))
      const body = JSON.stringify({ model: 'gpt-4o', messages })
      const caller = send(callHead(otherKey, body), true, other)
      const idle = send('GET /api/notice HTTP/1.1\r\nHost: x\r\n\r\n', true, other)
      const login = 'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'
      await Promise.all([idle.closed, send(login, true, other).closed])
      caller.socket.write(body)
      await until(() => caller.heard().includes('late') || undefined, 10_000)
    })
  })
})

describe('a connection', () => {
  it('with thousands of pipelined requests, and nothing read, delays no other caller', async () => {
    const ahead = 'GET /api/status HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20_000)
    for (let flood = 0; flood < 40; flood += 1) send(ahead, false)
    await Bun.sleep(100)
    const responded: number[] = []
    for (let call = 0; call < 10; call += 1) {
      const before = performance.now()
      expect((await fetch(`${gateway.url}/api/status`)).status).toBe(200)
      responded.push(performance.now() - before)
    }
    // Served to the end, one such connection alone takes longer than this.
    expect(responded.toSorted((a, b) => a - b)[4]).toBeLessThan(1000 * slowness())
  })

  it('whose caller ends its side after its request gets the response', async () => {
    const body = JSON.stringify({ model: 'gpt-4o', messages })
    for (const text of ['GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n', callHead(key, body) + body]) {
      const wire = send(text)
      wire.socket.end()
      await wire.closed
      expect(wire.heard()).toStartWith('HTTP/1.1 200 OK\r\n')
    }
  })

  it('of HTTP/1.0 may be kept', async () => {
    const wire = send('GET /readyz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
    await until(() => wire.heard().includes('\r\n\r\n') || undefined)
    expect(wire.heard()).toContain('\r\nconnection: keep-alive\r\n')
    wire.socket.write('HEAD /readyz HTTP/1.0\r\n\r\n')
    await wire.closed
    expect(wire.heard().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })

  it('whose body would not fit beside all others receives a refusal that says when to retry', async () => {
    await withGateway({ MAX_INFLIGHT_MB: '1' }, async (other, otherKey) => {
      const large = 'x'.repeat(700_000)
      const holding = send(callHead(otherKey, `${large}-`) + large, true, other)
      await Bun.sleep(200)
      const refused = send(callHead(otherKey, large), true, other)
      await until(() => refused.heard().includes('\r\n\r\n') || undefined)
      expect(refused.heard()).toStartWith('HTTP/1.1 503 ')
      expect(refused.heard()).toContain('\r\nretry-after: 1\r\n')
      holding.socket.destroy()
      await Bun.sleep(100)
      const again = send(callHead(otherKey, large) + large, true, other)
      await until(() => again.heard().includes('\r\n\r\n') || undefined)
      expect(again.heard()).toStartWith('HTTP/1.1 400 ')
    })
  })
})

describe('the bodies of one account', () => {
  it('take their share of the memory for bodies, and the rest is for others', async () => {
    // All of them have room beside each other: on a busy machine they come before the gateway has read whose they are.
    await withGateway({ MAX_INFLIGHT_MB: '48', MAX_BODY_MB: '1' }, async (other, otherKey) => {
      const neighbour = await (await addUser(other, 'neighbour', 1_000_000)).addKey()
      const large = 'x'.repeat(900_000)
      const dripping = Array.from({ length: 24 }, () =>
        send(callHead(otherKey, `${large}-`) + large, true, other),
      )
      await until(
        () => dripping.filter(({ heard }) => heard().includes('\r\n\r\n')).length === 11 || undefined,
      )
      for (const { heard } of dripping.filter(({ heard }) => heard() !== '')) {
        expect(heard()).toStartWith('HTTP/1.1 429 ')
        expect(heard()).toContain('too_many_requests')
      }
      const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: large }] })
      const headers = { authorization: `Bearer ${neighbour.key}` }
      const served = await fetch(`${other.url}/v1/chat/completions`, { method: 'POST', headers, body })
      expect([served.status, await served.text()]).toEqual([200, expect.any(String)])
      for (const { socket } of dripping) socket.destroy()
    })
  })

  it('that are forms hold no more of it than what is not yet on the disk', async () => {
    await withGateway({ MAX_INFLIGHT_MB: '32', MAX_BODY_MB: '1' }, async (other, otherKey) => {
      const form = new FormData()
      form.set('model', 'gpt-4o')
      form.set('file', new File([new Uint8Array(30_000_000)], 'a.wav'))
      const headers = { authorization: `Bearer ${otherKey}` }
      const calls = Array.from({ length: 2 }, () =>
        fetch(`${other.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form }),
      )
      const statuses = await Promise.all(calls.map(async (call) => (await call).status))
      expect(statuses).not.toContain(503)
      expect(statuses).not.toContain(429)
    })
  })
})

describe('a method', () => {
  it('that a path is not served with is 405, and says which are', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/api/status', 'GET, HEAD'],
      ['POST', '/', 'GET, HEAD'],
      ['PUT', '/readyz', 'GET, HEAD'],
    ] as const) {
      const response = await fetch(gateway.url + path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    }
  })

  it('HEAD has the length of what it leaves out', async () => {
    for (const path of ['/api/setup', '/readyz']) {
      const buffered = await (await fetch(gateway.url + path)).bytes()
      const head = await fetch(gateway.url + path, { method: 'HEAD' })
      expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, buffered.length])
    }
  })
})

describe('an ordinary person', () => {
  it('cannot see, change or use the records of another user', async () => {
    const person = await addUser(gateway, 'person', 1_000_000)
    const foreign = await operator.addKey({ name: 'of root' })
    await (await post({ model: 'gpt-4o', messages })).text()
    for (const [method, path, body] of [
      ['GET', `/api/token/${foreign.id}`],
      ['DELETE', `/api/token/${foreign.id}`],
      ['PUT', '/api/token/', { id: foreign.id, name: 'mine' }],
      ['GET', '/api/user/1'],
      ['GET', '/api/option/'],
      ['PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: 'true' }],
      ['GET', '/api/channel/'],
      ['GET', '/api/log/'],
    ] as const) {
      expect(await person.call(method, path, body)).toMatchObject({ success: false })
    }
    const logs = await person.api<{ total: number }>('GET', '/api/log/self?username=root&user_id=1')
    expect(logs.total).toBe(0)
    const own = await person.addKey()
    expect((await post({ model: 'gpt-4o', messages }, undefined, `${own.key}-1`)).status).toBe(403)
  })

  it("cannot list the models of a group that was closed to a key's owner", async () => {
    const { key: vip } = await operator.addKey({ group: 'vip' })
    const list = () => fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${vip}` } })
    expect((await list()).status).toBe(200)
    await operator.option('UserUsableGroups', '{"default":"all"}')
    expect((await list()).status).toBe(403)
  })
})

describe('another site', () => {
  it('can neither end a session nor use it', async () => {
    const cookie = await rootCookie()
    const headers = {
      cookie,
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.test',
      'new-api-user': '1',
    }
    const out = await fetch(`${gateway.url}/api/user/logout`, { headers })
    expect(await out.json()).toMatchObject({ code: 'foreign_origin' })
    expect(out.headers.get('set-cookie')).toBeNull()
    const play = `${gateway.url}/pg/chat/completions`
    const used = await fetch(play, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'gpt-4o', messages }),
    })
    expect(used.status).toBe(401)
    const preflight = await fetch(play, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the playground', () => {
  it('refuses a body that nests too deep without reading it', async () => {
    const cookie = await rootCookie()
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const began = performance.now()
    const reply = await fetch(`${gateway.url}/pg/chat/completions`, {
      method: 'POST',
      headers: { cookie, 'new-api-user': '1' },
      body: `{"group":"default","model":"gpt-4o","messages":${JSON.stringify(messages)},"a":${deep}}`,
    })
    expect(reply.status).toBe(400)
    expect(performance.now() - began).toBeLessThan(1000 * slowness())
  })
})

describe('what is on the disk', () => {
  it('can be read only by the account that Tollgate runs under', () => {
    for (const name of ['tollgate.db', 'tollgate.db-wal', 'secret.key']) {
      expect(statSync(join(gateway.dataDir, name)).mode & 0o077).toBe(0)
    }
  })
})
