import { chatTargetNamed } from '../chat-targets.ts'
import type { ListEntry } from './kinds.ts'
import { accepted, refused } from './setting.ts'

/** A mail domain such as example.com: labels of up to 61 letters of any script, digits and hyphens, a word at the end. */
export const domainEntry: ListEntry = (entry) =>
  /^([\p{L}\d]([\p{L}\p{M}\d-]{0,59}[\p{L}\p{M}\d])?\.)+(\p{L}[\p{L}\p{M}]{1,60}|xn--[a-z\d-]{1,57})$/iu.test(
    entry,
  )
    ? accepted(entry.toLowerCase())
    : refused('option_not_domain', { entry })

/** A recipient of keys: a host, a site, or a protocol of programs. */
export const chatTargetEntry: ListEntry = (entry) => {
  const target = chatTargetNamed(entry)
  return target === undefined ? refused('option_not_chat_target', { entry }) : accepted(target)
}

/** An address, or a range in CIDR notation. */
export const addressRangeEntry: ListEntry = (entry) =>
  isAddressRange(entry) ? accepted(entry) : refused('option_not_address_range', { entry })

function isAddressRange(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : undefined
  if (bits === undefined || rest.length > 0) return false
  return prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits)
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
}

/** Checks an address by hand: zod knows addresses too, but is ten times as large as all other checks of the settings page. */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  // The last four bytes may be written as an address of the older kind.
  const isMixed = text.endsWith(last) && isIpv4(last)
  const plain = isMixed ? groups.slice(0, -1) : groups
  const count = plain.length + (isMixed ? 2 : 0)
  return (
    plain.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (halves.length === 1 ? count === 8 : halves.length === 2 && count < 8)
  )
}
