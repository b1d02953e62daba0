import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'

/** Switches that would lock people out or fail every call while what they need is empty (server contract 8.1). */
const requirements: Partial<Record<SettingKey, readonly SettingKey[]>> = {
  GitHubOAuthEnabled: ['GitHubClientId'],
  'oidc.enabled': ['oidc.client_id'],
  LinuxDOOAuthEnabled: ['LinuxDOClientId'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  WeChatAuthEnabled: ['WeChatServerAddress'],
  TurnstileCheckEnabled: ['TurnstileSiteKey'],
  TelegramOAuthEnabled: ['TelegramBotToken'],
}

/** Throws when `key` was just switched on in `values` without what it needs. */
export function refuseUnmetRequirement(key: SettingKey, values: SettingValues): void {
  if (values[key] !== true) return
  const missing = (requirements[key] ?? []).filter((needed) => isEmpty(values[needed]))
  if (missing.length > 0) throw new Refusal('option_requires', { key, required: missing.join(', ') })
}

function isEmpty(value: SettingValues[SettingKey]): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length === 0
}
