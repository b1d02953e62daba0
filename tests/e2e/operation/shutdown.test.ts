import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { loadCalls } from '../../support/load.ts'
import { openSocket } from '../../support/network/open-socket.ts'
import { callHead, sendBytes, type Wire } from '../../support/network/raw-connection.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

// Each case stops and starts the program.
setDefaultTimeout(deadline(60_000))

const preload = fileURLToPath(new URL('../../support/network/fault-on-signal.ts', import.meta.url))

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { BUN_OPTIONS: `--preload=${preload}`, SHUTDOWN_TIMEOUT: '5' } })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
  key = (await operator.addKey()).key
})
afterEach(() => upstream.forget())
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })

function startStream(words: number): Promise<Response> {
  upstream.otherwise(respond({ text: 'word '.repeat(words).trim(), eventDelayMs: 40 }))
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...JSON.parse(body), stream: true }),
  })
}

describe('an unhandled fault', () => {
  it.each([
    ['SIGUSR1', 'thrown in a timer', 'uncaughtException'],
    ['SIGUSR2', 'rejected to nobody', 'unhandledRejection'],
  ] as const)(
    'ends the process with its origin in the log, new calls refused and calls in flight served (%s)',
    async (signal, message, origin) => {
      const consumed = await operator.consumed()
      const streaming = await startStream(50)
      const ended = gateway.kill(signal)
      const refused = await until(async () => {
        const ready = await fetch(`${gateway.url}/readyz`)
        return ready.status === 503 ? ready : undefined
      })
      expect(await refused.json()).toMatchObject({ ready: false, stopping: true })
      const late = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body,
      })
      expect([late.status, (await late.json()).error.code]).toEqual([503, 'not_admitting'])
      const console = await fetch(`${gateway.url}/api/status`)
      expect([console.status, (await console.json()).code]).toEqual([503, 'server_stopping'])
      expect(await streaming.text()).toEndWith('data: [DONE]\n\n')
      expect(await ended).toBe(1)

      const line = gateway
        .logs()
        .split('\n')
        .find((text) => text.includes(message) && text.startsWith('{'))
      expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 60, origin, err: { message } })
      expect(line).toContain('fault-on-signal.ts')

      await gateway.start()
      operator = await operate(gateway.url)
      await operator.consumption(consumed + 1)
      expect((await gateway.run('audit')).code).toBe(0)
    },
  )
})

/** Sends the first bytes of a call; returns once the gateway has its head. */
async function beginUpload(): Promise<Wire> {
  const head = callHead(key, body).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
  const wire = sendBytes(gateway.url, head)
  await until(() => wire.heard().includes('100 Continue') || undefined)
  wire.socket.write(body.slice(0, 20))
  return wire
}

describe('a stop', () => {
  it('lets a call that is still uploading finish and be served', async () => {
    const wire = await beginUpload()
    const ended = gateway.kill('SIGTERM')
    await Bun.sleep(3000)
    wire.socket.write(body.slice(20))
    await wire.closed
    expect(wire.heard()).toContain('HTTP/1.1 200 OK')
    expect(wire.heard().toLowerCase()).toContain('connection: close')
    expect(wire.heard()).toContain('"finish_reason":"stop"')
    expect(await ended).toBe(0)
    await gateway.start()
  })

  it('closes idle connections at once and takes no new ones', async () => {
    const idle = sendBytes(gateway.url, 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => (idle.heard().endsWith('}') ? true : undefined))
    const streaming = await startStream(50)
    const ended = gateway.kill('SIGTERM')
    await idle.closed
    expect(await fetch(`${gateway.url}/readyz`).catch(() => 'refused')).toBe('refused')
    expect(await streaming.text()).toEndWith('data: [DONE]\n\n')
    expect(await ended).toBe(0)
    await gateway.start()
  })

  it('cuts an upload that does not end when the time is over', async () => {
    const wire = await beginUpload()
    const startedAt = performance.now()
    expect(await gateway.kill('SIGTERM')).toBe(0)
    await wire.closed
    expect(performance.now() - startedAt).toBeGreaterThan(4_500)
    expect(performance.now() - startedAt).toBeLessThan(11_000 * slowness())
    await gateway.start()
  })
})

describe.skipIf(process.platform !== 'linux')(
  'a restart under a service manager that keeps the socket',
  () => {
    it('refuses nobody, loses no call and charges each once: stopped, killed, and started late', async () => {
      const socket = openSocket()
      const handed = await startTollgate({
        socket,
        env: { DRAIN_SECONDS: '', GLOBAL_API_RATE_LIMIT_ENABLE: 'false' },
      })
      try {
        const owner = await operate(handed.url)
        await owner.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
        const own = (await owner.addKey()).key
        upstream.otherwise(respond({ text: 'word '.repeat(20).trim(), eventDelayMs: 20 }))
        const load = loadCalls(handed.url, own, 6)
        await until(() => load.served.length > 10 || undefined)
        for (const pauseMs of [0, 1500]) {
          const before = load.served.length
          expect(await handed.kill('SIGTERM')).toBe(0)
          await Bun.sleep(pauseMs)
          await handed.start()
          await until(() => load.served.length > before + 10 || undefined)
        }
        await load.end()
        expect(load.failures).toEqual([])
        const { total } = await until(async () => {
          const page = await owner.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')
          return page.total >= load.served.length ? page : undefined
        })
        expect(total).toBe(load.served.length)

        // A caller who comes while nobody serves waits, and a killed process takes nothing of the queue along.
        await handed.kill('SIGKILL')
        const waiting = fetch(`${handed.url}/api/status`).then(({ status }) => status)
        await Bun.sleep(100)
        await handed.start()
        expect(await waiting).toBe(200)
        expect((await handed.run('audit')).code).toBe(0)
      } finally {
        await handed.stop()
        socket.close()
      }
    })
  },
)
