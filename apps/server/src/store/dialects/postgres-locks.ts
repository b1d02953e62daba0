/**
 * Advisory locks of this product, all held to the end of their transaction. Writers of log rows share `logRows`, and
 * the transaction that seals a block holds it alone, so that no row with a small id can appear later behind a sealed
 * block. `flush` lets one flush at a time lock rows of many accounts. Transactions that seal or cut blocks hold
 * `logIndex`.
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

/** Held for the life of a gateway, not of a transaction; see postgres-claim.ts. */
const gateway = 6

/** Whether this transaction has the lock of the one gateway now, and the server process that it runs in. */
export const takeGatewayLock = `select pg_try_advisory_xact_lock(${lockSpace}, ${gateway}) as held, pg_backend_pid() as pid`

/** The server process that has it. */
export const gatewayLockHolder = `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 2
  and classid = ${lockSpace} and objid = ${gateway}
  and database = (select oid from pg_database where datname = current_database())`
