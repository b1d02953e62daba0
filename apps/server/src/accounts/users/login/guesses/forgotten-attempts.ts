import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import { randomAlphanumerics } from '../../../../lib/random.ts'
import type { Store } from '../../../../store/store.ts'

/** Names when the operator had the counts forgotten last. */
const marker = { purpose: 'forgot attempts', subject: 'site' } as const
const { MAX_SAFE_INTEGER } = Number
/** A node that refuses asks the database at most this often. */
const askEveryMs = 1000

/**
 * Forgets every counted try at a secret, on all nodes: whoever was locked out may try again. Returns how many counts the database
 * had. A node forgets what it counts in memory at the next try that it would refuse.
 */
export async function forgetAttempts(store: Pick<Store, 'transaction'>, clock: Clock): Promise<number> {
  return await store.transaction(async (tx) => {
    const forgotten = await tx.oneTimeSecrets.forgetAttempts('tried ')
    await tx.secondFactors.forgetAttempts()
    const createdAt = unixSeconds(clock)
    const data = randomAlphanumerics(16)
    await tx.oneTimeSecrets.put({ ...marker, secretHash: '', data, createdAt, expiresAt: MAX_SAFE_INTEGER })
    return forgotten
  })
}

/** Says whether the counts were forgotten since it was called last: once for each time. */
export function createForgottenWatch(
  { oneTimeSecrets }: Pick<Store, 'oneTimeSecrets'>,
  clock: Clock = monotonicClock,
): () => Promise<boolean> {
  let known = ''
  let readAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.now() - readAt < askEveryMs) return false
    readAt = clock.now()
    const found = await oneTimeSecrets.find(marker.purpose, marker.subject)
    const isNew = found !== undefined && found.data !== known
    known = found?.data ?? known
    return isNew
  }
}
