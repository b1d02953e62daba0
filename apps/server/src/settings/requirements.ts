import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'

/** Switches that would lock people out or fail every call while what they need is empty (server contract 8.1). */
const requirements: readonly (readonly [flag: SettingKey, needed: SettingKey])[] = [
  ['GitHubOAuthEnabled', 'GitHubClientId'],
  ['oidc.enabled', 'oidc.client_id'],
  ['LinuxDOOAuthEnabled', 'LinuxDOClientId'],
  ['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'],
  ['WeChatAuthEnabled', 'WeChatServerAddress'],
  ['TurnstileCheckEnabled', 'TurnstileSiteKey'],
  // Without it every check fails, and nobody could log in to switch it off.
  ['TurnstileCheckEnabled', 'TurnstileSecretKey'],
  ['TelegramOAuthEnabled', 'TelegramBotToken'],
]

/**
 * Throws when `values` has something switched on without what it needs, and one of `changed` made it so: what an import
 * left behind does not stand in the way of other changes.
 */
export function refuseUnmetRequirements(changed: readonly SettingKey[], values: SettingValues): void {
  for (const [flag, needed] of requirements) {
    if (values[flag] !== true || !isEmpty(values[needed])) continue
    if (changed.includes(flag)) throw new Refusal('option_requires', { key: flag, required: needed })
    if (changed.includes(needed)) throw new Refusal('option_required', { key: needed, by: flag })
  }
}

function isEmpty(value: SettingValues[SettingKey]): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length === 0
}
