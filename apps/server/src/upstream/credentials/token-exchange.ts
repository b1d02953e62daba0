import { type Clock, monotonicClock } from '@tollgate/base'
import type { ChannelTarget, ExchangedCredential, ExchangedToken, TokenRequest } from '@tollgate/providers'
import { LRUCache } from 'lru-cache'
import { signingTools } from './signing-tools.ts'

/** Tokens that keys were exchanged for. */
export interface TokenExchange {
  /**
   * The token of a key: at once while one is kept, else asked for, once for all who wait.
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

/** @returns the parsed body of a 2xx answer */
export type SendTokenRequest = (request: TokenRequest) => Promise<unknown>

/** The upstream gave no token for the key. Its own words are in `cause`, for the log. */
export class TokenExchangeError extends Error {
  override readonly name = 'TokenExchangeError'
}

interface KeptToken {
  readonly token: string
  /** On the monotonic clock. */
  readonly renewAt: number
}

const maxKept = 10_000
/** A token is renewed this long before it ends, but not before half of its life is over. */
const renewBeforeMs = 10 * 60_000

export function createTokenExchange(clock: Clock = monotonicClock): TokenExchange {
  const kept = new LRUCache<string, KeptToken>({ max: maxKept })
  const pending = new Map<string, Promise<string>>()

  async function exchange(
    place: string,
    credential: ExchangedCredential,
    target: ChannelTarget,
    send: SendTokenRequest,
  ): Promise<string> {
    const answer = await send(credential.exchange(target, signingTools(Date.now())))
    const decoded = credential.decodeToken(answer)
    if (decoded === undefined) throw new TokenExchangeError('the upstream gave no token')
    kept.set(place, { token: decoded.token, renewAt: clock.now() + lifeOf(decoded) })
    return decoded.token
  }

  return {
    token(providerId, credential, target, send) {
      const place = placeOf(providerId, target)
      const known = kept.get(place)
      if (known !== undefined && known.renewAt > clock.now()) return known.token
      const running = pending.get(place)
      if (running !== undefined) return running
      const asking = exchange(place, credential, target, send).finally(() => pending.delete(place))
      pending.set(place, asking)
      return asking
    },
    refused(providerId, target, token) {
      const place = placeOf(providerId, target)
      if (kept.get(place)?.token === token) kept.delete(place)
    },
  }
}

/** A key is exchanged where its channel says: another address is another token. */
function placeOf(providerId: string, { baseUrl, key, other }: ChannelTarget): string {
  return JSON.stringify([providerId, baseUrl, key, other])
}

function lifeOf({ expiresInSeconds }: ExchangedToken): number {
  const lifeMs = Math.max(0, expiresInSeconds) * 1000
  return Math.max(lifeMs - renewBeforeMs, lifeMs / 2)
}
