import { type Call, recentProofSeconds } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { Caller } from './route.ts'

/** What of the arguments of a call says whether it changes how an account is opened. */
interface Arguments {
  readonly body?: unknown
}

/** Whether this use of a call changes how an account is opened. */
export function opensAccounts({ recentProof }: Call, { body }: Arguments): boolean {
  if (recentProof === undefined) return false
  return recentProof === true || recentProof.forField === undefined || isFilled(body, recentProof.forField)
}

/**
 * The one place that keeps a stolen session or access token from changing how an account is opened: refuses callers who have
 * not proven recently who they are.
 */
export function refuseWithoutProof(call: Call, args: Arguments, caller: Caller, nowSeconds: number): void {
  if (!opensAccounts(call, args)) return
  if (caller.via !== 'session') throw new Refusal('session_required')
  if (nowSeconds - caller.provenAt <= recentProofSeconds || isProvenBy(call, args)) return
  throw new Refusal('recent_proof_required', { minutes: recentProofSeconds / 60 })
}

function isProvenBy({ recentProof }: Call, { body }: Arguments): boolean {
  const field = typeof recentProof === 'object' ? recentProof.provenBy : undefined
  return field !== undefined && isFilled(body, field)
}

function isFilled(body: unknown, field: string): boolean {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[field]
  return typeof value === 'string' && value !== ''
}
