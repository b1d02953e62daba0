import type { Clock } from '@tollgate/base'
import type { Store } from '../../store/store.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const second = 1000
const minute = 60 * second
/** Beyond it a node of a fleet does not start. */
const maxSkewMs = 5 * minute

/** Checks that the database responds, and that its clock and this machine's agree. */
export async function checkDatabase(
  store: Pick<Store, 'kind' | 'ping' | 'nodes'>,
  clock: Clock,
): Promise<readonly Finding[]> {
  const startedAt = performance.now()
  await store.ping()
  const ms = (performance.now() - startedAt).toFixed(1)
  const name = store.kind === 'postgres' ? 'PostgreSQL' : 'SQLite'
  const found = [ok('database', `${name} responds in ${ms} ms, and its schema is of this version`)]
  return store.kind === 'postgres' ? [...found, await checkClock(store, clock)] : found
}

async function checkClock({ nodes }: Pick<Store, 'nodes'>, clock: Clock): Promise<Finding> {
  const before = clock.now()
  const databaseMs = await nodes.now()
  const aheadMs = (before + clock.now()) / 2 - databaseMs
  const text = `this machine is ${(Math.abs(aheadMs) / second).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database`
  if (Math.abs(aheadMs) > maxSkewMs)
    return fail('clock', `${text}: synchronize both (NTP), no node starts like this`)
  if (Math.abs(aheadMs) > second) return warn('clock', `${text}: synchronize both (NTP)`)
  return ok('clock', text)
}
