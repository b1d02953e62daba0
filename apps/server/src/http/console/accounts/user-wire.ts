import { roles, type SessionUser, userStatuses, type User as WireUser, wireRateLimits } from '@tollgate/api'
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
    ...toSessionUser(user),
    password: '',
    email: user.email,
    github_id: user.githubId,
    oidc_id: user.oidcId,
    wechat_id: user.wechatId,
    telegram_id: user.telegramId,
    linux_do_id: user.linuxDoId,
    quota: ledger.currentBalance('user', user.id, user.quota),
    used_quota: user.usedQuota + unflushed.quota,
    request_count: user.requestCount + unflushed.calls,
    aff_code: user.affCode,
    aff_count: user.affCount,
    aff_quota: user.affQuota,
    aff_history_quota: user.affHistoryQuota,
    inviter_id: user.inviterId,
    ...wireRateLimits(user),
    setting: withoutSecrets(user.setting),
    DeletedAt: deletionTime(user.deletedAt),
  }
}

/** RFC 3339, as consoles expect it. */
export function deletionTime(deletedAt: User['deletedAt']): string | null {
  return deletedAt === null ? null : new Date(deletedAt * 1000).toISOString()
}
