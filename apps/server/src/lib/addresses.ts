import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A single address or a CIDR range, parsed once. */
export interface AddressRange {
  readonly network: Address
  readonly prefixLength: number
}

const addressBits = { ipv4: 32, ipv6: 128 } as const
/** An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) starts behind this many bits. */
const mappedPrefixLength = 96

/** Strict: no octal parts, no short forms, no zone. An IPv4 address written inside IPv6 is read as IPv4. */
function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** One way to write each address, so that texts can be compared; `undefined` when `text` is not an address. */
export function canonicalAddress(text: string): string | undefined {
  // What nearly every socket reports is already canonical; parsing costs more than this test.
  if (isIP(text) === 4) return text
  return parseAddress(text)?.toString()
}

/** Reads `10.0.0.1`, `10.0.0.0/8`, `2001:db8::1` or `2001:db8::/32`; `undefined` for anything else. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/')
  const network = parseAddress(slash === -1 ? text : text.slice(0, slash))
  if (network === undefined) return undefined
  const bits = addressBits[network.kind()]
  if (slash === -1) return { network, prefixLength: bits }
  const digits = text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(digits)) return undefined
  const wasMapped = network.kind() === 'ipv4' && text.includes(':')
  const prefixLength = Number(digits) - (wasMapped ? mappedPrefixLength : 0)
  return prefixLength >= 0 && prefixLength <= bits ? { network, prefixLength } : undefined
}

/** Tests addresses against ranges. Text that is no address is in no range. */
export function createAddressMatcher(ranges: readonly AddressRange[]): (address: string) => boolean {
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && ranges.some((range) => contains(range, address))
  }
}

function contains({ network, prefixLength }: AddressRange, address: Address): boolean {
  if (network instanceof ipaddr.IPv4)
    return address instanceof ipaddr.IPv4 && address.match(network, prefixLength)
  return address instanceof ipaddr.IPv6 && address.match(network, prefixLength)
}

/**
 * The part of an address that one subscriber holds: the whole of IPv4, the first 64 bits of IPv6
 * (a household gets at least that many, so counting single IPv6 addresses counts nothing).
 */
export function subscriberOf(text: string): string {
  if (!text.includes(':')) return text
  const address = parseAddress(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
