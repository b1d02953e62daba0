/**
 * Advisory locks of this product, all held to the end of their transaction.
 * `logRows` is shared by those who add log rows and exclusive for the one that seals a block, so that no row with a
 * small id can still appear behind a sealed block. `flush` lets one flush at a time lock rows of many accounts. `logIndex`
 * is held by the one that seals blocks or cuts them.
 */
export const postgresLocks = { schema: 1, partitions: 2, logRows: 3, flush: 4, logIndex: 5 } as const

const lockSpace = 0x7011

export function takeLock(
  lock: keyof typeof postgresLocks,
  how: 'exclusive' | 'shared' = 'exclusive',
): string {
  const call = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  return `select ${call}(${lockSpace}, ${postgresLocks[lock]})`
}

/** Held for the life of a gateway, not of a piece of work; see postgres-claim.ts. */
const gateway = 6

/** Whether this transaction has the lock of the one gateway now, and the server process that it runs in. */
export const takeGatewayLock = `select pg_try_advisory_xact_lock(${lockSpace}, ${gateway}) as held, pg_backend_pid() as pid`

/** The server process that has it. */
export const gatewayLockHolder = `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 2
  and classid = ${lockSpace} and objid = ${gateway}
  and database = (select oid from pg_database where datname = current_database())`
