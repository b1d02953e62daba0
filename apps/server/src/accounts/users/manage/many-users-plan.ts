import {
  type LeftOutReason,
  leftOutReasons,
  type ManyUsersChange,
  type ManyUsersPreview,
  maxBalance,
  type UserFields,
} from '@tollgate/api'
import type { User } from '../../../store/accounts/users.ts'
import type { Quota } from '../../../store/units.ts'

/** The fields of a user that a change of many can write. */
export type ManyState = ManyUsersPreview['users'][number]['before']

/** A user whom a change of many changes. */
export interface PlannedUser {
  readonly user: User
  readonly before: ManyState
  readonly after: ManyState
}

/** Whom a change of many changes, by their ids, and whom it leaves out. */
export interface ManyUsersPlan {
  readonly changed: readonly PlannedUser[]
  readonly leftOut: ReadonlyMap<LeftOutReason, readonly string[]>
}

/** Rights of the actor over each of the users, and balances as they are. */
export interface PlanFacts {
  /** The user, or undefined where there is none or they are deleted. */
  readonly userOf: (id: number) => User | undefined
  readonly isBelowActor: (user: User) => boolean
  readonly isNearActor: (user: User) => boolean
  readonly balanceOf: (user: User) => Quota
}

/** Decides for each user what a change makes of them. */
export function planChange(ids: readonly number[], change: ManyUsersChange, facts: PlanFacts): ManyUsersPlan {
  const changed: PlannedUser[] = []
  const leftOut = new Map<LeftOutReason, string[]>()
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const user = facts.userOf(id)
    const outcome = user === undefined ? 'gone' : planUser(user, change, facts)
    if (typeof outcome === 'object') changed.push(outcome)
    else leftOut.set(outcome, [...(leftOut.get(outcome) ?? []), user?.username ?? String(id)])
  }
  return { changed, leftOut }
}

function planUser(user: User, change: ManyUsersChange, facts: PlanFacts): PlannedUser | LeftOutReason {
  if (!facts.isBelowActor(user)) return 'rank'
  if (isGift(change) && facts.isNearActor(user)) return 'near'
  if (change.kind === 'balance') return planBalance(user, change, facts.balanceOf(user))
  const after = stateAfter(change)
  const before = statePart(user, after)
  return JSON.stringify(before) === JSON.stringify(after) ? 'unchanged' : { user, before, after }
}

/** Decides whether a change can leave a user with more: by quota, or by a group with other prices. */
export function isGift(change: ManyUsersChange): boolean {
  return change.kind === 'group' || (change.kind === 'balance' && change.amount > 0)
}

function planBalance(
  user: User,
  { amount, below_zero: mayFallBelow }: Extract<ManyUsersChange, { kind: 'balance' }>,
  quota: Quota,
): PlannedUser | LeftOutReason {
  const after = quota + amount
  if (Math.abs(after) > maxBalance) return 'out_of_range'
  if (amount < 0 && after < 0 && !mayFallBelow) return 'below_zero'
  return { user, before: { quota }, after: { quota: after } }
}

function stateAfter(change: Exclude<ManyUsersChange, { kind: 'balance' }>): ManyState {
  if (change.kind === 'group') return { group: change.group }
  const { kind: _kind, ...limits } = change
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

/** The fields of a user that a state has, in its order. */
function statePart(user: UserFields, state: ManyState): ManyState {
  const fields: Required<Omit<ManyState, 'quota'>> = {
    group: user.group,
    requests_per_minute: user.requestsPerMinute,
    tokens_per_minute: user.tokensPerMinute,
    concurrency: user.concurrency,
  }
  return Object.fromEntries(Object.keys(state).map((name) => [name, fields[name as keyof typeof fields]]))
}

/** The change of a user's row that gives them a state. */
export function fieldsOf({ group, requests_per_minute, tokens_per_minute, concurrency }: ManyState) {
  return {
    ...(group !== undefined && { group }),
    ...(requests_per_minute !== undefined && { requestsPerMinute: requests_per_minute }),
    ...(tokens_per_minute !== undefined && { tokensPerMinute: tokens_per_minute }),
    ...(concurrency !== undefined && { concurrency }),
  }
}

/** Facts of a plan that its preview promises: who changes, and who is left out for what. Balances move while calls run. */
export function promiseOf({ changed, leftOut }: ManyUsersPlan): object {
  return {
    changed: changed.map(({ user: { id }, before, after }) => ('quota' in after ? id : [id, before, after])),
    leftOut: leftOutReasons.map((reason) => leftOut.get(reason) ?? []),
  }
}
