import { z } from 'zod'

/** What people set for themselves. Stored as JSON text; older or broken texts read as "nothing set". */
const userSetting = z.object({
  quota_warning_threshold: z.number().positive().optional().catch(undefined),
  accept_unset_model_ratio_model: z.boolean().catch(false).default(false),
})

export interface UserSetting {
  /** `undefined` means the site's own threshold. */
  readonly quotaWarningThreshold: number | undefined
  /** Takes models nobody has priced, at the default ratio. */
  readonly acceptsUnpricedModels: boolean
}

function parseObject(text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

export function readUserSetting(text: string): UserSetting {
  const setting = userSetting.parse(parseObject(text))
  return {
    quotaWarningThreshold: setting.quota_warning_threshold,
    acceptsUnpricedModels: setting.accept_unset_model_ratio_model,
  }
}

/** The stored text without its secret, as its owner and administrators may read it. */
export function withoutSecrets(text: string): string {
  const { webhook_secret: _, ...rest } = parseObject(text)
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
}
