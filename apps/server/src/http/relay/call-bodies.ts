import type { AccountBodyBudgets, InboundRequest } from '@tollgate/http/server'
import type { ReceivedForm } from '../../relay/forms/received-form.ts'
import { readBody, shareExceeded } from './read-body.ts'
import { readForm } from './read-form.ts'

export interface CallBodyDependencies {
  /** Largest body that is held in memory. */
  readonly limitBytes: number
  /** Largest form, whose files are not held in memory. */
  readonly formLimitBytes: number
  /** Longest silence of an admitted caller in the middle of its body. */
  readonly silenceMs: number
  readonly shares: AccountBodyBudgets
}

/** Reads what callers send, each account within its share of the memory for bodies. */
export interface CallBodies {
  /** The body as text, at once when it has come. Throws `RelayError`. */
  text(request: InboundRequest, account: number): string | Promise<string>
  /** The form, which its receiver must discard. Rejects with `RelayError`. */
  form(request: InboundRequest, account: number): Promise<ReceivedForm>
}

/** The account of bodies that come without a key. */
export const noAccount = 0
/** A body of this size that has come whole holds so little, for so short a time, that it is not counted. */
const smallBytes = 64 * 1024

export function createCallBodies(deps: CallBodyDependencies): CallBodies {
  return {
    text(request, account) {
      request.allowSilence(deps.silenceMs)
      const { framing } = request.headers
      if (!request.isComplete || framing === 'chunked' || framing > smallBytes)
        holdWithinShare(request, deps.shares.enter(account), framing === 'chunked' ? 0 : framing)
      return readBody(request, deps.limitBytes)
    },
    form(request, account) {
      request.allowSilence(deps.silenceMs)
      holdWithinShare(request, deps.shares.enter(account), 0)
      return readForm(request, deps.formLimitBytes)
    },
  }
}

/** Throws `RelayError` when the share has no room for what has come, or for as many bytes as are known to come. */
function holdWithinShare(
  request: InboundRequest,
  share: ReturnType<AccountBodyBudgets['enter']>,
  knownBytes: number,
): void {
  const hasRoom = share.hasRoomFor(knownBytes)
  if (!request.countAgainst(share) || !hasRoom) throw shareExceeded()
}
