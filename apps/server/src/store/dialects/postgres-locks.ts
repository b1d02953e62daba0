import { sha256 } from '../../lib/crypto.ts'

/**
 * Advisory locks of this product, all held to the end of their transaction. Writers of log rows share `logRows`, and
 * the transaction that seals a block holds it alone, so that no row with a small id can appear later behind a sealed
 * block. `flush` lets one flush at a time lock rows of many accounts. Transactions that seal or cut blocks hold
 * `logIndex`. A change of options holds `options` alone, because an option without a row has no row to lock; what must fit to
 * options shares it.
 */
export const postgresLocks = {
  schema: 1,
  partitions: 2,
  logRows: 3,
  flush: 4,
  logIndex: 5,
  options: 7,
} as const

const lockSpace = 0x7011

export function takeLock(
  lock: keyof typeof postgresLocks,
  how: 'exclusive' | 'shared' = 'exclusive',
): string {
  const call = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  return `select ${call}(${lockSpace}, ${postgresLocks[lock]})`
}

/** Locks that a process holds for its life, not for a piece of work; see postgres-claim.ts. */
export interface ProcessLocks {
  /** Statement that takes the locks: it returns whether this transaction has them now, and the server process that it runs in. */
  readonly take: string
  /** The server processes whose locks exclude them. */
  readonly holders: string
}

/** A program from before fleets holds it alone: it takes the whole of every balance. In the same space as `postgresLocks`. */
const wholeDatabase = 6
const nodeSpace = 0x7012

/**
 * Statement that takes the database for this transaction alone: no node runs over it, and none starts before the transaction ends.
 */
export const takeWholeDatabase = `select pg_try_advisory_xact_lock(${lockSpace}, ${wholeDatabase}) as held`

/** The lock of one node: no other process runs its journal, and no older program has the database for itself. */
export function nodeLock(node: string): ProcessLocks {
  const key = nodeKey(node)
  return {
    take: `select pg_try_advisory_xact_lock_shared(${lockSpace}, ${wholeDatabase})
      and pg_try_advisory_xact_lock(${nodeSpace}, ${key}) as held, pg_backend_pid() as pid`,
    holders: holdersOf(`mode = 'ExclusiveLock' and
      (classid = ${lockSpace} and objid = ${wholeDatabase} or classid = ${nodeSpace} and objid = ${key})`),
  }
}

function holdersOf(condition: string): string {
  return `select pid from pg_locks where ${isOurs} and (${condition})`
}

const isOurs = `locktype = 'advisory' and granted and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())`

/** Selects the keys of nodes whose locks are held: of processes that run, whatever else is known of them. */
export const nodeLocks = `select objid::bigint as key from pg_locks where ${isOurs} and classid = ${nodeSpace}`

/** Returns the key of a node in SQL, as `nodeLocks` has it. @param id an expression that is the node's id */
export function nodeKeyOf(id: string): string {
  return `('x' || left(encode(sha256(convert_to(${id}, 'UTF8')), 'hex'), 8))::bit(32)::bigint >> 1`
}

/** `nodeKeyOf` in code: 31 bits of the node's id; two of a thousand nodes have the same in one of four thousand fleets. */
function nodeKey(node: string): number {
  return Number.parseInt(sha256(node).slice(0, 8), 16) >>> 1
}
