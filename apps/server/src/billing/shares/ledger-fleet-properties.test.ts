import { afterAll, beforeAll, describe, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import fc from 'fast-check'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { newChannel } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { silentLogger } from '../test-support/charges.ts'
import { createFleetWorld, type FleetStep } from '../test-support/fleet-world.ts'

setDefaultTimeout(deadline(600_000))

const weights: Readonly<Record<FleetStep['do'], number>> = {
  reserve: 14,
  settle: 8,
  extend: 4,
  release: 3,
  credit: 2,
  debit: 1,
  'set-balance': 1,
  hold: 2,
  'settle-hold': 1,
  'release-hold': 1,
  'lose-request': 1,
  'lose-response': 2,
  partition: 1,
  reclaim: 1,
  rejoin: 2,
  crash: 1,
  changed: 1,
  wait: 4,
}
/** Such steps may leave less than was promised to calls in flight. */
const withdrawals: readonly FleetStep['do'][] = ['debit', 'set-balance', 'reclaim']

const deeds = Object.keys(weights) as FleetStep['do'][]

function stepOf(allowed: readonly FleetStep['do'][]): fc.Arbitrary<FleetStep> {
  return fc.record({
    do: fc.oneof(...allowed.map((deed) => ({ weight: weights[deed], arbitrary: fc.constant(deed) }))),
    node: fc.nat(2),
    payer: fc.nat(2),
    pick: fc.nat(5),
    amount: fc.integer({ min: 1, max: 400 }),
    goesOn: fc.boolean(),
  })
}

describe.skipIf(!hasPostgres())('the books of a fleet', () => {
  let postgres: Postgres
  let store: Store
  let sql: SQL
  let channelId: number

  beforeAll(async () => {
    postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    sql = new SQL(databaseUrl, { max: 1 })
    store = await openStore({ databaseUrl, dataDir: '', logger: silentLogger })
    channelId = (await store.channels.create(newChannel())).id
  })
  afterAll(async () => {
    await sql.close()
    await store.close()
    await postgres.stop()
  })

  async function balanceOver(allowed: readonly FleetStep['do'][], numRuns: number): Promise<void> {
    const history = fc.array(stepOf(allowed), { minLength: 10, maxLength: 60, size: 'max' })
    const property = fc.asyncProperty(history, async (steps) => {
      const world = await createFleetWorld({ store, channelId, query: (text) => sql.unsafe(text) })
      for (const step of steps) await world.perform(step)
      await world.finish()
    })
    await fc.assert(property, { numRuns, endOnFailure: true })
  }

  it('never spend more than was credited, whatever is lost or ends on the way', async () => {
    await balanceOver(
      deeds.filter((deed) => !withdrawals.includes(deed)),
      runs,
    )
  })

  it('balance over debits and returned shares too', async () => {
    await balanceOver(deeds, runs)
  })
})

/** Each takes a second. */
const runs = Number(process.env['TOLLGATE_FLEET_RUNS'] ?? 8)
