import type { Reply } from '@tollgate/http/server'
import type { Reservation, ReserveRefusal, ReserveRequest, ReserveResult } from '../billing/ledger-types.ts'
import { estimateOf } from '../billing/pricing/charge.ts'
import { expectedKinds } from '../billing/pricing/expected-kinds.ts'
import { imagePrice } from '../billing/pricing/image-price.ts'
import { limitsAfterOverride, type OutputLimits } from '../billing/pricing/output-limits.ts'
import type { Price } from '../billing/pricing/price.ts'
import { findPrice } from '../billing/pricing/price-table.ts'
import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import { isUsableGroup } from '../settings/groups.ts'
import { type RelayCaller, refuseModel } from './admission.ts'
import type { CompleteResponse, StartedStream } from './attempts/attempt-result.ts'
import { firstResponse, type SuccessfulAttempt } from './attempts/attempts.ts'
import type { ModelRequest, RelayCall } from './call.ts'
import { CallCharge, isPaidPerCall, logFailure, outlivesCaller, type Reserved } from './charge/call-charge.ts'
import { countedUsage, possibleCosts, requestedCosts } from './charge/counted-usage.ts'
import { refuseBlockedPrompt } from './content-filter.ts'
import { acquireLimits, type LimitGrant, limitHeaders } from './limits/limits.ts'
import type { LimitStatus } from './limits/memory-counts.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError } from './relay-error.ts'
import { bufferedReply, pingedResponse, settleBuffered, streamResponse } from './response/reply.ts'
import type { StreamContext } from './response/stream-response.ts'
import { affinityOf } from './routing/affinity.ts'
import type { Candidate } from './routing/candidates.ts'
import type { RoutePlan } from './routing/plan.ts'
import { plan, planOne } from './routing/plan.ts'

const refusals: Readonly<Record<ReserveRefusal, (balance: number, needed: number) => RelayError>> = {
  'user-quota': (balance, needed) =>
    new RelayError(
      'insufficient_user_quota',
      `Insufficient quota: the balance is ${balance} and this call may need ${needed}. Top up, or ask for less output.`,
      { messageParams: { balance, needed } },
    ),
  'token-quota': (balance, needed) =>
    new RelayError(
      'insufficient_token_quota',
      `Insufficient quota of this key: ${balance} is left and this call may need ${needed}. Raise the key's quota.`,
      { messageParams: { balance, needed } },
    ),
  'journal-full': () =>
    new RelayError(
      'not_admitting',
      'The gateway cannot record charges right now and takes no calls. Try again later.',
    ),
  'account-unknown': () =>
    new RelayError('database_unavailable', 'The balance cannot be checked right now. Try again shortly.'),
}

/** What an answer without a limit is taken to be at its longest, while nobody knows: a usual default of vendors. */
const longOutputTokens = 4096

/**
 * Takes an admitted call all the way: route, price, limits, reserve, attempts, answer. What it returns is settled when its
 * last byte is handed over; what it throws (always a `RelayError`) has charged nothing, and has left a row in the log.
 */
export async function relay(call: RelayCall, deps: RelayDependencies): Promise<Reply> {
  const { routePlan, price } = prepare(call, deps)
  const passing = pass(call, deps)
  const grant = passing instanceof Promise ? await passing : passing
  let charge: CallCharge
  try {
    const contentFilter = deps.contentFilter.prompts()
    if (contentFilter !== undefined) refuseBlockedPrompt(call, contentFilter)
    charge = new CallCharge(call, reserve(call, price, routePlan, deps), deps.charge)
  } catch (error) {
    grant.release({ succeeded: false })
    throw logged(call, error, deps)
  }
  const entry = deps.inFlight.enter(call.connection, outlivesCaller(call.request, price))
  const serving = serve({ call, charge, grant, entry, deps }, routePlan)
  const limitStatuses = grant.limitStatuses()
  return limitStatuses === undefined ? serving : withLimitHeaders(await serving, limitStatuses, call)
}

/** A call that a limit concerns. */
function withLimitHeaders(reply: Reply, limitStatuses: readonly LimitStatus[], call: RelayCall): Reply {
  return { ...reply, headers: { ...reply.headers, ...limitHeaders(limitStatuses, call) } }
}

interface ServedCall extends StreamContext {
  readonly grant: LimitGrant
}

export interface Prepared {
  readonly routePlan: RoutePlan
  readonly price: Price
}

