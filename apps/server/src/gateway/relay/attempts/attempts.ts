import { findChannelType } from '@tollgate/api'
import type { RequestFault } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { pricedFields } from '../../../billing/pricing/surcharges/priced-fields.ts'
import { mapStatus } from '../../../channels/routing/compile-channel.ts'
import type { AttemptRecord, ModelRequest, RelayCall } from '../call.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import { secureCandidate } from '../charge/secure-candidate.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { LimitGrant } from '../limits/limits.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import {
  type Candidate,
  Candidates,
  type ChannelRequirements,
  callRequirements,
} from '../routing/candidates.ts'
import { fieldJudge, unpricedField } from '../routing/field-policy.ts'
import type { RoutePlan } from '../routing/plan.ts'
import { attempt } from './attempt.ts'
import type { AttemptResult, FailedAttempt, StartedResponse } from './attempt-result.ts'
import { type Clean, cleanerFor, nextStep, refusalFor, unknownOutcome, upstreamWords } from './failures.ts'
import { releaseUnused, type SecureAttempt, Slots } from './slots.ts'

/** A response that has started, and the candidate that it comes from. */
export interface SuccessfulAttempt<Start = StartedResponse, Service = Operation> {
  readonly candidate: Candidate<Service>
  readonly started: Start
}

interface FailedTry<Service> {
  /** The error for the caller when no other attempt follows. */
  readonly refusal: RelayError
  /** The next candidate; `undefined` to give up. */
  readonly next: Candidate<Service> | undefined
}

/** Attempts that are left to a call. */
interface Budget {
  /** Number of further channels to try. Another key of the same channel is not a retry. */
  retries: number
  /** See `ServingContext`. */
  readonly atMostOnce: boolean
}

/** Parts of a call's service that its attempts know. */
interface ServingContext {
  readonly entry: InFlightEntry
  /** The money of the call; absent for a call that costs nothing. */
  readonly charge?: Pick<CallCharge, 'secure' | 'nextEnd'>
  /** Holds the place at the channel that serves it, until the call is over. */
  readonly grant: Pick<LimitGrant, 'hold'>
  /** An upstream that may have carried the call out is paid in full: the call then goes to no other one. */
  readonly atMostOnce: boolean
}

/** Functions of an attempt, and the grant that holds its slot. */
interface AttemptOptions<Start, Service> extends Pick<ServingContext, 'grant'> {
  readonly entry: Pick<InFlightEntry, 'reaches'>
  /** See `ServingContext`; true by default. */
  readonly atMostOnce?: boolean
  readonly requirements: ChannelRequirements<Service>
  readonly tryOne: (candidate: Candidate<Service>) => Promise<AttemptResult<Start>>
  /** Has the balance cover an attempt, or returns why it cannot; absent where what is held is the price. */
  readonly secure?: SecureAttempt<Service>
}

/** Tries candidates until a response starts, within the operator's number of retries. Throws the last failure. @step */
export function firstResponse(
  call: RelayCall,
  routePlan: RoutePlan,
  deps: RelayDependencies,
  { entry, charge, grant, atMostOnce }: ServingContext,
): Promise<SuccessfulAttempt> {
  const tryOne = (candidate: Candidate) => attempt(sentCall(call, candidate), candidate, deps, entry)
  return firstSuccess(call, routePlan, deps, {
    requirements: requirementsOf(call, deps),
    tryOne,
    ...(charge !== undefined && {
      secure: (candidate: Candidate) => secureCandidate(call, charge, candidate, deps, entry),
    }),
    grant,
    entry,
    atMostOnce,
  })
}

/** The call as a channel gets it: without the fields that the channel must not receive. */
function sentCall(call: RelayCall, { stripped }: Candidate): RelayCall {
  const request = stripped.length === 0 ? undefined : call.request.withoutFields?.(stripped)
  return request === undefined ? call : { ...call, request }
}

