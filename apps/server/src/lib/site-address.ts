/** How a browser reached us. */
export interface RequestOrigin {
  /** Of the request: name and port. */
  readonly host: string
  /** By https, as far as we know. */
  readonly secure: boolean
}

/** Where people find this site, without a slash at its end: as the operator says, or else as this browser reached it. */
export function siteAddress(serverAddress: string, { host, secure }: RequestOrigin): string {
  return serverAddress === '' ? `${secure ? 'https' : 'http'}://${host}` : serverAddress.replace(/\/+$/, '')
}

/** Whom passkeys are made for (WebAuthn's relying party). */
export interface RelyingParty {
  /** A host name. */
  readonly id: string
  /** Of pages that may ask for a passkey. */
  readonly origins: readonly string[]
}

/**
 * The host of the operator's address, or else of this request. In the second case both schemes are taken, since a proxy
 * that is not trusted cannot tell us which it was: browsers offer passkeys to https (and to this very machine) alone.
 */
export function relyingParty(serverAddress: string, { host }: RequestOrigin): RelyingParty {
  if (serverAddress !== '') {
    const { hostname, origin } = new URL(serverAddress)
    return { id: hostname, origins: [origin] }
  }
  const { hostname, origin } = new URL(`http://${host}`)
  return { id: hostname, origins: [origin, new URL(`https://${host}`).origin] }
}
