import { displayNameMaxLength, passwordMaxLength, passwordMinLength, usernameMaxLength } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import { readMailAddress } from '../../mail/mail-address.ts'

/** Controls, formats, line ends and broken halves: two names that look alike could differ by them. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** Refuses what cannot be a username, whoever chose it. */
export function refuseBadUsername(username: string): void {
  const length = lengthOf(username)
  const isGood =
    length >= 1 && length <= usernameMaxLength && username === username.trim() && !unseen.test(username)
  if (!isGood) throw new Refusal('username_invalid', { max: usernameMaxLength })
}

/**
 * Refuses an address as a name of somebody who has not proven it: whoever took another's address for a name would keep the
 * owner from logging in with it.
 */
export function refuseForeignAddress(username: string, ownEmail: string): void {
  const address = readMailAddress(username)
  if (address !== undefined && address.toLowerCase() !== ownEmail.toLowerCase())
    throw new Refusal('username_is_address')
}

export function refuseBadPassword(password: string): void {
  const length = lengthOf(password)
  if (length < passwordMinLength) throw new Refusal('password_short', { min: passwordMinLength })
  if (length > passwordMaxLength) throw new Refusal('password_too_long', { max: passwordMaxLength })
}

export function refuseBadDisplayName(displayName: string): void {
  if (lengthOf(displayName) > displayNameMaxLength || unseen.test(displayName))
    throw new Refusal('display_name_invalid', { max: displayNameMaxLength })
}

/** Characters as people count them, more or less: not bytes, and not halves of surrogate pairs. */
function lengthOf(text: string): number {
  return [...text].length
}
