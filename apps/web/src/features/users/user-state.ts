import { nameOf, roles, type SessionUser, type User, userStatuses } from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'

export type UserState = 'active' | 'banned' | 'deleted' | 'unknown'

/** Older installations know a third status, which only its owner can lift. */
const lockedStatus = 3

export function stateOf({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>): UserState {
  if (DeletedAt !== null) return 'deleted'
  if (status === userStatuses.enabled) return 'active'
  return status === userStatuses.banned ? 'banned' : 'unknown'
}

const tones: Readonly<Record<UserState, Tone>> = {
  active: 'good',
  banned: 'bad',
  deleted: 'neutral',
  unknown: 'warn',
}

export function toneOf(state: UserState): Tone {
  return tones[state]
}

export function roleNameOf(role: number): keyof typeof roles | 'unknown' {
  return nameOf(roles, role) ?? 'unknown'
}

export function canEnable({ status }: Pick<User, 'status'>): boolean {
  return status !== lockedStatus
}

type Actor = Pick<SessionUser, 'id' | 'role'> | undefined
type Target = Pick<User, 'id' | 'role' | 'DeletedAt'>

/** Users of one's own or a higher rank, and deleted users, allow no action. */
export function mayManage(actor: Actor, target: Target): boolean {
  return actor !== undefined && target.DeletedAt === null && actor.role > target.role
}

/** Users below one's own rank; root also edits itself. */
export function mayEdit(actor: Actor, target: Target): boolean {
  return (
    mayManage(actor, target) || (actor !== undefined && actor.role >= roles.root && actor.id === target.id)
  )
}

/** Root alone promotes and demotes. */
export function mayPromote(actor: Actor, target: Target): boolean {
  return mayManage(actor, target) && actor !== undefined && actor.role >= roles.root
}
