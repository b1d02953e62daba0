import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'

/**
 * Switches that would lock people out, fail every call or do nothing while their requirement is empty or off (server
 * contract 8.1).
 */
const requirements: readonly (readonly [flag: SettingKey, needed: SettingKey])[] = [
  ['GitHubOAuthEnabled', 'GitHubClientId'],
  ['oidc.enabled', 'oidc.client_id'],
  ['LinuxDOOAuthEnabled', 'LinuxDOClientId'],
  ['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'],
  // An unproven address says nothing about its owner.
  ['EmailDomainRestrictionEnabled', 'EmailVerificationEnabled'],
  ['WeChatAuthEnabled', 'WeChatServerAddress'],
  ['TurnstileCheckEnabled', 'TurnstileSiteKey'],
  // Without it every check fails, and no administrator could log in to switch it off.
  ['TurnstileCheckEnabled', 'TurnstileSecretKey'],
  ['TelegramOAuthEnabled', 'TelegramBotToken'],
]

/**
 * Throws when `values` has a switch on without its requirement, and one of `changed` caused it: an invalid state that
 * an import left behind does not block other changes.
 */
export function refuseUnmetRequirements(changed: readonly SettingKey[], values: SettingValues): void {
  for (const [flag, needed] of requirements) {
    const value = values[needed]
    if (values[flag] !== true || !isMissing(value)) continue
    const isSwitch = value === false
    if (changed.includes(flag))
      throw new Refusal(isSwitch ? 'option_requires_switch' : 'option_requires', {
        key: flag,
        required: needed,
      })
    if (changed.includes(needed))
      throw new Refusal(isSwitch ? 'option_required_switch' : 'option_required', { key: needed, by: flag })
  }
}

function isMissing(value: SettingValues[SettingKey]): boolean {
  return value === false || ((typeof value === 'string' || Array.isArray(value)) && value.length === 0)
}

/**
 * Decides whether a new account needs a proven address. Also where domains are restricted and verification is off, as in an
 * installation older than that requirement.
 */
export function needsVerifiedAddress(
  values: Pick<SettingValues, 'EmailVerificationEnabled' | 'EmailDomainRestrictionEnabled'>,
): boolean {
  return values.EmailVerificationEnabled || values.EmailDomainRestrictionEnabled
}
