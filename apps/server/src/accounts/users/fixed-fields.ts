import { type FixedFields, roles, userStatuses } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { User } from '../../store/accounts/users.ts'

/** Refuses by name a field that no edit changes, where it is sent with another value than the stored one. */
export function refuseFixedFields(sent: FixedFields, user: User | undefined): void {
  const stored = user === undefined ? {} : wireOf(user)
  for (const [field, before] of Object.entries({ ...noIdentities, ...stored })) {
    const value = sent[field as keyof FixedFields] ?? before
    if (value !== before) throw new Refusal('user_field_fixed', { field })
  }
}

/** A new account has none. */
const noIdentities = {
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
} satisfies FixedFields

function wireOf(user: User) {
  return {
    email: user.email,
    github_id: user.githubId,
    oidc_id: user.oidcId,
    wechat_id: user.wechatId,
    telegram_id: user.telegramId,
    linux_do_id: user.linuxDoId,
    role: roles[user.role],
    status: userStatuses[user.status],
    aff_code: user.affCode,
    inviter_id: user.inviterId,
  } satisfies FixedFields
}
