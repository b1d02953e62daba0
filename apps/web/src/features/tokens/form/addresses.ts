const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const version4 = new RegExp(`^${octet}(\\.${octet}){3}$`)
/** An IPv4 address written inside IPv6 (`::ffff:10.0.0.1`) is read as IPv4; its ranges count from here. */
const mapped = /^(0*:)*:?0*ffff:\d/i

/** Addresses as they will be stored: one per line or parted by commas, none empty, none twice. */
export function addressLines(text: string): readonly string[] {
  return [...new Set(text.split(/[\n,，]/).map((line) => line.trim()))].filter((line) => line !== '')
}

/** The first line that is neither an address nor a CIDR range; the server would refuse it by name. */
export function firstBadAddress(text: string): string | undefined {
  return addressLines(text).find((line) => !isAddressRange(line))
}

/** `10.0.0.1`, `10.0.0.0/8`, `2001:db8::1` or `2001:db8::/32`, as strictly as the server reads them. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0) return false
  const bits = bitsOf(address)
  if (bits === undefined || prefix === undefined) return bits !== undefined
  if (!/^\d{1,3}$/.test(prefix)) return false
  const first = mapped.test(address) ? 96 : 0
  return Number(prefix) >= first && Number(prefix) <= bits
}

function bitsOf(address: string): 32 | 128 | undefined {
  if (version4.test(address)) return 32
  // Browsers read IPv6 addresses in URLs by the letter of the standard; the letters are checked first.
  return /^[0-9a-f:.]+$/i.test(address) && address.includes(':') && URL.canParse(`http://[${address}]/`) ? 128 : undefined
}
