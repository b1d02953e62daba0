import type { Vault } from '../lib/crypto.ts'
import type { User } from '../store/repositories/users.ts'
import { readNotificationSetting } from '../users/notification-setting.ts'

/** Where a person receives notifications. */
export type Recipient =
  | { readonly by: 'email'; readonly address: string }
  | { readonly by: 'webhook'; readonly url: string; readonly secret: string }

/**
 * `undefined` for a person without an address, or a deleted one. Throws when another installation sealed their secret.
 */
export function recipientOf(
  { email, setting, deletedAt }: Pick<User, 'email' | 'setting' | 'deletedAt'>,
  vault: Pick<Vault, 'open'>,
): Recipient | undefined {
  if (deletedAt !== null) return undefined
  const wanted = readNotificationSetting(setting, vault)
  if (wanted.notifyType === 'webhook') {
    const { webhookUrl: url, webhookSecret: secret } = wanted
    return url === '' ? undefined : { by: 'webhook', url, secret }
  }
  const address = wanted.notificationEmail || email
  return address === '' ? undefined : { by: 'email', address }
}
