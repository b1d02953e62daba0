import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { tmpdir } from 'node:os'
import { SQL } from 'bun'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { silentLogger } from '../../billing/test-support/charges.ts'
import { newUser } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { fleetJobs } from './fleet-jobs.ts'

setDefaultTimeout(deadline(30_000))

describe.skipIf(!hasPostgres())('reclaiming shares', () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('returns what a node holds when it has been silent for a minute, and leaves it what it takes when it is back', async () => {
    const databaseUrl = await postgres.createDatabase()
    const store = await openStore({ databaseUrl, dataDir: tmpdir(), logger: silentLogger })
    await using sql = new SQL(databaseUrl, { max: 1 })
    const { id } = await store.users.create(newUser())
    await store.ledger.credit({
      accountKind: 'user',
      accountId: id,
      cause: 'initial',
      amount: 1000,
      createdAt: 0,
      actorId: 0,
      note: '',
    })
    const { shares } = store.ledger
    if (shares === undefined) throw new Error('PostgreSQL divides balances')
    const hold = (node: string) =>
      shares.acquire(node, 'user', 4, [{ id, needed: 10, wanted: 10, usual: 10 }])
    const holders = () => shares.holders('nobody', 'user', id)
    const reclaim = fleetJobs(store).find(({ name }) => name === 'reclaim-shares')
    const beat = (id: string) =>
      store.nodes.beat(
        {
          id,
          version: '1',
          address: '',
          startedMs: 0,
          draining: false,
          callsPerSecond: 0,
          journalSeq: 0,
          journalLag: 0,
          keyIds: '',
          drainingCalls: '',
        },
        10_000,
      )
    const look = (job = reclaim) => job?.run(new AbortController().signal)

    for (const node of ['dead', 'living']) {
      await beat(node)
      await hold(node)
    }
    await look()
    expect((await holders()).toSorted()).toEqual(['dead', 'living'])
    for (let death = 1; death <= 2; death += 1) {
      await sql`update nodes set seen_ms = seen_ms - 61000 where id = 'dead'`
      // The first look after the database was away: all were silent meanwhile.
      await look(fleetJobs(store).find(({ name }) => name === 'reclaim-shares'))
      expect((await holders()).toSorted()).toEqual(['dead', 'living'])
      await look()
      expect(await holders()).toEqual(['living'])
      await beat('dead')
      await hold('dead')
      await look()
      expect((await holders()).toSorted()).toEqual(['dead', 'living'])
    }
    await store.close()
  })
})