/**
 * Everything that is decided before anything is held.
 * @throws RelayError, which has left a row in the log
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

function pass(call: RelayCall, deps: RelayDependencies): LimitGrant | Promise<LimitGrant> {
  try {
    const passing = acquireLimits(deps.rateLimits, call)
    if (!(passing instanceof Promise)) return passing
    return passing.catch((error) => Promise.reject(logged(call, error, deps)))
  } catch (error) {
    throw logged(call, error, deps)
  }
}

/** Failures that cost nothing could fill a disk for nothing: only so many of one user leave a row. */
export function logged(call: RelayCall<ModelRequest>, error: unknown, deps: RelayDependencies): unknown {
  if (error instanceof RelayError && deps.logsFailure(call.caller.user.id))
    logFailure(call, error, deps.charge)
  return error
}

async function serve(context: ServedCall, routePlan: RoutePlan): Promise<Reply> {
  const { call, charge, grant, entry, deps } = context
  const atMostOnce = isPaidPerCall(charge.price)
  const attempting = firstResponse(call, routePlan, deps, { entry, grant, atMostOnce })
  try {
    if (isPinged(call) && deps.pings.pingMs !== undefined) {
      const first = await beforePing(attempting, deps.pings.pingMs, deps)
      // An answer that was asked for as a stream is one, or the attempt has failed.
      if (first === undefined)
        return pingedResponse(context, attempting as Promise<SuccessfulAttempt<StartedStream>>)
    }
    const { candidate, started } = await attempting
    if (started.kind === 'stream') return streamResponse(context, { candidate, started })
    return await replyBuffered(context, candidate, started)
  } catch (error) {
    charge.fail(error instanceof RelayError ? error : new RelayError('internal_error', 'Internal error.'))
    grant.release({ succeeded: false })
    entry.leave()
    throw error
  }
}

function isPinged({ request }: RelayCall): boolean {
  return request.stream && request.streamForm.ping !== undefined
}

/** The answer that begins before the caller's connection needs a ping; `undefined` when none does. */
async function beforePing(
  attempting: Promise<SuccessfulAttempt>,
  pingMs: number,
  { deadlines }: RelayDependencies,
): Promise<SuccessfulAttempt | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const deadline = deadlines.start(pingMs, () => resolve(undefined))
  try {
    return await Promise.race([attempting, promise])
  } finally {
    deadline.clear()
  }
}

async function replyBuffered(
  { call, charge, grant, entry, deps }: StreamContext,
  candidate: Candidate,
  started: CompleteResponse,
): Promise<Reply> {
  const { reading } = started
  call.trace.firstTokenMs = Math.round(deps.clock.now() - call.startedAt)
  const { upstreamModel, channel } = candidate
  const limits = limitsAfterOverride(call.request, channel.paramOverride)
  const costs = requestedCosts(call.request, candidate)
  const countContext = { request: call.request, upstreamModel, limits, costs }
  const counting = countedUsage(countContext, {
    usage: reading.usage,
    latestUsage: reading.latestUsage ?? reading.usage,
    delivered: () => reading.delivered(),
  })
  const known = counting instanceof Promise ? await counting : counting
  const counted = reading.made === undefined ? known : { ...known, made: reading.made }
  // Before the charge: an answer that cannot be written in the caller's format is not charged.
  const reply = bufferedReply(call, started, counted.usage)
  settleBuffered(call, candidate, counted, charge, reading.ended)
  charge.record()
  call.storeResponse?.(reply.body)
  grant.release({ succeeded: true, usage: counted.usage })
  entry.leave()
  return reply
}

/** A key may name a group that has since been closed to its owner, or that no longer exists. */
export function refuseGroup(caller: RelayCaller, { settings }: Pick<RelayDependencies, 'settings'>): void {
  const group = caller.token?.group ?? ''
  if (group === '') return
  const { current } = settings
  if (isUsableGroup(current, caller.user.group, group) && Object.hasOwn(current.GroupRatio, group)) return
  throw new RelayError(
    'group_not_allowed',
    `You cannot use the group ${group} of this key. Choose another for it.`,
    { messageParams: { group } },
  )
}

