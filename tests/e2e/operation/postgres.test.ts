import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let postgres: Postgres
/** Between the gateway and the server. */
let proxy: TcpProxy
let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string

describe.skipIf(!hasPostgres())('over PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    upstream = await startUpstream()
    upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
    proxy = await startTcpProxy(postgres.port)
    const url = new URL(await postgres.createDatabase())
    url.port = String(proxy.port)
    gateway = await startTollgate({
      env: { DATABASE_URL: url.href, GLOBAL_API_RATE_LIMIT_ENABLE: 'false' },
    })
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
    key = (await operator.addKey()).key
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    await proxy?.stop()
    await postgres?.stop()
  })

  // (20 + 10 × 4) × 1.25
  const chargePerCall = 75

  async function call(): Promise<number> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.text()
    return response.status
  }

  const readiness = () => fetch(`${gateway.url}/readyz`)

  it('charges to the unit, over restarts and crashes', async () => {
    const before = await operator.quota()
    for (let round = 0; round < 3; round += 1) {
      const replies = await Promise.all(Array.from({ length: 20 }, call))
      expect(new Set(replies)).toEqual(new Set([200]))
      await gateway.restart(round === 1 ? 'SIGTERM' : 'SIGKILL')
    }
    operator = await operate(gateway.url)
    expect(before - (await operator.quota())).toBe(60 * chargePerCall)
    expect(await operator.consumed()).toBe(60)
  })

  it('serves from memory while the database is away, says so, and books everything when it is back', async () => {
    const rows = await operator.consumed()
    expect(await call()).toBe(200)
    await postgres.kill()
    for (let served = 0; served < 5; served += 1) expect(await call()).toBe(200)
    expect((await readiness()).status).toBe(503)
    const otherUser = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer sk-${'u'.repeat(48)}` },
    })
    expect(otherUser.status).toBe(503)
    await postgres.start()
    await operator.consumption(rows + 6, 30_000)
    expect((await readiness()).status).toBe(200)
  })

  it('lives on when its connections are broken under load, and charges every call once', async () => {
    const before = await operator.quota()
    let breaking = true
    let served = 0
    const callers = Array.from({ length: 8 }, async () => {
      while (breaking) if ((await call()) === 200) served += 1
    })
    const readers = Array.from({ length: 4 }, async () => {
      while (breaking) await operator.call('GET', '/api/log/?p=1&page_size=10').catch(() => undefined)
    })
    for (let round = 0; round < 12; round += 1) {
      await Bun.sleep(150)
      if (round % 4 === 3) proxy.cut()
      else await postgres.terminateBackends()
    }
    breaking = false
    await Promise.all([...callers, ...readers])
    expect(served).toBeGreaterThan(20)
    await until(async () => ((await readiness()).status === 200 ? true : undefined))
    expect(await operator.quota()).toBe(before - served * chargePerCall)
  })

  it('says within two seconds that the database hangs, serves on, and recovers when it goes on', async () => {
    const before = await operator.quota()
    const rows = await operator.consumed()
    proxy.stall()
    for (let probe = 0; probe < 3; probe += 1) {
      const at = performance.now()
      expect((await readiness()).status).toBe(503)
      expect(performance.now() - at).toBeLessThan(2000 * slowness())
    }
    for (let served = 0; served < 5; served += 1) expect(await call()).toBe(200)
    proxy.resume()
    await until(async () => ((await readiness()).status === 200 ? true : undefined))
    await operator.consumption(rows + 5, 30_000)
    expect(await operator.quota()).toBe(before - 5 * chargePerCall)
  })

  it('balances its books', async () => {
    await gateway.kill()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    await gateway.start()
  })
})
