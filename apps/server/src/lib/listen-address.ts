import { readFileSync } from 'node:fs'

/** Addresses that stand for every address of this machine. */
const everywhere = { ipv4: '0.0.0.0', ipv6: '::' } as const

/**
 * The address to listen on: the one that is set, else every address of both families, or of IPv4 where the system has no IPv6. A socket of
 * `::` takes callers of IPv4 too.
 */
export function listenHost(host: string | undefined): string {
  return host ?? (hasIpv6() ? everywhere.ipv6 : everywhere.ipv4)
}

/** The address by which a command on this machine reaches what listens there. */
export function localUrl(host: string | undefined, port: number): string {
  const listened = listenHost(host)
  if (listened === everywhere.ipv6) return hostUrl('::1', port)
  return hostUrl(listened === everywhere.ipv4 ? '127.0.0.1' : listened, port)
}

/** The address that a browser on this machine can open: "everywhere" is not one. */
export function visibleUrl(host: string | undefined, port: number): string {
  const listened = listenHost(host)
  const isEverywhere = listened === everywhere.ipv6 || listened === everywhere.ipv4
  return hostUrl(isEverywhere ? 'localhost' : listened, port)
}

/** `http://host:port`, a literal of IPv6 in brackets (RFC 3986). */
function hostUrl(host: string, port: number): string {
  return `http://${hostAndPort(host, port)}`
}

/** `host:port`, a literal of IPv6 in brackets; its zone is percent-encoded (RFC 6874). */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host.replace('%', '%25')}]` : host}:${port}`
}

/** Looks for an interface of this machine with an address of IPv6, the loopback one included. */
function hasIpv6(): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readFileSync('/proc/net/if_inet6', 'latin1').trim() !== ''
  } catch {
    return false
  }
}
