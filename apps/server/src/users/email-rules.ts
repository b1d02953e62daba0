import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import { readMailAddress } from '../mail/mail-address.ts'

export type EmailSettings = Pick<
  SettingValues,
  'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'
>

/** As much of a wrong address as is worth repeating. */
const shownLength = 100

/** The address that `text` is. Refuses what is none, or several. */
export function mailAddressOf(text: string): string {
  const address = readMailAddress(text)
  if (address === undefined) throw new Refusal('email_invalid', { email: text.slice(0, shownLength) })
  return address
}

/** Why an address may not belong to an account here: its domain, or that it is an alias. */
export function reasonAgainstAddress(
  address: string,
  settings: EmailSettings,
): 'email_domain_not_allowed' | 'email_alias_not_allowed' | undefined {
  const at = address.lastIndexOf('@')
  const isWelcome = settings.EmailDomainWhitelist.includes(address.slice(at + 1).toLowerCase())
  if (settings.EmailDomainRestrictionEnabled && !isWelcome) return 'email_domain_not_allowed'
  const isAlias = /[+.]/.test(address.slice(0, at))
  return settings.EmailAliasRestrictionEnabled && isAlias ? 'email_alias_not_allowed' : undefined
}

export function refuseUnwelcomeAddress(address: string, settings: EmailSettings): void {
  const reason = reasonAgainstAddress(address, settings)
  if (reason !== undefined) throw new Refusal(reason)
}
