import type { Reply } from '@tollgate/http/server'
import type { Price } from '../../billing/pricing/price.ts'
import { refuseGroup, refuseModel } from './admission.ts'
import { firstResponse } from './attempts/attempts.ts'
import type { ModelRequest, RelayCall } from './call.ts'
import {
  type CallCharge,
  isPaidPerCall,
  logFailure,
  observeFailure,
  outlivesCaller,
} from './charge/call-charge.ts'
import { priceOf, reserve } from './charge/reserve.ts'
import { refuseBlockedPrompt } from './content-filter.ts'
import { countAttempts } from './count-attempts.ts'
import { faultOfError } from './faults.ts'
import { acquireLimits, type LimitGrant, withLimitHeaders } from './limits/limits.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError } from './relay-error.ts'
import { bufferedReply, pingedReply, startedBeforePing, streamReply } from './response/reply.ts'
import type { StreamContext } from './response/stream-response.ts'
import type { RoutePlan } from './routing/plan.ts'
import { route } from './routing/route.ts'

/**
 * Takes an admitted call all the way: route, price, limits, reservation, attempts, response. The reply it returns is settled
 * when its last byte is delivered. The error it throws (always a `RelayError`) has charged nothing and left a row in the log.
 * @step
 */
export async function relay(call: RelayCall, deps: RelayDependencies): Promise<Reply> {
  const { routePlan, price } = prepare(call, deps)
  let grant: LimitGrant | undefined
  let charge: CallCharge
  try {
    const acquiring = acquireLimits(deps.rateLimits, call)
    // Each await makes objects for every call, and nearly every call gets its limits at once.
    grant = acquiring instanceof Promise ? await acquiring : acquiring
    refuseBlockedPrompt(call, deps.contentFilter)
    const reserving = reserve(call, price, routePlan, deps)
    charge = reserving instanceof Promise ? await reserving : reserving
  } catch (error) {
    grant?.release({ succeeded: false })
    throw logged(call, error, deps)
  }
  const entry = deps.inFlight.enter(call.connection, outlivesCaller(call.request, price))
  return withLimitHeaders(respond({ call, charge, grant, entry, deps }, routePlan), grant, call)
}

/** The decisions about a call before anything is reserved for it. */
export interface Prepared {
  readonly routePlan: RoutePlan
  readonly price: Price
}

/**
 * Refuses what the caller may not use, and decides route and price.
 * @throws RelayError, which has left a row in the log
 * @step
 */
export function prepare(call: RelayCall<ModelRequest>, deps: RelayDependencies): Prepared {
  try {
    refuseModel(call.caller, call.request.model)
    refuseGroup(call.caller, deps)
    const routePlan = route(call, deps)
    const price = priceOf(call, deps)
    call.trace.routedMs = Math.round(deps.clock.now() - call.startedAt)
    return { routePlan, price }
  } catch (error) {
    throw logged(call, error, deps)
  }
}

type CallContext = StreamContext & { readonly grant: LimitGrant }

/** Tries channels until one responds, and replies with its response. A failure releases the whole reservation. @step */
async function respond(context: CallContext, routePlan: RoutePlan): Promise<Reply> {
  const { call, charge, grant, entry, deps } = context
  const atMostOnce = isPaidPerCall(charge.price)
  const attempting = firstResponse(call, routePlan, deps, { entry, charge, grant, atMostOnce })
  try {
    const success = await startedBeforePing(context, attempting)
    if (success === undefined) return pingedReply(context, attempting)
    const { candidate, started } = success
    if (started.kind === 'stream') return streamReply(context, { candidate, started })
    return await bufferedReply(context, candidate, started)
  } catch (error) {
    charge.fail(error instanceof RelayError ? error : new RelayError('internal_error', 'Internal error.'))
    grant.release({ succeeded: false })
    entry.leave()
    throw error
  }
}

/**
 * Counts and logs the failure of a call that has reserved nothing, and returns it. Failures that cost nothing could fill a
 * disk, so only a limited number per user leave a row.
 */
export function logged(call: RelayCall<ModelRequest>, error: unknown, deps: RelayDependencies): unknown {
  const fault = error instanceof RelayError ? faultOfError(error) : 'gateway'
  const isRepeated = !countAttempts(call, { outcome: fault, isServed: false }, deps.charge.attempts)
  if (error instanceof RelayError) {
    if (deps.logsFailure(call.caller.user.id)) logFailure(call, error, deps.charge)
    observeFailure(call, error, isRepeated, deps.charge)
  }
  return error
}
