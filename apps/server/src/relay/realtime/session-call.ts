import type { HeaderMap } from '@tollgate/providers'
import { bodyless } from '../bodyless.ts'
import type { AskedModel, RelayCall } from '../call.ts'
import type { TokenCounting } from '../dialects/token-counting.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'

/** What a session asks for: there is no body, its messages come later. */
export interface SessionRequest extends AskedModel {
  readonly format: 'openai-realtime'
  /** Fields of the caller that an upstream is to get. */
  readonly callerHeaders: HeaderMap
  /** The caller put its key among the subprotocols. */
  readonly bySubprotocol: boolean
}

export type SessionCall = RelayCall<SessionRequest>

export interface SessionDependencies extends RelayDependencies {
  /** For responses that the upstream does not count. */
  readonly counting: Pick<TokenCounting, 'countDelivered'>
}

export function sessionRequest(
  model: string,
  { callerHeaders, bySubprotocol }: Pick<SessionRequest, 'callerHeaders' | 'bySubprotocol'>,
): SessionRequest {
  const asked = bodyless({ format: 'openai-realtime', model, stream: true })
  return { ...asked, callerHeaders, bySubprotocol }
}