/** Returns the requirements of the call on its channel. */
export function requirementsOf(
  { mode, request }: RelayCall<ModelRequest>,
  { channels, settings }: Pick<RelayDependencies, 'channels' | 'settings'>,
): ChannelRequirements {
  const model = channels.snapshot.nameOf(request.model)
  const passThrough = settings.current['global.pass_through_request_enabled']
  const judgeFields = fieldJudge(request, (field) => pricedFields(settings.current, request.model)(field))
  return callRequirements({ mode, model, request, passThrough, judgeFields })
}

/** The same for any kind of attempt. */
export async function firstSuccess<Start, Service = Operation>(
  call: RelayCall<ModelRequest>,
  routePlan: RoutePlan,
  deps: RelayDependencies,
  { requirements, tryOne, secure, grant, entry, atMostOnce = true }: AttemptOptions<Start, Service>,
): Promise<SuccessfulAttempt<Start, Service>> {
  const candidates = new Candidates(requirements, routePlan, deps)
  const budget: Budget = {
    retries: call.caller.pinnedChannelId === undefined ? deps.settings.current.RetryTimes : 0,
    atMostOnce,
  }
  const slots = new Slots(call, deps, candidates, secure)
  let next = candidates.next()
  let refusal: RelayError | undefined
  for (;;) {
    const waiting = slots.first(next)
    const ready = waiting instanceof Promise ? await waiting : waiting
    if (ready === undefined)
      throw refusal ?? slots.shortage ?? noCandidateError(call, candidates, slots.limitedSeconds)
    const { candidate, slot } = ready
    const startedAt = deps.clock.now()
    call.trace.sentMs = Math.round(startedAt - call.startedAt)
    entry.reaches(candidate.channel.id)
    const result: AttemptResult<Start> = await tryOne(candidate)
    const ms = Math.round(deps.clock.now() - startedAt)
    if (result.ok) {
      if (slot !== 'free') grant.hold(slot)
      return started(call, candidate, ms, result.started, deps)
    }
    releaseUnused(slot)
    refuseEnded(call, candidate, ms, result)
    const failed: FailedTry<Service> = failedAttempt(call, candidate, ms, result, candidates, budget, deps)
    refusal = failed.refusal
    next = failed.next
  }
}

function started<Start, Service>(
  call: RelayCall<ModelRequest>,
  candidate: Candidate<Service>,
  ms: number,
  response: Start,
  deps: RelayDependencies,
): SuccessfulAttempt<Start, Service> {
  recordAttempt(call, candidate, ms, 200, 'ok')
  const { channel, keyIndex, model } = candidate
  deps.health.record({ channelId: channel.id, keyIndex, model, ms })
  return { candidate, started: response }
}

/** An attempt that our side ended is not evidence about the channel. */
function refuseEnded(
  call: RelayCall<ModelRequest>,
  candidate: Candidate<unknown>,
  ms: number,
  { endedBy, refusal }: FailedAttempt,
): void {
  if (refusal !== undefined) throw refusal
  if (call.connection.isDisconnected || endedBy === 'client') {
    recordAttempt(call, candidate, ms, 0, 'client_gone')
    throw new RelayError('client_gone', 'The caller hung up.')
  }
  if (endedBy === 'shutdown') throw new RelayError('shutting_down', 'The gateway is restarting. Try again.')
}

