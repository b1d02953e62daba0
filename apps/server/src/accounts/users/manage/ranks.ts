import { type RefusalCode, type Role, roles, type UserAction } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { LockedSettingsReader } from '../../../settings/settings.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'

/** The user who acts or reads. */
export interface Ranked {
  readonly userId: number
  readonly role: Role
}

type Target = Pick<User, 'id' | 'role'>

function outranks(actor: Pick<Ranked, 'role'>, target: Pick<Target, 'role'>): boolean {
  return roles[actor.role] > roles[target.role]
}

/** Users of lower rank, and oneself; root reads all. */
export function mayRead(actor: Ranked, target: Target): boolean {
  return actor.role === 'root' || target.id === actor.userId || outranks(actor, target)
}

/** Users of lower rank; root also edits itself. */
export function mayEdit(actor: Ranked, target: Target): boolean {
  return outranks(actor, target) || (actor.role === 'root' && target.id === actor.userId)
}

/** Returns the refusal of an action on a user; `undefined` if the actor may do it. */
export function refusalOf(actor: Ranked, target: Target, action: UserAction): RefusalCode | undefined {
  if (target.role === 'root' && actor.role === 'root') return 'user_is_root'
  if (!outranks(actor, target)) return 'user_rank_too_high'
  if (action === 'promote') return refusalOfPromotion(actor, target)
  return action === 'demote' && target.role === 'common' ? 'user_already_common' : undefined
}

function refusalOfPromotion(actor: Ranked, target: Target): RefusalCode | undefined {
  if (actor.role !== 'root') return 'user_promote_needs_root'
  return target.role === 'common' ? undefined : 'user_already_admin'
}

/** Refuses a group without a ratio; until the transaction ends, none is removed. */
export async function refuseUnknownGroup(
  settings: LockedSettingsReader,
  tx: Pick<Store, 'options'>,
  group: string,
): Promise<void> {
  const { GroupRatio } = await settings.lockedIn(tx)
  if (!Object.hasOwn(GroupRatio, group)) throw new Refusal('user_group_unknown', { group })
}
