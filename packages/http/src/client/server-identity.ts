import { isIP } from 'node:net'

/** The part of a TLS socket that is used. */
type TlsSocket = Pick<Bun.Socket, 'getPeerX509Certificate'>

/**
 * Options of a TLS connection to a host. A name is announced and an address is not: RFC 6066 §3 knows only names.
 * @param hostname without brackets
 */
export function tlsOptions(hostname: string): Bun.TLSOptions {
  // An empty name keeps the runtime from announcing what it connects to.
  return { rejectUnauthorized: true, serverName: isIP(hostname) === 0 ? hostname : '' }
}

/**
 * Whether the peer's certificate, trusted already, is for the host. It must name it as a subject alternative name
 * (RFC 9525 §6.3); a common name alone names nobody.
 */
export function isCertifiedFor(hostname: string, socket: TlsSocket): boolean {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return false
  const found =
    isIP(hostname) === 0
      ? certificate.checkHost(hostname, { subject: 'never' })
      : certificate.checkIP(hostname)
  return found !== undefined
}
