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
  webhook_secret_sealed: z.string().catch(''),
  /** In clear, as an import left it. */
  webhook_secret: z.string().catch(''),
  notification_email: z.string().catch(''),
})

/** `undefined` for somebody who left no address, or is deleted. Throws when their secret was sealed elsewhere. */
export function recipientOf(
  { email, setting, deletedAt }: Pick<User, 'email' | 'setting' | 'deletedAt'>,
  vault: Pick<Vault, 'open'>,
): Recipient | undefined {
  if (deletedAt !== null) return undefined
  const wanted = notificationSetting.parse(parsed(setting))
  if (wanted.notify_type === 'webhook') {
    const { webhook_url: url, webhook_secret_sealed: sealed } = wanted
    const secret = sealed === '' ? wanted.webhook_secret : vault.open(sealed)
    return url === '' ? undefined : { by: 'webhook', url, secret }
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
