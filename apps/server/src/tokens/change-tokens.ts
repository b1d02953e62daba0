import type { TokenBatchBody } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Token } from '../store/repositories/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Quota, Seconds } from '../store/units.ts'
import { refuseEnablingSpent } from './token-state.ts'

/** What became of one key of a bulk change. */
export interface TokenOutcome {
  readonly id: number
  /** Why nothing was done. */
  readonly refusal: Refusal | undefined
}

interface Dependencies {
  readonly tokens: Pick<Store['tokens'], 'listOwnByIds' | 'changeOwnMany'>
  readonly events: ChangeBus
  /** With every settled call counted. */
  readonly balanceOf: (token: Token) => Quota
  readonly now: Seconds
}

/** Enables, disables or deletes some of a user's keys, in two statements however many they are. */
export async function changeTokens(
  { tokens, events, balanceOf, now }: Dependencies,
  userId: number,
  { ids, action }: TokenBatchBody,
): Promise<TokenOutcome[]> {
  const requested = [...new Set(ids)]
  const known = await tokens.listOwnByIds(userId, requested)
  const outcomes = requested.map((id) => ({ id, refusal: refusalOf(action, known.get(id), balanceOf, now) }))
  const allowed = outcomes.filter(({ refusal }) => refusal === undefined).map(({ id }) => id)
  const changed = new Set(await tokens.changeOwnMany(userId, allowed, changes(action, now)))
  for (const id of changed) events.publish('token-changed', { id, keyHash: known.get(id)?.keyHash ?? '' })
  return outcomes.map(({ id, refusal }) => ({
    id,
    // Deleted since it was looked up.
    refusal: refusal ?? (changed.has(id) ? undefined : new Refusal('record_not_found')),
  }))
}

function changes(action: TokenBatchBody['action'], now: Seconds) {
  if (action === 'delete') return { deletedAt: now }
  return { status: action === 'enable' ? ('enabled' as const) : ('disabled' as const) }
}

function refusalOf(
  action: TokenBatchBody['action'],
  token: Token | undefined,
  balanceOf: (token: Token) => Quota,
  now: Seconds,
): Refusal | undefined {
  if (token === undefined) return new Refusal('record_not_found')
  if (action !== 'enable') return undefined
  try {
    refuseEnablingSpent({ ...token, remainQuota: balanceOf(token) }, now)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return undefined
}
