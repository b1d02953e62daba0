import { type AdminPart, adminPartNames, defaultAdminParts } from '@tollgate/api'
import type { User } from '../../store/accounts/users.ts'

/** Says that an administrator has no part: an empty text stands for the parts of a new one. */
const none = '-'

/** The parts of an account, if it is an administrator's. */
export function partsOf({ adminParts }: Pick<User, 'adminParts'>): readonly AdminPart[] {
  if (adminParts === '') return defaultAdminParts
  const written = adminParts.split(',')
  return adminPartNames.filter((part) => written.includes(part))
}

/** The parts as the account stores them, in the order of the table. */
export function writtenParts(parts: readonly AdminPart[]): string {
  return adminPartNames.filter((part) => parts.includes(part)).join(',') || none
}

/** The parts on the wire: of root every part. */
export function wireParts(user: Pick<User, 'role' | 'adminParts'>): AdminPart[] {
  if (user.role === 'root') return [...adminPartNames]
  return user.role === 'admin' ? [...partsOf(user)] : []
}
