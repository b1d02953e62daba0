import { domainToASCII } from 'node:url'
import { emailMaxLength } from '@tollgate/api'

const maxLocalPart = 64
/** dot-atom of RFC 5322: no quotes, comments, lists, blanks or line ends. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domainName = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

/**
 * One bare address, with its domain in lower case (ASCII form); `undefined` for anything else, several addresses and
 * addresses with a name included.
 */
export function readMailAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, Math.max(at, 0))
  const domain = asciiDomain(trimmed.slice(at + 1))
  const address = `${local}@${domain}`
  const isAddress =
    local.length <= maxLocalPart &&
    address.length <= emailMaxLength &&
    localPart.test(local) &&
    domainName.test(domain) &&
    !/^\d+$/.test(domain.slice(domain.lastIndexOf('.') + 1))
  return isAddress ? address : undefined
}

/** Empty for an invalid domain. */
function asciiDomain(domain: string): string {
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? domainToASCII(domain).toLowerCase() : ''
}

/** The inbox that an address most likely leads to: large providers ignore dots and what follows a `+`. */
export function inboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain}`
}
