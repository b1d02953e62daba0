import { z } from 'zod'
import type { Vault } from '../lib/crypto.ts'
import type { User } from '../store/entities.ts'

/** Where somebody wants to be told. */
export type Recipient =
  | { readonly by: 'email'; readonly address: string }
  | { readonly by: 'webhook'; readonly url: string; readonly secret: string }

/** What is stored may be older than the rules of now: what does not fit counts as absent. */
const notificationSetting = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  webhook_url: z.string().catch(''),
  webhook_secret: z.string().catch(''),
  notification_email: z.string().catch(''),
})

/** `undefined` for somebody who left no address, or is deleted. */
export function recipientOf(
  { email, setting, deletedAt }: Pick<User, 'email' | 'setting' | 'deletedAt'>,
  vault: Pick<Vault, 'open'>,
): Recipient | undefined {
  if (deletedAt !== null) return undefined
  const wanted = notificationSetting.parse(parsed(setting))
  if (wanted.notify_type === 'webhook') {
    const { webhook_url: url, webhook_secret: secret } = wanted
    return url === '' ? undefined : { by: 'webhook', url, secret: opened(secret, vault) }
  }
  const address = wanted.notification_email || email
  return address === '' ? undefined : { by: 'email', address }
}

function parsed(setting: string): object {
  try {
    const value: unknown = JSON.parse(setting || '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Sealed here, or in clear as an import left it. */
function opened(secret: string, vault: Pick<Vault, 'open'>): string {
  try {
    return vault.open(secret)
  } catch {
    return secret
  }
}
