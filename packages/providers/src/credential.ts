import type { ChannelTarget, HeaderMap, UpstreamEndpoint } from './channel-target.ts'

type Parts<Shape extends string> = Shape extends `${string}|${infer Rest}`
  ? [string, ...Parts<Rest>]
  : [string]

/**
 * A key of several parts, taken apart.
 * @param shape as the form shows it: `AppId|SecretKey`
 * @throws TypeError for a key with other parts, or an empty one
 */
export function keyParts<const Shape extends string>(key: string, shape: Shape): Parts<Shape> {
  const parts = key.split('|').map((part) => part.trim())
  if (parts.length !== shape.split('|').length || parts.includes(''))
    throw new TypeError(`the key must be ${shape}`)
  return parts as Parts<Shape> // As many as the shape has.
}

/** Proof of a request's owner: a header, a signature, or a token. */
export type Credential = HeaderCredential | SignedCredential | ExchangedCredential

/** The key itself, in a header (or a few): the same for every request with it. */
export interface HeaderCredential {
  readonly kind: 'headers'
  headers(target: ChannelTarget): HeaderMap
}

/** A proof made for each request, of its address, headers and body. */
export interface SignedCredential {
  readonly kind: 'signed'
  /**
   * The address and headers to send: those of the request, with the proof added to either.
   * Throws `TypeError` for a key that is not a credential of this kind.
   */
  sign(request: UnsignedRequest, target: ChannelTarget, tools: SigningTools): UpstreamEndpoint
}

/** A token that the key is exchanged for: fetched once for all who need it, kept until shortly before it expires. */
export interface ExchangedCredential {
  readonly kind: 'exchanged'
  /** Time before its end at which a token is renewed; ten minutes by default. */
  readonly renewBeforeSeconds?: number
  /**
   * The headers of a key that is sent as it is, where an upstream takes such keys, too; `undefined` for one that is
   * exchanged. Throws `TypeError` for a key that is neither.
   */
  direct?(target: ChannelTarget): HeaderMap | undefined
  /** Throws `TypeError` for a key that is not a credential of this kind. */
  exchange(target: ChannelTarget, tools: SigningTools): TokenRequest
  /** `undefined` when the response holds no token. */
  decodeToken(body: unknown): ExchangedToken | undefined
  /** The address and headers to send: those of the request, with the token added to either. */
  authorize(request: UpstreamEndpoint, token: string): UpstreamEndpoint
}

/** A request before its proof. */
export interface UnsignedRequest extends UpstreamEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The body's bytes in UTF-8, as sent; empty without a body. */
  readonly body: string
}

/** Asks for a token. */
export interface TokenRequest extends UpstreamEndpoint {
  readonly body: string
}

/** A token, and how long it is valid. */
export interface ExchangedToken {
  readonly token: string
  readonly expiresInSeconds: number
}

/** Functions of the platform that signing needs. All of them are synchronous. */
export interface SigningTools {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  sha256Hex(text: string): string
  /** @param key text, or the raw bytes of an earlier digest */
  hmacSha256(key: string | Uint8Array, text: string): Uint8Array
  hmacSha256Hex(key: string | Uint8Array, text: string): string
  /** RSASSA-PKCS1-v1_5 with SHA-256. Throws `TypeError` for anything but a private key in PEM. */
  rsaSha256(privateKeyPem: string, text: string): Uint8Array
  base64(bytes: Uint8Array | string): string
  /** Encodes without padding. */
  base64url(bytes: Uint8Array | string): string
  /** A fresh random id, for nonces. */
  randomId(): string
}

/** The key as a bearer token. A self-hosted upstream may have no key; then no header is sent. */
export function bearer({ key }: Pick<ChannelTarget, 'key'>): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}
