import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { logIn, type Operator, operate, rootAccount } from '../../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../../support/server.ts'
import { respond } from '../../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
  upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
})
afterAll(() => upstream?.stop())

interface Key {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly remain_quota: number
}

const keysOf = (operator: Operator) => operator.api<Key[]>('GET', '/api/token/?p=0&size=100')

function call(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  })
}

function suite(database: string, env: () => Promise<Record<string, string>>) {
  describe(`a secret that is lost, with ${database}`, () => {
    let gateway: Tollgate
    afterAll(() => gateway?.stop())

    it('is replaced by one command: what it sealed is named and cleared, and accounts and balances stay', async () => {
      gateway = await startTollgate({
        env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', ...(await env()) },
        readyMs: 40_000,
      })
      const before = await operate(gateway.url)
      const { id: channel } = await before.addChannel({
        name: 'upstream one',
        base_url: upstream.url,
        models: 'gpt-4o',
      })
      const { key: formerKey } = await before.addKey({
        name: 'with a budget',
        unlimited_quota: false,
        remain_quota: 900_000,
      })
      await before.option('SMTPToken', 'the password of the mail server')
      await before.api('POST', '/api/redemption/', { name: 'gift', count: 2, quota: 500 })
      expect((await call(gateway.url, formerKey)).status).toBe(200)
      await before.consumption(1)
      const quota = await before.quota()
      const [{ remain_quota: budget } = { remain_quota: 0 }] = await keysOf(before)

      const running = await gateway.run('reset-secret')
      expect([running.code, running.output]).toEqual([1, expect.stringMatching(/^tollgate: [^\n]*\n$/)])
      await gateway.kill()
      const secretFile = join(gateway.dataDir, 'secret.key')
      const whole = await gateway.run('reset-secret', '--apply')
      expect([whole.code, whole.output]).toEqual([1, expect.stringContaining('nothing is lost')])
      renameSync(secretFile, `${gateway.dataDir}-lost.key`)
      const refused = await gateway.start().then(
        () => 'started',
        (error: Error) => error.message,
      )
      expect(refused).toContain('reset-secret')
      if (existsSync(secretFile)) renameSync(secretFile, `${gateway.dataDir}-made.key`)

      const preview = await gateway.run('reset-secret')
      expect([preview.code, preview.output]).toEqual([0, expect.stringContaining('Nothing was written')])
      expect(existsSync(secretFile)).toBe(false)
      const applied = await gateway.run('reset-secret', '--apply')
      expect(applied.code).toBe(0)
      for (const text of ['upstream one', 'SMTPToken', '1 API keys', '2 redemption codes'])
        expect([preview.output, applied.output]).toEqual([
          expect.stringContaining(text),
          expect.stringContaining(text),
        ])
      await gateway.start()

      const after = await logIn(gateway.url, rootAccount)
      expect(await after.quota()).toBe(quota)
      const [key] = await keysOf(after)
      expect(key).toMatchObject({ name: 'with a budget', remain_quota: budget })
      expect(`sk-${key?.key}`).not.toBe(formerKey)
      expect((await call(gateway.url, formerKey)).status).toBe(401)
      const codes = await after.api<{ items: { key: string }[] }>('GET', '/api/redemption/?p=1&page_size=10')
      expect(codes.items.map((code) => /^[0-9a-f]{32}$/.test(code.key))).toEqual([true, true])
      const options = await after.api<{ key: string; is_set?: boolean }[]>('GET', '/api/option/')
      expect(options).toContainEqual(expect.objectContaining({ key: 'SMTPToken', is_set: false }))
      const { items: audited } = await after.api<{ items: { action: string }[] }>(
        'GET',
        '/api/audit_log/?p=1&page_size=20',
      )
      expect(audited.map(({ action }) => action)).toContain('option.reset-secret')

      const stored = await after.api<Record<string, unknown>>('GET', `/api/channel/${channel}`)
      await after.api('PUT', '/api/channel/', { ...stored, key: 'sk-upstream-secret-0002', status: 1 })
      expect((await call(gateway.url, `sk-${key?.key}`)).status).toBe(200)
      await after.consumption(2)
      await gateway.kill()
      const audit = await gateway.run('audit')
      expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
      const again = await gateway.run('reset-secret', '--apply')
      expect([again.code, again.output]).toEqual([1, expect.stringContaining('nothing is lost')])
    })
  })
}

suite('SQLite', async () => ({}))

describe.skipIf(!hasPostgres())('with a server', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  suite('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }))
})
