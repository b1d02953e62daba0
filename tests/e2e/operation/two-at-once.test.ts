import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { acts } from '../../../packages/api/src/recent-proof.ts'
import { contractCalls } from '../../../packages/api/src/test-support/call-of.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { gaps } from '../../support/pairs/gaps.ts'
import type { Kind } from '../../support/pairs/kind.ts'
import { atOnce, nameOf, type Orders, ordersOf, pairsOf, runsAlone } from '../../support/pairs/walk.ts'
import { rowsOfPostgres, rowsOfSqlite, type World, worldOf } from '../../support/pairs/world.ts'
import { kinds, withoutPairs } from '../../support/pairs/writing-calls.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(120_000))

const env = {
  TOLLGATE_SECRET: 'the secret of every node of this fleet',
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT: '1000000',
}
/** Subjects that are walked side by side; what reaches rows of others walks alone. */
const lanes = 8

// A pair's subjects are of the pair's own kind, which the table of kinds cannot say: hence the cast.
const everyPair = kinds.flatMap((kind) => pairsOf(kind as Kind<unknown>))
type Pair = (typeof everyPair)[number]
const callsOf = ({ cases }: Pair) =>
  cases
    .map(({ call }) => call)
    .toSorted()
    .join(' | ')
const pairs = everyPair.filter((pair) => !gaps.has(callsOf(pair)))

/** States that each pair may leave, by what its calls leave one after the other on SQLite. */
let orders: ReadonlyMap<Pair, Orders>
const nodes: Tollgate[] = []
let sqlite: World
let postgres: Postgres | undefined
let fleet: World | undefined

const start = async (more: Readonly<Record<string, string>> = {}) => {
  const node = await startTollgate({ env: { ...env, ...more } })
  nodes.push(node)
  return node
}

beforeAll(async () => {
  const single = await start()
  sqlite = worldOf(rowsOfSqlite(single.dataDir), [await operate(single.url)])
  orders = new Map(pairs.map((pair) => [pair, ordersOf(sqlite, pair)]))
  if (!hasPostgres()) return
  postgres = await startPostgres()
  const url = await postgres.createDatabase()
  const first = await start({ DATABASE_URL: url })
  const second = await start({ DATABASE_URL: url })
  const root = await operate(first.url)
  fleet = worldOf(rowsOfPostgres(url), [root, root.at(second.url)])
})
afterAll(async () => {
  await sqlite?.rows.close()
  await fleet?.rows.close()
  for (const node of nodes) await node.stop()
  await postgres?.stop()
})

/** Walks all pairs, those that reach rows of others one by one. */
async function walkAll(work: (pair: Pair) => Promise<void>): Promise<void> {
  for (const pair of pairs.filter(runsAlone)) await work(pair)
  const waiting = pairs.filter((pair) => !runsAlone(pair))
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let pair = waiting.shift(); pair !== undefined; pair = waiting.shift()) await work(pair)
    }),
  )
}

async function violations(world: World, rounds: number): Promise<string[]> {
  const found = new Map<Pair, string>()
  for (let round = 0; round < rounds; round += 1)
    await walkAll(async (pair) => {
      const allowed = orders.get(pair)
      const violation = allowed && (await atOnce(world, pair, allowed, round))
      if (violation !== undefined) found.set(pair, violation)
    })
  return [...found.values()]
}

describe('two writing calls at once', () => {
  it('are all in the table of pairs, or say why not', () => {
    const paired = new Set(kinds.flatMap(({ cases }) => cases.map(({ call }) => call)))
    const acting = contractCalls.filter(({ call }) => acts(call)).map(({ name }) => name)
    expect(acting.filter((name) => !paired.has(name) && !withoutPairs.has(name))).toEqual([])
    expect([...withoutPairs.keys()].filter((name) => paired.has(name) || !acting.includes(name))).toEqual([])
  })

  it('leave on SQLite what some order of them leaves, and every success is true', async () => {
    expect(await violations(sqlite, 1)).toEqual([])
  })

  it.skipIf(!hasPostgres())('do so on two nodes over PostgreSQL', async () => {
    if (fleet !== undefined) expect(await violations(fleet, 1)).toEqual([])
  })

  it('were these', () => {
    for (const { rows } of kinds) {
      const walked = pairs.filter(({ kind }) => kind.rows === rows)
      process.stdout.write(`${[`${walked.length} pairs on ${rows}:`, ...walked.map(nameOf)].join('\n  ')}\n`)
    }
    const missing = [...gaps].map(([pair, gap]) => `${pair}: ${gap}`)
    process.stdout.write(`${['not walked:', ...missing].join('\n  ')}\n`)
    expect(pairs.length).toBeGreaterThan(400)
  })

  it('are left out only as pairs of the table', () => {
    const listed = new Set(everyPair.map(callsOf))
    expect([...gaps.keys()].filter((pair) => !listed.has(pair))).toEqual([])
  })
})

