import { z } from 'zod'
import type { User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'

/** A user's own settings. Stored as JSON text; older or broken texts read as "nothing set". */
const userSetting = z.object({
  quota_warning_threshold: z.number().positive().optional().catch(undefined),
  accept_unset_model_ratio_model: z.boolean().catch(false).default(false),
  keep_failed_calls: z.boolean().catch(false).default(false),
})

/** The members that are read here. */
export const userSettingMembers: readonly string[] = Object.keys(userSetting.shape)

export interface UserSetting {
  /** `undefined` means the site's own threshold. */
  readonly quotaWarningThreshold: number | undefined
  /** Accepts models without a price, at the default ratio. */
  readonly acceptsUnpricedModels: boolean
  /** Lets administrators replay failed calls. */
  readonly keepsFailedCalls: boolean
}

/** The parsed text; an empty object for an unreadable one. */
export function parseUserSetting(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Changes some fields of a user's settings, as they are while nobody else can change them; returns the changed fields.
 * @param change reads the settings in the transaction that writes them
 */
export async function changeUserSetting<Fields extends object>(
  store: Pick<Store, 'transaction'>,
  user: Pick<User, 'id'>,
  change: (setting: Readonly<Record<string, unknown>>) => Fields,
): Promise<Fields> {
  return await store.transaction(async (tx) => {
    const setting = parseUserSetting((await tx.users.lock(user.id))?.setting ?? '')
    const fields = change(setting)
    await tx.users.update(user.id, { setting: JSON.stringify({ ...setting, ...fields }) })
    return fields
  })
}

export function readUserSetting(text: string): UserSetting {
  const setting = userSetting.parse(parseUserSetting(text))
  return {
    quotaWarningThreshold: setting.quota_warning_threshold,
    acceptsUnpricedModels: setting.accept_unset_model_ratio_model,
    keepsFailedCalls: setting.keep_failed_calls,
  }
}

/**
 * The stored text without its secrets, as its owner and administrators may read it. Addresses of webhooks are secrets too:
 * any holder of one can post to it. `webhook_url_set` and `webhook_secret_set` say that there is one.
 */
export function withoutSecrets(text: string): string {
  const { webhook_url, webhook_secret, webhook_secret_sealed, ...rest } = parseUserSetting(text)
  const visible = {
    ...rest,
    ...(isText(webhook_url) && { webhook_url_set: true }),
    ...((isText(webhook_secret_sealed) || isText(webhook_secret)) && { webhook_secret_set: true }),
  }
  return Object.keys(visible).length === 0 ? '' : JSON.stringify(visible)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