function failedAttempt<Service>(
  call: RelayCall<ModelRequest>,
  candidate: Candidate<Service>,
  ms: number,
  result: FailedAttempt,
  candidates: Candidates<Service>,
  budget: Budget,
  deps: RelayDependencies,
): FailedTry<Service> {
  const { channel, keyIndex, model } = candidate
  // Nothing was sent: that is no evidence about the channel and no retry, and a channel of another format may serve the call.
  const clean = cleanerFor(call, candidate)
  if (result.fault !== undefined)
    return { refusal: faultRefusal(result.fault, clean), next: candidates.next() }
  const error = deps.autoDisable.judged(mapStatus(result.error, channel), channel)
  // The upstream's own: `status` may be what a body means, or what the operator makes of it.
  const status = error.receivedStatus ?? result.error.status
  recordAttempt(call, candidate, ms, status, error.kind, upstreamWords(error, channel))
  const outcome = { channelId: channel.id, keyIndex, model, ms, error }
  deps.health.record(outcome)
  deps.autoDisable.considerDisabling(outcome)
  if (budget.atMostOnce && result.outcomeUnknown === true)
    return { refusal: unknownOutcome(error, clean), next: undefined }
  const refusal = refusalFor(error, clean, result.error)
  const step = nextStep(error)
  if (step === 'give-up') return { refusal, next: undefined }
  const sameChannel = step === 'other-key' ? candidates.otherKey(candidate) : undefined
  return { refusal, next: sameChannel ?? otherChannel(candidates, budget) }
}

function faultRefusal({ message, param, code }: RequestFault, clean: Clean): RelayError {
  return new RelayError('invalid_request', clean(message), { param, upstreamCode: code })
}

function otherChannel<Service>(
  candidates: Candidates<Service>,
  budget: Budget,
): Candidate<Service> | undefined {
  if (budget.retries <= 0) return undefined
  budget.retries -= 1
  return candidates.next()
}

function recordAttempt(
  call: RelayCall<ModelRequest>,
  { channel, keyIndex }: Candidate<unknown>,
  ms: number,
  status: number,
  kind: AttemptRecord['kind'],
  stated = '',
): void {
  call.trace.attempts.push({
    channel: channel.id,
    key: keyIndex,
    startMs: call.trace.sentMs,
    ms,
    status,
    kind,
    ...(stated !== '' && { said: stated }),
  })
}

type Unserved = Pick<Candidates, 'loopingChannel' | 'unsupportedTypes' | 'refusedField'>

function unservableError(
  { mode, request }: RelayCall<ModelRequest>,
  { loopingChannel, unsupportedTypes }: Unserved,
): RelayError {
  const { model } = request
  if (loopingChannel !== undefined) {
    const { id: channel } = loopingChannel
    return new RelayError(
      'model_mapping_contains_cycle',
      `The model mapping of channel ${channel} leads from ${model} back to it. Tell the administrator.`,
      { param: 'model', messageParams: { channel, model } },
    )
  }
  if (unsupportedTypes.length > 0) {
    // Types of the channels that serve the model, but not in this mode.
    const types = unsupportedTypes.map(channelTypeName).join(', ')
    return new RelayError(
      'unsupported_endpoint',
      `The model ${model} cannot be asked for ${mode}: its channels (${types}) do not offer it. Use another model or endpoint.`,
      { param: 'model', messageParams: { model, mode, types } },
    )
  }
  const what = `No channel can serve ${model} at this endpoint right now.`
  return new RelayError('no_available_channel', `${what} Try again later or use another model.`, {
    param: 'model',
  })
}

/** The error of a call without an attempt: every channel is at its limit, or none serves it. */
function noCandidateError(
  call: RelayCall<ModelRequest>,
  candidates: Unserved,
  limitedSeconds: number | undefined,
): RelayError {
  if (limitedSeconds !== undefined) return allAtLimits(call, limitedSeconds)
  const { refusedField } = candidates
  return refusedField === undefined ? unservableError(call, candidates) : unpricedField(refusedField)
}

function allAtLimits({ request }: RelayCall<ModelRequest>, retryAfterSeconds: number): RelayError {
  const message = `Every channel that can serve ${request.model} has reached its limit. Try again in ${retryAfterSeconds} s.`
  return new RelayError('too_many_requests', message, { param: 'model', retryAfterSeconds })
}

function channelTypeName(id: number): string {
  return findChannelType(id)?.name ?? String(id)
}
