import { type AddressRange, createAddressMatcher, destinationsOf, parseAddressRange } from './addresses.ts'

/** A part of the address space, with the document that assigns it. */
export interface AddressBlock {
  readonly range: string
  readonly name: string
  readonly source: string
}

/** Blocks that the internet routes at all; every other block of IPv6 is refused, whatever it will be used for. */
export const routedBlocks: readonly AddressBlock[] = [
  { range: '0.0.0.0/0', name: 'IPv4', source: 'RFC 791' },
  { range: '2000::/3', name: 'global unicast', source: 'RFC 4291 §2.4' },
]

/**
 * Blocks within the routed ones that lead to no host of the internet, by the document beside each row. IANA lists such blocks at
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry: compare when they change. Blocks for
 * translators and tunnels are judged by the IPv4 address inside (`destinationsOf`).
 */
export const specialBlocks: readonly AddressBlock[] = [
  { range: '0.0.0.0/8', name: 'this network', source: 'RFC 791 §3.2' },
  { range: '10.0.0.0/8', name: 'private use', source: 'RFC 1918' },
  { range: '100.64.0.0/10', name: 'shared by carriers', source: 'RFC 6598' },
  { range: '127.0.0.0/8', name: 'loopback', source: 'RFC 1122 §3.2.1.3' },
  {
    range: '168.63.129.16',
    name: "Azure's in-host metadata address",
    source: 'Microsoft Learn, "What is IP address 168.63.129.16?"',
  },
  { range: '169.254.0.0/16', name: 'link-local, metadata of clouds', source: 'RFC 3927' },
  { range: '172.16.0.0/12', name: 'private use', source: 'RFC 1918' },
  { range: '192.0.0.0/24', name: 'protocol assignments', source: 'RFC 6890 §2.1' },
  { range: '192.0.2.0/24', name: 'documentation', source: 'RFC 5737' },
  { range: '192.31.196.0/24', name: 'AS112 (empty answers)', source: 'RFC 7535' },
  { range: '192.52.193.0/24', name: 'multicast tunnels', source: 'RFC 7450' },
  { range: '192.88.99.0/24', name: 'relays of 6to4', source: 'RFC 7526' },
  { range: '192.168.0.0/16', name: 'private use', source: 'RFC 1918' },
  { range: '192.175.48.0/24', name: 'AS112 (empty answers)', source: 'RFC 7534' },
  { range: '198.18.0.0/15', name: 'benchmarks', source: 'RFC 2544' },
  { range: '198.51.100.0/24', name: 'documentation', source: 'RFC 5737' },
  { range: '203.0.113.0/24', name: 'documentation', source: 'RFC 5737' },
  { range: '224.0.0.0/4', name: 'multicast', source: 'RFC 5771' },
  { range: '240.0.0.0/4', name: 'reserved, broadcast', source: 'RFC 1112 §4' },
  { range: '2001::/23', name: 'protocol assignments', source: 'RFC 2928' },
  { range: '2001:db8::/32', name: 'documentation', source: 'RFC 3849' },
  { range: '2620:4f:8000::/48', name: 'AS112 (empty answers)', source: 'RFC 7534' },
  { range: '3fff::/20', name: 'documentation', source: 'RFC 9637' },
]

/** The ranges that texts name; what is no range is left out. */
export function rangesOf(texts: readonly string[]): AddressRange[] {
  return texts.flatMap((text) => parseAddressRange(text.trim()) ?? [])
}

const isRouted = createAddressMatcher(rangesOf(routedBlocks.map(({ range }) => range)))
const isSpecial = createAddressMatcher(rangesOf(specialBlocks.map(({ range }) => range)))

/**
 * Decides whether a host of the internet has the address, or every address that packets to it may end at is `allowed`. False for a text
 * that is no address: what cannot be judged is not connected to.
 */
export function leadsOutside(
  address: string,
  allowed: (destination: string) => boolean = () => false,
): boolean {
  const destinations = destinationsOf(address)
  return destinations.length > 0 && destinations.every((end) => allowed(end) || isPublic(end))
}

function isPublic(address: string): boolean {
  return isRouted(address) && !isSpecial(address)
}
