import type { OAuthProvider } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { sha256 } from '../../../../lib/crypto.ts'
import { randomAlphanumerics } from '../../../../lib/random.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import type { Services } from '../../../../services.ts'

export const flowLifetimeSeconds = 600

const purpose = 'oauth-state'
const secretLength = 43

/** Start of a sign-in through a provider. */
interface FlowStart {
  /** Provider of a flow that the gateway sent to it itself; the others choose theirs in the browser. */
  readonly provider?: OAuthProvider
  /** Invite code; empty when there is none. */
  readonly aff: string
  /** Set for an authorization request with a code challenge and a nonce, which the response then has to match. */
  readonly isProtected: boolean
}

export interface StartedFlow {
  readonly state: string
  /** The part of the flow that this browser alone knows. */
  readonly browserSecret: string
  /** PKCE, S256. */
  readonly codeChallenge: string
  readonly nonce: string
}

export interface TakenFlow {
  readonly aff: string
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
}

/** Pending sign-ins: each has a state that is valid once, in the browser that started it. */
export function createFlows({
  store: { oneTimeSecrets },
  vault,
  clock,
}: Pick<Services, 'store' | 'vault' | 'clock'>) {
  // Derived from the secret in the browser's cookie, so that the content of the database cannot complete a flow.
  const verifierOf = (browserSecret: string) => vault.hash(`pkce ${browserSecret}`)
  const nonceOf = (browserSecret: string) => vault.hash(`nonce ${browserSecret}`)

  return {
    async start(start: FlowStart): Promise<StartedFlow> {
      const state = randomAlphanumerics(secretLength)
      const browserSecret = randomAlphanumerics(secretLength)
      const createdAt = unixSeconds(clock)
      await oneTimeSecrets.put({
        purpose,
        subject: sha256(state),
        secretHash: vault.hash(browserSecret),
        data: JSON.stringify(start),
        createdAt,
        expiresAt: createdAt + flowLifetimeSeconds,
      })
      return {
        state,
        browserSecret,
        codeChallenge: s256(verifierOf(browserSecret)),
        nonce: nonceOf(browserSecret),
      }
    },
    /** Ends the flow; refuses when it belongs to another browser or provider, has ended, or took too long. */
    async take(
      provider: OAuthProvider,
      state: string | undefined = '',
      browserSecret: string | undefined = '',
    ): Promise<TakenFlow> {
      const now = unixSeconds(clock)
      const taken = await oneTimeSecrets.take(purpose, sha256(state), vault.hash(browserSecret), now)
      const flow = taken && (JSON.parse(taken.data) as FlowStart)
      if (flow === undefined || (flow.provider ?? provider) !== provider)
        throw new Refusal('oauth_state_invalid')
      return {
        aff: flow.aff,
        codeVerifier: flow.isProtected ? verifierOf(browserSecret) : undefined,
        nonce: flow.isProtected ? nonceOf(browserSecret) : undefined,
      }
    },
  }
}

export type Flows = ReturnType<typeof createFlows>

/** Code challenge of RFC 7636. */
function s256(verifier: string): string {
  return new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
}
