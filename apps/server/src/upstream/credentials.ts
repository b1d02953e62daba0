import { createHash, createHmac, createSign, randomUUID } from 'node:crypto'
import { type Clock, monotonicClock } from '@tollgate/base'
import { isObject, parseJson, type UpstreamErrorInfo, type UpstreamFailure } from '@tollgate/formats'
import type { ChannelTarget, ExchangedCredential, SigningTools, TokenRequest } from '@tollgate/providers'
import { LRUCache } from 'lru-cache'

/** Tokens that keys were exchanged for. */
export interface TokenExchange {
  /**
   * The token of a key: at once while one is kept, else asked for, once for all who wait. One that is about to end is
   * still given, while another is asked for.
   * @param providerId two providers may take the same key for different tokens
   * @param send asks the upstream for a token; rejects when there is no answer
   */
  token(
    providerId: string,
    credential: ExchangedCredential,
    target: ChannelTarget,
    send: SendTokenRequest,
  ): string | Promise<string>
  /** The upstream refused the token: the next call asks for another. */
  refused(providerId: string, target: ChannelTarget, token: string): void
}

/** @returns the body of a 2xx answer */
type SendTokenRequest = (request: TokenRequest) => Promise<string>

/** The upstream gave no token for the key. */
export class TokenExchangeError extends Error {
  override readonly name = 'TokenExchangeError'
  /** What it answered instead: the provider knows what it means. */
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure) {
    super(`the upstream answered ${failure.status} without a token to the exchange of a key`)
    this.failure = failure
  }
}

/**
 * Why there is no token, as the provider reads it. Some answer 200 and give neither a token nor a reason: then the key is
 * none that they know.
 */
export function tokenRefusal(
  { failure }: TokenExchangeError,
  decodeError: (failure: UpstreamFailure) => UpstreamErrorInfo,
): UpstreamErrorInfo {
  const error = decodeError(failure)
  if (failure.status !== 200 || error.kind !== 'upstream_bug') return error
  if (!isObject(parseJson(failure.body)))
    return { ...error, message: 'The address that exchanges keys for tokens answered with something else.' }
  const message = 'The upstream gave no token for the key.'
  return { ...error, kind: 'unauthorized', status: 401, message, code: 'no_token' }
}

interface KeptToken {
  readonly token: string
  /** On the monotonic clock, as is the next. */
  renewAt: number
  readonly endsAt: number
}

const maxKept = 10_000
/** A token is renewed this long before it ends, but not before half of its life is over. */
const defaultRenewBeforeSeconds = 10 * 60
/** Between two tries of renewing a token that still holds. */
const renewPauseMs = 30_000

export function createTokenExchange(clock: Clock = monotonicClock): TokenExchange {
  const kept = new LRUCache<string, KeptToken>({ max: maxKept })
  const pending = new Map<string, Promise<string>>()

  async function exchange(
    place: string,
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
    kept.set(place, { token: decoded.token, renewAt, endsAt: now + lifeMs })
    return decoded.token
  }

  /** Once for all who ask meanwhile. */
  function exchangeOnce(place: string, start: () => Promise<string>): Promise<string> {
    const running = pending.get(place)
    if (running !== undefined) return running
    const asking = start().finally(() => pending.delete(place))
    pending.set(place, asking)
    return asking
  }

  return {
    token(providerId, credential, target, send) {
      const place = placeOf(providerId, target)
      const ask = () => exchangeOnce(place, () => exchange(place, credential, target, send))
      const known = kept.get(place)
      const now = clock.now()
      if (known === undefined || known.endsAt <= now) return ask()
      if (known.renewAt <= now) {
        known.renewAt = now + renewPauseMs
        // It is asked for again, and in the end by those who need it.
        ask().catch(() => {})
      }
      return known.token
    },
    refused(providerId, target, token) {
      const place = placeOf(providerId, target)
      if (kept.get(place)?.token === token) kept.delete(place)
    },
  }
}

/** A key is exchanged where its channel says: another member of the target is another token. */
function placeOf(providerId: string, target: ChannelTarget): string {
  return JSON.stringify([providerId, target])
}

/** What credentials sign with, at this moment. */
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