/** @throws RelayError when the model has none */
export function priceOf({ caller, request }: RelayCall<ModelRequest>, deps: RelayDependencies): Price {
  const price = findPrice(
    deps.settings.current,
    request.model,
    caller.group,
    caller.user.acceptsUnpricedModels,
  )
  if (price !== 'unpriced') {
    const { images } = request
    return images === undefined ? price : imagePrice(price, images, deps.settings.current.QuotaPerUnit)
  }
  throw new RelayError(
    'model_price_error',
    `The model ${request.model} has no price yet. Ask the administrator to set one, or to switch on self-use mode.`,
    { param: 'model' },
  )
}

/** @throws RelayError when nothing serves the model to the caller's group */
export function route(call: RelayCall<ModelRequest>, deps: RelayDependencies): RoutePlan {
  const { caller, request } = call
  const { snapshot } = deps.channels
  if (caller.pinnedChannelId !== undefined) return pinned(caller.pinnedChannelId, snapshot)
  const routePlan = plan(request.model, caller.group, snapshot, deps.random, (tiers) =>
    affinityOf(call, tiers, deps.settings),
  )
  if (routePlan !== undefined) {
    call.trace.affinity = routePlan.affinity
    return routePlan
  }
  if (snapshot.knowsModel(request.model)) {
    throw new RelayError(
      'no_available_channel',
      `No channel of group ${caller.group} can serve the model ${request.model} right now. Try again later or use another model.`,
      { param: 'model' },
    )
  }
  throw new RelayError(
    'model_not_found',
    `The model ${request.model} does not exist or you have no access to it. GET /v1/models lists the models you can use.`,
    { param: 'model' },
  )
}

function pinned(id: number, snapshot: ChannelSnapshot): RoutePlan {
  const channel = snapshot.channel(id)
  if (channel === undefined)
    throw new RelayError('channel_pin_invalid', `There is no channel ${id}.`, {
      messageParams: { channel: id },
    })
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', `Channel ${id} is disabled.`, { messageParams: { channel: id } })
  return planOne(channel)
}

function reserve(call: RelayCall, price: Price, routePlan: RoutePlan, deps: RelayDependencies): Reserved {
  const { request } = call
  const promptTokens = request.roughPromptTokens()
  const { maxOutputTokens, candidates } = worstCaseLimits(request, routePlan)
  const kinds = expectedKinds(request.native, request.prompt())
  const assumed = deps.settings.current.PreConsumedQuota * candidates
  const costs = possibleCosts(request)
  const long = { promptTokens, maxOutputTokens: longOutputTokens * candidates, kinds, ...costs }
  const estimate = estimateOf({ promptTokens, maxOutputTokens, kinds, ...costs }, price, assumed)
  const unboundedEstimate = maxOutputTokens === undefined ? estimateOf(long, price, 0) : 0
  return { price, promptTokens, costs, reservation: hold(call, { estimate, unboundedEstimate }, deps) }
}

/** @throws RelayError when the accounts of the call cannot give it */
export function hold(
  { caller, request }: RelayCall<ModelRequest>,
  amounts: Pick<ReserveRequest, 'estimate' | 'unboundedEstimate'>,
  deps: RelayDependencies,
): Reservation {
  refuseClosed(deps)
  const { user, token } = caller
  const result = deps.ledger.reserve({ userId: user.id, token, model: request.model, ...amounts })
  if (result.ok) return result.reservation
  throw refusalOf(result)
}

/** What the caller is told when money is not promised. */
export function refusalOf({ refusal, balance, needed }: Extract<ReserveResult, { ok: false }>): RelayError {
  return refusals[refusal](balance, needed)
}

/** @throws RelayError while charges could not be recorded */
export function refuseClosed({ admitting }: Pick<RelayDependencies, 'admitting'>): void {
  if (!admitting()) throw refusals['journal-full'](0, 0)
}

/** The limits that cost most of those that the channels of a plan may set. */
function worstCaseLimits(request: OutputLimits, { overrides }: RoutePlan): OutputLimits {
  let worstCase: OutputLimits = request
  for (const override of overrides) {
    const limits = limitsAfterOverride(request, override)
    const candidates = Math.max(worstCase.candidates, limits.candidates)
    const isUnlimited = worstCase.maxOutputTokens === undefined || limits.maxOutputTokens === undefined
    const maxOutputTokens = isUnlimited
      ? undefined
      : Math.max(worstCase.maxOutputTokens ?? 0, limits.maxOutputTokens ?? 0)
    worstCase = { maxOutputTokens, candidates }
  }
  return worstCase
}
