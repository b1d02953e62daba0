import { findChannelType } from '@tollgate/api'
import type { RequestFault } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { pricedFields } from '../../billing/pricing/surcharges/priced-fields.ts'
import { mapStatus } from '../../channels/routing/map-status.ts'
import type { AskedModel, AttemptNote, RelayCall } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { Permit } from '../limits/limits.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import { type Candidate, Candidates, type Wanted } from '../routing/candidates.ts'
import { fieldJudge, unpricedField } from '../routing/field-policy.ts'
import type { Planned } from '../routing/planned.ts'
import { wantedCall } from '../routing/wanted-call.ts'
import { attempt } from './attempt.ts'
import type { AttemptResult, Begun, FailedAttempt } from './attempt-result.ts'
import { nextStep } from './failure-policy.ts'
import { refusalFor, unknownOutcome } from './upstream-refusal.ts'

/** An answer that has begun, and where it comes from. */
export interface Answered<Start = Begun, Asked = Operation> {
  readonly candidate: Candidate<Asked>
  readonly begun: Start
}

interface Failed<Asked> {
  /** What the caller is told when nothing replaces the attempt. */
  readonly refusal: RelayError
  /** What is tried next; `undefined` to give up. */
  readonly next: Candidate<Asked> | undefined
}

/** What may still be tried. */
interface Budget {
  /** How often another channel may be. Another key of the same channel is not a retry. */
  retries: number
  /** See `Served`. */
  readonly paidOnce: boolean
}

/** What a call is served with, as far as its attempts know. */
interface Served {
  readonly entry: InFlightEntry
  /** Holds the place at the channel that serves it, until the call is over. */
  readonly permit: Pick<Permit, 'hold'>
  /** An upstream that may have carried the call out is paid for it whole: no other one is asked then. */
  readonly paidOnce: boolean
}

/** How an attempt is made, and what holds its place. */
interface Trying<Start, Asked> extends Pick<Served, 'permit'> {
  /** See `Served`; so unless it is said otherwise. */
  readonly paidOnce?: boolean
  readonly wanted: Wanted<Asked>
  readonly tryOne: (candidate: Candidate<Asked>) => Promise<AttemptResult<Start>>
}

/** Attempts until one has begun to answer, within the operator's number of retries. Throws the last failure. */
export function firstAnswer(
  call: RelayCall,
  planned: Planned,
  deps: RelayDependencies,
  { entry, permit, paidOnce }: Served,
): Promise<Answered> {
  const tryOne = (candidate: Candidate) => attempt(sentCall(call, candidate), candidate, deps, entry)
  return firstBegun(call, planned, deps, { wanted: wantedOf(call, deps), tryOne, permit, paidOnce })
}

/** The call as a channel gets it: without the fields that are kept from it. */
function sentCall(call: RelayCall, { stripped }: Candidate): RelayCall {
  const request = stripped.length === 0 ? undefined : call.request.withoutFields?.(stripped)
  return request === undefined ? call : { ...call, request }
}

/** What channels must be able to serve for the call. */
export function wantedOf(
  { mode, request }: RelayCall<AskedModel>,
  { channels, settings }: Pick<RelayDependencies, 'channels' | 'settings'>,
): Wanted {
  const model = channels.snapshot.nameOf(request.model)
  const passThrough = settings.current['global.pass_through_request_enabled']
  const judgeFields = fieldJudge(request, (field) => pricedFields(settings.current, request.model)(field))
  return wantedCall({ mode, model, request, passThrough, judgeFields })
}

/** The same for whatever an attempt begins. */
export async function firstBegun<Start, Asked = Operation>(
  call: RelayCall<AskedModel>,
  planned: Planned,
  deps: RelayDependencies,
  { wanted, tryOne, permit, paidOnce = true }: Trying<Start, Asked>,
): Promise<Answered<Start, Asked>> {
  const candidates = new Candidates(wanted, planned, deps)
  const budget: Budget = {
    retries: call.caller.pinnedChannelId === undefined ? deps.settings.current.RetryTimes : 0,
    paidOnce,
  }
  let candidate = candidates.next()
  let refusal: RelayError | undefined
  let limitedSeconds: number | undefined
  while (candidate !== undefined) {
    const acquiring = deps.channelLimits.acquire(candidate.channel, call)
    const place = acquiring instanceof Promise ? await acquiring : acquiring
    if (place !== undefined && !place.granted) {
      limitedSeconds = Math.min(place.retryAfterSeconds, limitedSeconds ?? Number.POSITIVE_INFINITY)
      candidate = candidates.next()
      continue
    }
    const startedAt = deps.clock.now()
    call.trail.sentMs = Math.round(startedAt - call.startedAt)
    const result: AttemptResult<Start> = await tryOne(candidate)
    const ms = Math.round(deps.clock.now() - startedAt)
    if (result.ok) {
      if (place !== undefined) permit.hold(place)
      return begun(call, candidate, ms, result.begun, deps)
    }
    place?.over?.({ succeeded: false })
    refuseEnded(call, candidate, ms, result)
    const failed: Failed<Asked> = failedAttempt(call, candidate, ms, result, candidates, budget, deps)
    refusal = failed.refusal
    candidate = failed.next
  }
  throw refusal ?? nobodyLeft(call, candidates, limitedSeconds)
}

