import { roles, type SessionUser, userResource, userStatuses, type User as WireUser } from '@tollgate/api'
import { wireParts } from '../../../accounts/users/admin-parts.ts'
import { withoutSecrets } from '../../../accounts/users/user-setting.ts'
import type { Ledger } from '../../../billing/ledger-types.ts'
import type { User } from '../../../store/accounts/users.ts'

/** The user as a browser stores it after login: no figures, no secrets. */
export function toSessionUser(user: User): SessionUser {
  return {
    id: user.id,
    username: user.username,
    display_name: user.displayName,
    role: roles[user.role],
    status: userStatuses[user.status],
    group: user.group,
    ...(user.role !== 'common' && { admin_parts: wireParts(user) }),
  }
}

/** Figures as of now: what is settled but not yet flushed is in them. */
export function toWireUser(user: User, ledger: Pick<Ledger, 'currentBalance' | 'unflushed'>): WireUser {
  const unflushed = ledger.unflushed('user', user.id)
  return {
    ...userResource.toWire(user),
    ...(user.role !== 'common' && { admin_parts: wireParts(user) }),
    password: '',
    quota: ledger.currentBalance('user', user.id, user.quota),
    used_quota: user.usedQuota + unflushed.quota,
    request_count: user.requestCount + unflushed.calls,
    setting: withoutSecrets(user.setting),
    DeletedAt: deletionTime(user.deletedAt),
  }
}

/** RFC 3339, as consoles expect it. */
export function deletionTime(deletedAt: User['deletedAt']): string | null {
  return deletedAt === null ? null : new Date(deletedAt * 1000).toISOString()
}