describe.skipIf(!hasPostgres())('administrators at two nodes', () => {
  /** Root's session at the nodes in turn. */
  const at = (index: number): Operator => {
    const root = fleet?.roots[index % fleet.roots.length]
    if (root === undefined) throw new Error('there is no fleet')
    return root
  }
  const addChannel = (more: Readonly<Record<string, unknown>> = {}) =>
    at(0).addChannel({ name: 'shared', base_url: 'http://127.0.0.1:9', models: 'first', ...more })
  const channel = async (id: number) =>
    await at(0).api<{ models: string; status: number; health: { keys: { status: string }[] } }>(
      'GET',
      `/api/channel/${id}`,
    )
  const isDone = async (call: Promise<{ readonly success: boolean }>) => (await call).success

  it('add twelve models to one channel, and twelve are there', async () => {
    const { id } = await addChannel()
    const names = Array.from({ length: 12 }, (_, index) => `model-${index}`)
    await Promise.all(
      names.map((name, index) =>
        at(index).api('POST', '/api/channel/batch/update', {
          ids: [id],
          models: { mode: 'add', names: name },
        }),
      ),
    )
    expect((await channel(id)).models.split(',').toSorted()).toEqual(['first', ...names].toSorted())
  })

  it('disable six of seven keys, and one is in service', async () => {
    const keys = Array.from({ length: 7 }, (_, index) => `sk-of-a-shared-channel-${index}`)
    const { id } = await addChannel({ key: keys.join('\n') })
    const disable = (key: string, index: number) =>
      at(index).call('PUT', `/api/channel/${id}/key`, {
        index,
        hint: `${key.slice(0, 3)}***${key.slice(-3)}`,
        act: 'disable',
      })
    const done = await Promise.all(keys.map((key, index) => isDone(disable(key, index))))
    const { health } = await channel(id)
    expect(done.filter(Boolean)).toHaveLength(6)
    expect(health.keys.map(({ status }) => status === 'disabled')).toEqual(done)
  })

  it('never delete a channel as disabled that was enabled before', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await addChannel({ status: 2 })
      const [isEnabled] = await Promise.all([
        isDone(at(round).call('PUT', '/api/channel/', { id, status: 1 })),
        at(round + 1).api('DELETE', '/api/channel/disabled'),
      ])
      expect(await isDone(at(0).call('GET', `/api/channel/${id}`))).toBe(isEnabled)
    }
  })

  it('never switch a check on whose key the other empties', async () => {
    for (let round = 0; round < 6; round += 1) {
      const site = { key: 'TurnstileSiteKey', value: 'site' }
      await at(0).api('PUT', '/api/option/batch', {
        options: [
          { key: 'TurnstileCheckEnabled', value: 'false' },
          site,
          { key: 'TurnstileSecretKey', value: 'x' },
        ],
      })
      const done = await Promise.all([
        isDone(at(round).call('PUT', '/api/option/', { key: 'TurnstileCheckEnabled', value: 'true' })),
        isDone(at(round + 1).call('PUT', '/api/option/', { key: 'TurnstileSiteKey', value: '' })),
      ])
      expect(done.filter(Boolean)).toHaveLength(1)
    }
    await at(0).option('TurnstileCheckEnabled', 'false')
  })

  it('let nobody join a group that the other node has just removed', async () => {
    const [first] =
      (await fleet?.rows.select('select id from users where role = 1 and deleted_at is null limit 1')) ?? []
    const join = (index: number) =>
      at(index).call('PUT', '/api/user/', { id: Number(first?.['id']), group: 'club' })
    for (let round = 0; round < 4; round += 1) {
      await at(round).option('GroupRatio', '{"default":1,"vip":1,"club":1}')
      expect(await isDone(join(round + 1))).toBe(true)
      await at(round).api('PUT', '/api/user/', { id: Number(first?.['id']), group: 'default' })
      await at(round).option('GroupRatio', '{"default":1,"vip":1}')
      expect((await join(round + 1)).code).toBe('user_group_unknown')
    }
  })

  it('hold the same at the end, and the books agree', async () => {
    const optionsAt = async (index: number) => JSON.stringify(await at(index).api('GET', '/api/option/'))
    await until(async () => ((await optionsAt(0)) === (await optionsAt(1)) ? true : undefined))
    for (const node of nodes) expect(await node.run('audit')).toMatchObject({ code: 0 })
  })
})
