import { createHash, createHmac, createSign, randomUUID } from 'node:crypto'
import { type Clock, monotonicClock } from '@tollgate/base'
import { isObject, parseJson, type UpstreamErrorInfo, type UpstreamFailure } from '@tollgate/formats'
import type { ChannelTarget, ExchangedCredential, SigningTools, TokenRequest } from '@tollgate/providers'
import { LRUCache } from 'lru-cache'

/** Exchanges keys for tokens, and caches the tokens. */
export interface TokenExchange {
  /**
   * Returns the token of a key: at once while one is cached, else by one request for all waiting calls. A token that is about
   * to expire is still returned while a new one is requested.
   * @param providerId two providers may take the same key for different tokens
   * @param send requests a token from the upstream; rejects when there is no response
   */
  token(
    providerId: string,
    credential: ExchangedCredential,
    target: ChannelTarget,
    send: SendTokenRequest,
  ): string | Promise<string>
  /** Drops a token that the upstream refused: the next call requests another. */
  refused(providerId: string, target: ChannelTarget, token: string): void
}

/** @returns the body of a 2xx response */
type SendTokenRequest = (request: TokenRequest) => Promise<string>

/** The upstream gave no token for the key. */
export class TokenExchangeError extends Error {
  override readonly name = 'TokenExchangeError'
  /** The upstream's response instead, for the provider to interpret. */
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure) {
    super(`the upstream responded with ${failure.status} and no token to the exchange of a key`)
    this.failure = failure
  }
}

/**
 * Interprets a refused exchange through the provider. Some upstreams respond 200 with neither a token nor a reason, which
 * means that they do not know the key.
 */
export function tokenRefusal(
  { failure }: TokenExchangeError,
  decodeError: (failure: UpstreamFailure) => UpstreamErrorInfo,
): UpstreamErrorInfo {
  const error = decodeError(failure)
  if (failure.status !== 200 || error.kind !== 'upstream_bug') return error
  if (!isObject(parseJson(failure.body)))
    return { ...error, message: 'The token endpoint of the upstream sent an unknown response.' }
  const message = 'The upstream gave no token for the key.'
  return { ...error, kind: 'unauthorized', status: 401, message, code: 'no_token' }
}

interface StoredToken {
  readonly token: string
  /** Time of renewal on the monotonic clock, like the next field. */
  renewAt: number
  readonly endsAt: number
}

const maxStored = 10_000
/** A token is renewed this long before it ends, but not before half of its life is over. */
const defaultRenewBeforeSeconds = 10 * 60
/** Pause between two tries to renew a token that is still valid. */
const renewPauseMs = 30_000

export function createTokenExchange(clock: Clock = monotonicClock): TokenExchange {
  const retained = new LRUCache<string, StoredToken>({ max: maxStored })
  const pending = new Map<string, Promise<string>>()

  async function exchange(
    cacheKey: string,
    credential: ExchangedCredential,
    target: ChannelTarget,
    send: SendTokenRequest,
  ): Promise<string> {
    const { renewBeforeSeconds = defaultRenewBeforeSeconds } = credential
    const body = await send(credential.exchange(target, signingTools(Date.now())))
    const decoded = credential.decodeToken(parseJson(body))
    if (decoded === undefined) throw new TokenExchangeError({ status: 200, headers: {}, body })
    const now = clock.now()
    const lifeMs = Math.max(0, decoded.expiresInSeconds) * 1000
    const renewBeforeMs = renewBeforeSeconds * 1000
    const renewAt = now + Math.max(lifeMs - renewBeforeMs, lifeMs / 2)
    retained.set(cacheKey, { token: decoded.token, renewAt, endsAt: now + lifeMs })
    return decoded.token
  }

  /** Runs one exchange for all concurrent calls. */
  function exchangeOnce(cacheKey: string, start: () => Promise<string>): Promise<string> {
    const running = pending.get(cacheKey)
    if (running !== undefined) return running
    const asking = start().finally(() => pending.delete(cacheKey))
    pending.set(cacheKey, asking)
    return asking
  }

  return {
    token(providerId, credential, target, send) {
      const cacheKey = cacheKeyOf(providerId, target)
      const ask = () => exchangeOnce(cacheKey, () => exchange(cacheKey, credential, target, send))
      const known = retained.get(cacheKey)
      const now = clock.now()
      if (known === undefined || known.endsAt <= now) return ask()
      if (known.renewAt <= now) {
        known.renewAt = now + renewPauseMs
        // A later call tries again, at the latest when the token has expired.
        ask().catch(() => {})
      }
      return known.token
    },
    refused(providerId, target, token) {
      const cacheKey = cacheKeyOf(providerId, target)
      if (retained.get(cacheKey)?.token === token) retained.delete(cacheKey)
    },
  }
}

/** The cache key of a token: every member of the target may change where and how a key is exchanged. */
function cacheKeyOf(providerId: string, target: ChannelTarget): string {
  return JSON.stringify([providerId, target])
}

/** The tools for signing a request at a given time. */
export function signingTools(nowMs: number): SigningTools {
  return { nowMs, ...primitives }
}

const primitives = {
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
  hmacSha256Hex: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  rsaSha256(privateKeyPem, text) {
    try {
      return createSign('RSA-SHA256').update(text).sign(privateKeyPem)
    } catch (cause) {
      throw new TypeError('the private key cannot be used', { cause })
    }
  },
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  base64url: (bytes) => Buffer.from(bytes).toString('base64url'),
  randomId: () => randomUUID(),
} as const satisfies Omit<SigningTools, 'nowMs'>
