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

/** Refuses an address that may not belong to an account here: by its domain, or as an alias. */
export function refuseUnwelcomeAddress(address: string, settings: EmailSettings): void {
  const at = address.lastIndexOf('@')
  const isWelcome = settings.EmailDomainWhitelist.includes(address.slice(at + 1))
  if (settings.EmailDomainRestrictionEnabled && !isWelcome) throw new Refusal('email_domain_not_allowed')
  if (settings.EmailAliasRestrictionEnabled && /[+.]/.test(address.slice(0, at)))
    throw new Refusal('email_alias_not_allowed')
}
