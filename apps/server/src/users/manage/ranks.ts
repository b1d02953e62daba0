import { type RefusalCode, type Role, roles, type UserAction } from '@tollgate/api'
import type { User } from '../../store/repositories/users.ts'

/** Who acts or looks. */
export interface Ranked {
  readonly userId: number
  readonly role: Role
}

type Target = Pick<User, 'id' | 'role'>

function outranks(actor: Pick<Ranked, 'role'>, target: Pick<Target, 'role'>): boolean {
  return roles[actor.role] > roles[target.role]
}

/** Down the ladder, and oneself; root reads everybody. */
export function mayRead(actor: Ranked, target: Target): boolean {
  return actor.role === 'root' || target.id === actor.userId || outranks(actor, target)
}

/** Down the ladder. Root, whom nobody outranks, edits itself. */
export function mayEdit(actor: Ranked, target: Target): boolean {
  return outranks(actor, target) || (actor.role === 'root' && target.id === actor.userId)
}

/** Why an actor may not do this to a user; `undefined` when nothing stands against it. */
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