function begun<Start, Asked>(
  call: RelayCall<AskedModel>,
  candidate: Candidate<Asked>,
  ms: number,
  begunAnswer: Start,
  deps: RelayDependencies,
): Answered<Start, Asked> {
  note(call, candidate, ms, 200, 'ok')
  const { channel, keyIndex, model } = candidate
  deps.health.record({ channelId: channel.id, keyIndex, model, ms })
  return { candidate, begun: begunAnswer }
}

/** Attempts that were ended from our side say nothing about the channel. */
function refuseEnded(
  call: RelayCall<AskedModel>,
  candidate: Candidate<unknown>,
  ms: number,
  { endedBy }: FailedAttempt,
): void {
  if (call.connection.isGone || endedBy === 'client') {
    note(call, candidate, ms, 0, 'client_gone')
    throw new RelayError('client_gone', 'The caller hung up.')
  }
  if (endedBy === 'shutdown') throw new RelayError('shutting_down', 'The gateway is restarting. Try again.')
}

function failedAttempt<Asked>(
  call: RelayCall<AskedModel>,
  candidate: Candidate<Asked>,
  ms: number,
  result: FailedAttempt,
  candidates: Candidates<Asked>,
  budget: Budget,
  deps: RelayDependencies,
): Failed<Asked> {
  const { channel, keyIndex, model } = candidate
  // Nothing was sent: that says nothing about the channel, and a channel of another format may serve the call.
  if (result.fault !== undefined)
    return { refusal: faultRefusal(result.fault), next: elsewhere(candidates, budget) }
  const error = mapStatus(result.error, channel)
  note(call, candidate, ms, error.status, error.kind)
  const outcome = { channelId: channel.id, keyIndex, model, ms, error }
  deps.health.record(outcome)
  deps.channelSwitch.considerDisabling(outcome)
  if (budget.paidOnce && result.mayBeDone === true) return { refusal: unknownOutcome(error), next: undefined }
  const refusal = refusalFor(error, channel, result.error)
  const step = nextStep(error)
  if (step === 'give-up') return { refusal, next: undefined }
  const sameChannel = step === 'other-key' ? candidates.otherKey(candidate) : undefined
  return { refusal, next: sameChannel ?? elsewhere(candidates, budget) }
}

function faultRefusal({ message, param, code }: RequestFault): RelayError {
  return new RelayError('invalid_request', message, { param, upstreamCode: code })
}

function elsewhere<Asked>(candidates: Candidates<Asked>, budget: Budget): Candidate<Asked> | undefined {
  if (budget.retries <= 0) return undefined
  budget.retries -= 1
  return candidates.next()
}

function note(
  call: RelayCall<AskedModel>,
  { channel, keyIndex }: Candidate<unknown>,
  ms: number,
  status: number,
  kind: AttemptNote['kind'],
): void {
  call.trail.attempts.push({ channel: channel.id, key: keyIndex, ms, status, kind })
}

type Unserved = Pick<Candidates, 'loopingChannel' | 'unsuited' | 'refusedField'>

function nothingServes(
  { mode, request }: RelayCall<AskedModel>,
  { loopingChannel, unsuited }: Unserved,
): RelayError {
  const { model } = request
  if (loopingChannel !== undefined) {
    const { id: channel } = loopingChannel
    return new RelayError(
      'model_mapping_contains_cycle',
      `The model mapping of channel ${channel} leads from ${model} back to it. Tell the administrator.`,
      { param: 'model', figures: { channel, model } },
    )
  }
  if (unsuited.length > 0) {
    // Types of the channels that serve the model, but not in this mode.
    const types = unsuited.map(channelTypeName).join(', ')
    return new RelayError(
      'unsupported_endpoint',
      `The model ${model} cannot be asked for ${mode}: its channels (${types}) do not offer it. Use another model or endpoint.`,
      { param: 'model', figures: { model, mode, types } },
    )
  }
  const what = `No channel can serve ${model} at this endpoint right now.`
  return new RelayError('no_available_channel', `${what} Try again later or use another model.`, {
    param: 'model',
  })
}

/** No attempt was made: every channel is at its limit, or there is none. */
function nobodyLeft(
  call: RelayCall<AskedModel>,
  candidates: Unserved,
  limitedSeconds: number | undefined,
): RelayError {
  if (limitedSeconds !== undefined) return allAtLimits(call, limitedSeconds)
  const { refusedField } = candidates
  return refusedField === undefined ? nothingServes(call, candidates) : unpricedField(refusedField)
}

function allAtLimits({ request }: RelayCall<AskedModel>, retryAfterSeconds: number): RelayError {
  const message = `Every channel that can serve ${request.model} has reached its limit. Try again in ${retryAfterSeconds} s.`
  return new RelayError('too_many_requests', message, { param: 'model', retryAfterSeconds })
}

function channelTypeName(id: number): string {
  return findChannelType(id)?.name ?? String(id)
}
