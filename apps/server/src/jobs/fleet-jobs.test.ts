import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { tmpdir } from 'node:os'
import { SQL } from 'bun'
import { hasPostgres, type Postgres, startPostgres } from '../../../../tests/support/postgres.ts'
import { silentLogger } from '../billing/test-support/charges.ts'
import { openStore } from '../store/open/open-store.ts'
import { fleetJobs } from './fleet-jobs.ts'

describe.skipIf(!hasPostgres())('reclaiming shares', () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  }, 30_000)
  afterAll(() => postgres?.stop())

  it('returns what a node holds once, when it has been silent for a minute, and again after it was back', async () => {
    const databaseUrl = await postgres.createDatabase()
    const store = await openStore({ databaseUrl, dataDir: tmpdir(), logger: silentLogger })
    await using sql = new SQL(databaseUrl, { max: 1 })
    const returned: string[] = []
    const returnShares = async (_tx: unknown, node: string) => void returned.push(node)
    const reclaim = fleetJobs({ store, returnShares }).find(({ name }) => name === 'reclaim-shares')
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
        },
        10_000,
      )
    const look = () => reclaim?.run(new AbortController().signal)

    await beat('dead')
    await beat('living')
    await look()
    expect(returned).toEqual([])
    for (let death = 1; death <= 2; death += 1) {
      await sql`update nodes set seen_ms = seen_ms - 61000 where id = 'dead'`
      await look()
      await look()
      expect(returned).toEqual(Array.from({ length: death }, () => 'dead'))
      await beat('dead')
    }
    await store.close()
  }, 30_000)
})
