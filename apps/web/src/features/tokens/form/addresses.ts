const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const version4 = new RegExp(`^${octet}(\\.${octet}){3}$`)
/** An IPv4 address written inside IPv6 (`::ffff:10.0.0.1`), as a browser writes it; its ranges begin behind 96 bits. */
const mapped = /^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/

/** Addresses as they will be stored: one per line or parted by commas, none empty, none twice. */
export function addressLines(text: string): readonly string[] {
  return [...new Set(text.split(/[\n,，]/).map((line) => line.trim()))].filter((line) => line !== '')
}

/** The first line that is neither an address nor a CIDR range; the server would refuse it by name. */
export function firstBadAddress(text: string): string | undefined {
  return addressLines(text).find((line) => !isAddressRange(line))
}

/** Decides whether a line that the person has left already is no address: the last one may still be incomplete. */
export function hasBadFinishedLine(text: string): boolean {
  return firstBadAddress(text.slice(0, text.lastIndexOf('\n') + 1)) !== undefined
}

/** `10.0.0.1`, `10.0.0.0/8`, `2001:db8::1` or `2001:db8::/32`, as strictly as the server reads them. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const lengths = prefixLengthsOf(address)
  if (!lengths || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= lengths.min && Number(prefix) <= lengths.max
}

/** Characters of an IPv6 address, and those that it may end in: some parsers let a lone colon at the end pass. */
const version6Letters = /^[0-9a-f:.]*(::|[0-9a-f])$/i

/** Prefix lengths that a range of this address can have; `undefined` when it is not an address. */
function prefixLengthsOf(address: string): { readonly min: number; readonly max: number } | undefined {
  if (version4.test(address)) return { min: 0, max: 32 }
  if (!address.includes(':') || !version6Letters.test(address)) return undefined
  // Browsers read the IPv6 addresses in URLs by the letter of the standard.
  const url = `http://[${address}]/`
  if (!URL.canParse(url)) return undefined
  return { min: mapped.test(new URL(url).hostname) ? 96 : 0, max: 128 }
}
