import type { Usage } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { ModelRequest, RelayCall } from '../call.ts'
import { RelayError } from '../relay-error.ts'
import type { LimitStatus, Measure } from './limit-counts.ts'

/** One limit on calls, such as requests per user. The relay acquires it between route and reserve. */
export interface Limit {
  /** Acquires synchronously, or through a store that several nodes share. */
  acquire(call: RelayCall<ModelRequest>): LimitDecision | Promise<LimitDecision>
}

/** `undefined` when the limit does not concern the call. */
export type LimitDecision = LimitGranted | LimitRefused | undefined

export interface LimitGranted {
  readonly granted: true
  readonly limitStatuses?: readonly LimitStatus[]
  /** Called once, when the call is over. */
  release?(outcome: CallOutcome): void
}

interface LimitRefused {
  readonly granted: false
  readonly message: string
  readonly retryAfterSeconds: number
  readonly limitStatuses?: readonly LimitStatus[]
}

export interface CallOutcome {
  readonly succeeded: boolean
  /** Usage as it was charged; absent for a call that was not. */
  readonly usage?: Usage | undefined
  /** Another limit refused it: it does not count at all, or calling again would prolong the wait. */
  readonly refused?: boolean
}

/** The granted limits of a call; every call releases them once. */
export class LimitGrant {
  #granted: LimitGranted[] | undefined
  #isReleased = false

  /** Adds a limit, or the channel that serves the call, to those that get the outcome when the call is over. */
  hold(granted: LimitGranted): void {
    this.#granted ??= []
    this.#granted.push(granted)
  }

  /** Returns the use of the caller's limits; `undefined` for a call that none concerns, which is nearly every call. */
  limitStatuses(): readonly LimitStatus[] | undefined {
    return this.#granted?.flatMap(({ limitStatuses = [] }) => limitStatuses)
  }

  release(outcome: CallOutcome): void {
    if (this.#isReleased) return
    this.#isReleased = true
    for (const each of this.#granted ?? []) each.release?.(outcome)
  }
}

/**
 * Acquires all limits in their order. Releases granted ones when a later one refuses.
 * @throws RelayError 429 with the seconds to wait
 */
export function acquireLimits(
  limits: readonly Limit[],
  call: RelayCall<ModelRequest>,
): LimitGrant | Promise<LimitGrant> {
  const grant = new LimitGrant()
  for (let index = 0; index < limits.length; index += 1) {
    const decision = limits[index]?.acquire(call)
    if (decision instanceof Promise) return passRest(decision, limits.slice(index + 1), call, grant)
    take(decision, grant, call)
  }
  return grant
}

async function passRest(
  first: Promise<LimitDecision>,
  rest: readonly Limit[],
  call: RelayCall<ModelRequest>,
  grant: LimitGrant,
): Promise<LimitGrant> {
  try {
    take(await first, grant, call)
    for (const limit of rest) take(await limit.acquire(call), grant, call)
    return grant
  } catch (error) {
    // When the store does not respond, the grants of other limits must not stay taken.
    grant.release(refused)
    throw error
  }
}

const refused: CallOutcome = { succeeded: false, refused: true }

function take(decision: LimitDecision, grant: LimitGrant, call: RelayCall<ModelRequest>): void {
  if (decision === undefined) return
  if (decision.granted) {
    grant.hold(decision)
    return
  }
  grant.release(refused)
  const { message, retryAfterSeconds, limitStatuses = [] } = decision
  const headers = limitHeaders([...limitStatuses, ...(grant.limitStatuses() ?? [])], call)
  throw new RelayError('too_many_requests', message, { retryAfterSeconds, headers })
}

/** Adds headers that show how far the caller's limits are used; returns the reply itself where no limit applies. */
export function withLimitHeaders(
  replying: Promise<Reply>,
  grant: LimitGrant,
  call: RelayCall,
): Promise<Reply> {
  const limitStatuses = grant.limitStatuses()
  if (limitStatuses === undefined) return replying
  return replying.then((reply) => ({
    ...reply,
    headers: { ...reply.headers, ...limitHeaders(limitStatuses, call) },
  }))
}

/** The measures that headers show; no dialect has a header for slots. */
const reported = ['requests', 'tokens'] as const satisfies readonly Measure[]

/**
 * The headers by which the caller's programs pace themselves: of several limits the one that is nearest to its end.
 * OpenAI: https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
 * Anthropic: https://docs.anthropic.com/en/api/rate-limits#response-headers
 * Gemini has none; its callers get OpenAI's.
 */
function limitHeaders(
  limitStatuses: readonly LimitStatus[],
  { request, createdAt }: Pick<RelayCall<ModelRequest>, 'request' | 'createdAt'>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const measure of reported) {
    const limitStatus = tightest(limitStatuses, measure)
    if (limitStatus === undefined) continue
    if (request.format === 'anthropic-messages') addAnthropic(headers, limitStatus, createdAt)
    else addOpenAi(headers, limitStatus)
  }
  return headers
}

function tightest(limitStatuses: readonly LimitStatus[], measure: Measure): LimitStatus | undefined {
  let found: LimitStatus | undefined
  for (const each of limitStatuses)
    if (each.measure === measure && (found === undefined || each.remaining < found.remaining)) found = each
  return found
}

function addOpenAi(headers: Record<string, string>, limitStatus: LimitStatus): void {
  const { measure, limit, remaining, resetSeconds } = limitStatus
  headers[`x-ratelimit-limit-${measure}`] = String(limit)
  headers[`x-ratelimit-remaining-${measure}`] = String(remaining)
  headers[`x-ratelimit-reset-${measure}`] = duration(resetSeconds)
}

function addAnthropic(headers: Record<string, string>, limitStatus: LimitStatus, createdAt: number): void {
  const { measure, limit, remaining, resetSeconds } = limitStatus
  headers[`anthropic-ratelimit-${measure}-limit`] = String(limit)
  headers[`anthropic-ratelimit-${measure}-remaining`] = String(remaining)
  headers[`anthropic-ratelimit-${measure}-reset`] = timeText(createdAt + resetSeconds)
}

/** `1m30s`, as OpenAI writes it. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`
}

/** RFC 3339 in whole seconds. */
function timeText(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`
}
