import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Seconds } from '../units.ts'
import { monthOf, partitionOf, startOfMonth } from './log-months.ts'
import { takeLock } from './postgres-locks.ts'

/** The log has a partition per month: clearing old logs drops complete tables. Months are UTC. */
export interface LogPartitions {
  /** Creates the months of these times and the following ones; costs nothing when they are known. */
  prepare(times: Iterable<Seconds>): Promise<void>
  /** Partitions may have been dropped: checks again before rows are added. */
  forget(): void
}

export function createLogPartitions(db: Kysely<Tables>): LogPartitions {
  const known = new Set<number>()
  /** An existing month with a successor: nearly every row falls in it. */
  let ready = { from: 0, to: 0 }

  async function create(month: number): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await sql.raw(takeLock('partitions')).execute(transaction)
      const name = partitionOf(month)
      const found = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(
        transaction,
      )
      if (found.rows[0]?.there) return
      // Created apart and then attached: that does not block readers and writers of the log.
      await sql
        .raw(`create table ${name} (like logs including defaults including constraints)`)
        .execute(transaction)
      await sql
        .raw(
          `alter table logs attach partition ${name} for values from (${startOfMonth(month)}) to (${startOfMonth(month + 1)})`,
        )
        .execute(transaction)
    })
    known.add(month)
  }

  return {
    async prepare(times) {
      const months = new Set<number>()
      for (const at of times) {
        if (at >= ready.from && at < ready.to) continue
        const month = monthOf(at)
        months.add(month).add(month + 1)
      }
      for (const month of months) {
        if (!known.has(month)) await create(month)
        if (months.has(month + 1)) ready = { from: startOfMonth(month), to: startOfMonth(month + 1) }
      }
    },
    forget() {
      known.clear()
      ready = { from: 0, to: 0 }
    },
  }
}
