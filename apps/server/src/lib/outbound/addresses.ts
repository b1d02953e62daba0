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
  const address = ipaddr.parse(text.includes(':') ? inGroups(text) : text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** IPv6 with its dotted end (`::10.0.0.1`) in groups: the parser would take that one for `::ffff:10.0.0.1`. */
function inGroups(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
}

/** One way to write each address, so that texts can be compared; `undefined` when `text` is not an address. */
export function canonicalAddress(text: string): string | undefined {
  // Nearly every address that a socket reports is already canonical; parsing costs more than this test.
  if (isIP(text) === 4) return text
  return parseAddress(text)?.toString()
}

/** An IPv6 range whose addresses stand for IPv4 addresses inside them. */
interface Translated {
  readonly range: ipaddr.IPv6
  readonly prefixLength: number
  /** @param bytes of the whole address, sixteen */
  readonly embedded: (bytes: readonly number[]) => readonly (readonly number[])[]
}

const translated: readonly Translated[] = [
  // NAT64 (RFC 6052 §2.2): the last 32 bits.
  { range: ipaddr.IPv6.parse('64:ff9b::'), prefixLength: 96, embedded: (bytes) => [bytes.slice(12)] },
  // 6to4 (RFC 3056 §2): behind the first 16 bits.
  { range: ipaddr.IPv6.parse('2002::'), prefixLength: 16, embedded: (bytes) => [bytes.slice(2, 6)] },
  // Teredo (RFC 4380 §4): the server, and the client with every bit inverted.
  {
    range: ipaddr.IPv6.parse('2001::'),
    prefixLength: 32,
    embedded: (bytes) => [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 0xff)],
  },
]

/**
 * Returns the addresses at which packets to an address may end up: the IPv4 addresses inside it when translators or tunnels use it,
 * else itself. An address inside IPv6 as `::ffff:10.0.0.1` is read as IPv4 everywhere. Empty for text that is not an address.
 */
export function destinationsOf(text: string): readonly string[] {
  const address = parseAddress(text)
  if (address === undefined) return []
  if (address instanceof ipaddr.IPv4) return [address.toString()]
  const found = translated.find(({ range, prefixLength }) => address.match(range, prefixLength))
  if (found === undefined) return [address.toString()]
  return found.embedded(address.toByteArray()).map((bytes) => bytes.join('.'))
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

/** Tests addresses against ranges. Text that is not an address is in no range. */
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
  return address instanceof ipaddr.IPv6 ? networkOf(address, 64) : (address?.toString() ?? text)
}

/**
 * Networks by which attempts at secrets are counted. A site or a provider's customer holds up to 48 bits of IPv6 (RFC
 * 6177).
 */
const countedPrefixes = [48, 56, 64] as const

/** The networks of an IPv6 address in the order of `countedPrefixes`; an IPv4 address is its own only network. */
export function networksOf(text: string): readonly string[] {
  const address = text.includes(':') ? parseAddress(text) : undefined
  return address instanceof ipaddr.IPv6
    ? countedPrefixes.map((prefix) => networkOf(address, prefix))
    : [subscriberOf(text)]
}

function networkOf(address: ipaddr.IPv6, prefixLength: number): string {
  const bytes = address.toByteArray().map((byte, index) => (index < prefixLength / 8 ? byte : 0))
  return `${new ipaddr.IPv6(bytes).toString()}/${prefixLength}`
}
