import type { AuditAction, UserAction } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Actor, AuditEvent, AuditLog } from '../../audit-log/audit-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import { type RevocationScope, revokeCredentials } from '../auth/revoke-credentials.ts'
import { refusalOf } from './ranks.ts'

/** What became of one user: how they are now, or why nothing was done. */
export type ManagedOutcome =
  | { readonly id: number; readonly user: User }
  | { readonly id: number; readonly refusal: Refusal }

export interface ManageUsersDependencies {
  readonly store: Pick<Store, 'transaction'>
  readonly auditLog: Pick<AuditLog, 'recordAll'>
  readonly bus: ChangeBus
  readonly clock: Clock
}

type Change = Partial<Pick<User, 'role' | 'status' | 'deletedAt'>>

const revocations: Readonly<Partial<Record<UserAction, RevocationScope>>> = {
  disable: 'banned',
  delete: 'closed',
}

/**
 * Promotes, demotes, disables, enables or deletes users, each by itself: what is refused for one is done to the others.
 * A user who is so already counts as done. Disabling and deleting end what opens the account; sessions and keys follow every change with
 * their next call. Outcomes are in the order of the ids, one for each.
 */
export async function manageUsers(
  { store, auditLog, bus, clock }: ManageUsersDependencies,
  actor: Actor,
  given: readonly number[],
  action: UserAction,
): Promise<ManagedOutcome[]> {
  const ids = [...new Set(given)]
  const change = changeOf(action, unixSeconds(clock))
  const { outcomes, changed } = await store.transaction(async (tx) => {
    const users = await tx.users.listByIds(ids)
    const judged = ids.map((id) => judge(actor, id, users.get(id), action))
    const allowed = judged.flatMap((outcome) => ('user' in outcome ? [outcome.user] : []))
    const changed = await apply(tx, actor, allowed, action, change)
    const auditEvents = allowed
      .filter(({ id }) => changed.has(id))
      .map((user) => auditEventOf(user, action, change))
    await auditLog.recordAll(actor, auditEvents, tx)
    return { outcomes: judged.map((outcome) => outcomeAfter(outcome, change, changed)), changed }
  })
  for (const id of changed) bus.publish('user-changed', { id })
  return outcomes
}

function changeOf(action: UserAction, now: number): Change {
  switch (action) {
    case 'promote':
      return { role: 'admin' }
    case 'demote':
      return { role: 'common' }
    case 'disable':
      return { status: 'banned' }
    case 'enable':
      return { status: 'enabled' }
    case 'delete':
      return { deletedAt: now }
  }
}

function judge(actor: Actor, id: number, user: User | undefined, action: UserAction): ManagedOutcome {
  if (user === undefined || user.deletedAt !== null) return { id, refusal: new Refusal('user_unknown') }
  const code = refusalOf(actor, user, action)
  return code === undefined ? { id, user } : { id, refusal: new Refusal(code) }
}

/** Answers whose record was changed: between the look at it and this, somebody may have risen or gone. */
async function apply(
  tx: Store,
  actor: Actor,
  users: readonly User[],
  action: UserAction,
  change: Change,
): Promise<ReadonlySet<number>> {
  const ids = users.map(({ id }) => id)
  const changed = await tx.users.updateBelow(ids, actor.role, change)
  const scope = revocations[action]
  if (scope !== undefined) await revokeCredentials(tx, [...changed], scope)
  return changed
}

function auditEventOf(user: User, action: UserAction, change: Change): AuditEvent {
  const { role, status, deletedAt } = user
  const before = { role, status, deletedAt }
  return {
    action: `user.${action}` satisfies AuditAction,
    target: { kind: 'user', id: user.id, name: user.username },
    before,
    after: { ...before, ...change },
  }
}

function outcomeAfter(outcome: ManagedOutcome, change: Change, changed: ReadonlySet<number>): ManagedOutcome {
  if ('refusal' in outcome) return outcome
  const { id, user } = outcome
  return changed.has(id)
    ? { id, user: { ...user, ...change } }
    : { id, refusal: new Refusal('user_changed_meanwhile') }
}
