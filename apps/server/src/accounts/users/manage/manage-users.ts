import type { AuditAction, UserAction } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor, AuditEvent } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import { type RevocationScope, revokeCredentials } from '../login/revoke-credentials.ts'
import { refusalOf } from './ranks.ts'

/** The outcome for one user: the user after it, or the refusal. */
type ManagedOutcome =
  | { readonly id: number; readonly user: User; readonly refusal?: undefined }
  | { readonly id: number; readonly user?: undefined; readonly refusal: Refusal }

type Change = Partial<Pick<User, 'role' | 'status' | 'deletedAt' | 'adminParts'>>

const revocations: Readonly<Partial<Record<UserAction, RevocationScope>>> = {
  disable: 'banned',
  delete: 'closed',
}

/**
 * Promotes, demotes, disables, enables or deletes users. A refusal for one user does not stop the action for the
 * others, and a user already in that state counts as done. Disabling and deleting revoke credentials; sessions and keys
 * see each change at their next call. Returns an outcome for each id, in their order.
 */
export async function manageUsers(
  { store, auditLog, bus, clock }: Pick<Services, 'store' | 'auditLog' | 'bus' | 'clock'>,
  actor: Actor,
  requestedIds: readonly number[],
  action: UserAction,
): Promise<ManagedOutcome[]> {
  const ids = [...new Set(requestedIds)]
  const change = changeOf(action, unixSeconds(clock))
  const { outcomes, changed } = await store.transaction(async (tx) => {
    const users = await tx.users.lockByIds(ids)
    const checked = ids.map((id) => check(actor, id, users.get(id), action))
    const allowed = checked.flatMap(({ user }) => (user === undefined ? [] : [user]))
    const changed = await apply(tx, actor, allowed, action, change)
    const auditEvents = allowed
      .filter(({ id }) => changed.has(id))
      .map((user) => auditEventOf(user, action, change))
    await auditLog.recordAll(actor, auditEvents, tx)
    return { outcomes: checked.map((outcome) => outcomeAfter(outcome, change, changed)), changed }
  })
  for (const id of changed) bus.publish('user-changed', { id })
  return outcomes
}

function changeOf(action: UserAction, now: number): Change {
  switch (action) {
    case 'promote':
      // The parts of a new administrator, whatever they had before.
      return { role: 'admin', adminParts: '' }
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

function check(actor: Actor, id: number, user: User | undefined, action: UserAction): ManagedOutcome {
  if (user === undefined || user.deletedAt !== null) return { id, refusal: new Refusal('user_unknown') }
  const code = refusalOf(actor, user, action)
  return code === undefined ? { id, user } : { id, refusal: new Refusal(code) }
}

/** Returns the ids that were changed: a user may have been promoted or deleted since they were read. */
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
  const { adminParts: _implied, ...visible } = change
  return {
    action: `user.${action}` satisfies AuditAction,
    target: { kind: 'user', id: user.id, name: user.username },
    before,
    after: { role, status, deletedAt, ...visible },
  }
}

function outcomeAfter(outcome: ManagedOutcome, change: Change, changed: ReadonlySet<number>): ManagedOutcome {
  const { id, user } = outcome
  if (user === undefined) return outcome
  return changed.has(id)
    ? { id, user: { ...user, ...change } }
    : { id, refusal: new Refusal('user_changed_meanwhile') }
}
