import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { loadCalls } from '../../../support/load.ts'
import { type Operator, operate } from '../../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../../support/server.ts'
import { until } from '../../../support/until.ts'
import { respond } from '../../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

const keys = 60
/** A look opens every secret and starts a program: one after the other would take the processor from the rotation. */
const betweenLooksMs = 500
const former = 'the former secret of every node of this fleet'
const next = 'the secret that comes to every node of this fleet'

let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
  // The load leaves the processor to the rotation.
  upstream.otherwise(respond({ delayMs: 20, usage: { promptTokens: 20, completionTokens: 10 } }))
})
afterAll(() => upstream?.stop())

interface Secrets {
  readonly operator: Operator
  readonly channel: number
  readonly tokens: readonly string[]
}

async function fill(url: string): Promise<Secrets> {
  const operator = await operate(url)
  const { id } = await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
  await operator.option('SMTPToken', 'the password of the mail server')
  const tokens: string[] = []
  for (let index = 0; index < keys; index += 1) tokens.push((await operator.addKey()).key)
  await operator.api('POST', '/api/redemption/', { name: 'gift', count: 3, quota: 500 })
  return { operator, channel: id, tokens }
}

/** Throws when one of them does not open. */
async function openAll({ operator, channel, tokens }: Secrets): Promise<void> {
  const visible = await operator.api<{ keys: string[] }>('POST', `/api/channel/${channel}/key`)
  expect(JSON.stringify(visible)).toContain('sk-upstream-secret-0001')
  const items = await operator.api<{ key: string }[]>('GET', '/api/token/?p=0&size=100')
  expect(items.map((item) => `sk-${item.key}`).toSorted()).toEqual([...tokens].toSorted())
  const codes = await operator.api<{ items: { key: string }[] }>('GET', '/api/redemption/?p=1&page_size=10')
  expect(codes.items.every((code) => /^[0-9a-f]{32}$/.test(code.key))).toBe(true)
  const options = await operator.api<{ key: string; is_set?: boolean }[]>('GET', '/api/option/')
  expect(options).toContainEqual(expect.objectContaining({ key: 'SMTPToken', is_set: true }))
}

const isDone = async (gateway: Tollgate) => (await gateway.run('rotate-secret', '--status')).code === 0

describe('rotate-secret with a secret in DATA_DIR', () => {
  let gateway: Tollgate
  let secrets: Secrets
  beforeAll(async () => {
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    secrets = await fill(gateway.url)
  })
  afterAll(() => gateway?.stop())

  const file = () => readFileSync(join(gateway.dataDir, 'secret.key'), 'utf8')

  it('changes it under load: every secret opens before, during and after', async () => {
    const before = file()
    const load = loadCalls(gateway.url, secrets.tokens[0] ?? '', 4)
    await openAll(secrets)
    const retained = join(gateway.dataDir, 'backups')
    const { code, output } = await gateway.run('rotate-secret', '--keep-former', retained)
    const [name = ''] = readdirSync(retained)
    expect(output).toContain(`The former secret is in ${join(retained, name)}: backups from before need it.`)
    expect(readFileSync(join(retained, name), 'utf8')).toBe(before)
    expect([statSync(retained).mode & 0o777, statSync(join(retained, name)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ])
    expect([code, output]).toEqual([0, expect.stringContaining('secret.next.key')])
    expect((await gateway.run('rotate-secret')).code).toBe(1)
    await until(async () => {
      await openAll(secrets)
      await Bun.sleep(betweenLooksMs)
      return !existsSync(join(gateway.dataDir, 'secret.next.key')) || undefined
    }, 60_000)
    expect(file()).not.toBe(before)
    expect(await isDone(gateway)).toBe(true)
    await load.end()
    expect(load.failures).toEqual([])
    await gateway.restart()
    await openAll(secrets)
  })

  it('goes on after kills in the middle', async () => {
    expect((await gateway.run('rotate-secret')).code).toBe(0)
    for (const ms of [200, 1500, 3000]) {
      await Bun.sleep(ms)
      await gateway.restart('SIGKILL')
      await openAll(secrets)
    }
    await until(() => !existsSync(join(gateway.dataDir, 'secret.next.key')) || undefined, 60_000)
    await gateway.restart()
    await openAll(secrets)
    const audit = await gateway.run('audit')
    expect([audit.code, audit.output]).toEqual([0, expect.stringContaining('Everything adds up.')])
  })
})

describe.skipIf(!hasPostgres())('a secret that is set, on two nodes', () => {
  let postgres: Postgres
  const nodes: Tollgate[] = []
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await postgres?.stop()
  })

  it('changes node by node: both keys open everywhere, and the former goes at the end', async () => {
    postgres = await startPostgres()
    const common = { DATABASE_URL: await postgres.createDatabase(), GLOBAL_API_RATE_LIMIT_ENABLE: 'false' }
    const start = async (env: Record<string, string>) => {
      const node = await startTollgate({ env: { ...common, ...env }, readyMs: 40_000 })
      nodes.push(node)
      return node
    }
    const [one, other] = [await start({ TOLLGATE_SECRET: former }), await start({ TOLLGATE_SECRET: former })]
    const secrets = await fill(one.url)
    await openAll({ ...secrets, operator: secrets.operator.at(other.url) })
    const both = { TOLLGATE_SECRET: next, TOLLGATE_SECRET_PREVIOUS: former }
    await one.kill()
    const first = await start(both)
    await Bun.sleep(4500)
    // The other node does not know the next key: nothing is sealed with it yet.
    await openAll({ ...secrets, operator: secrets.operator.at(other.url) })
    expect(await isDone(first)).toBe(false)
    await other.kill()
    const second = await start(both)
    await until(async () => {
      for (const node of [first, second])
        await openAll({ ...secrets, operator: secrets.operator.at(node.url) })
      await Bun.sleep(betweenLooksMs)
      return first.logs().includes('the former one is not needed') || undefined
    }, 80_000)
    expect(await isDone(first)).toBe(true)
    await second.kill()
    const last = await start({ TOLLGATE_SECRET: next })
    await openAll({ ...secrets, operator: secrets.operator.at(last.url) })
    await last.kill()
    const wrong = await startTollgate({ env: { ...common, TOLLGATE_SECRET: former } }).then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(wrong).toContain('used with another secret')
  })
})
