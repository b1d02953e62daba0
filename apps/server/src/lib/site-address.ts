/** Address under which a browser reached the gateway. */
export interface RequestOrigin {
  /** Host of the request: name and port. */
  readonly host: string
  /** Set for a request by https, as far as the gateway can tell. */
  readonly secure: boolean
}

/**
 * The public address of this site, without a trailing slash: as the operator set it, else as this browser reached it.
 */
export function siteAddress(serverAddress: string, { host, secure }: RequestOrigin): string {
  return serverAddress === '' ? `${secure ? 'https' : 'http'}://${host}` : serverAddress.replace(/\/+$/, '')
}

/** The relying party of passkeys (WebAuthn). */
export interface RelyingParty {
  /** A host name. */
  readonly id: string
  /** Origins of pages that may request a passkey. */
  readonly origins: readonly string[]
}

/**
 * The host of the operator's address, else of this request. In the second case both schemes are allowed, since an
 * untrusted proxy cannot tell which one it was: browsers offer passkeys to https (and to this very machine) alone.
 */
export function relyingParty(serverAddress: string, { host }: RequestOrigin): RelyingParty {
  if (serverAddress !== '') {
    const { hostname, origin } = new URL(serverAddress)
    return { id: hostname, origins: [origin] }
  }
  const { hostname, origin } = new URL(`http://${host}`)
  return { id: hostname, origins: [origin, new URL(`https://${host}`).origin] }
}
