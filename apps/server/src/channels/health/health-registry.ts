import { type ChannelReason, channelReasonText } from '@tollgate/api'
import { type Clock, getOrInsert, monotonicClock, unixSeconds } from '@tollgate/base'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import type { ChannelOutcome } from '../../store/repositories/channels.ts'
import { routingName } from '../routing/model-names.ts'
import { ChannelHealth, type CooldownTarget } from './channel-health.ts'
import type { CooldownCause, CooldownLength } from './cooldown.ts'
import type { DecisionLog } from './decision-log.ts'
import type { HealthBook, HealthView } from './health-types.ts'
import { type AttemptOutcome, startedAfter } from './health-types.ts'
import { healthyView, viewOf } from './health-view.ts'
import { LastOutcomes } from './last-outcomes.ts'

interface HealthDependencies {
  /** For cooldowns and windows; a change of the wall clock neither ends nor lengthens them. */
  readonly monotonic?: Clock
  /** For the times that people read. */
  readonly wallClock: Clock
  readonly random?: () => number
  readonly decisions?: DecisionLog
  /** How many keys a channel has, so that `cooldownMs` knows when all of them cool down; one when not given. */
  readonly keyCount?: (channelId: number) => number
}

/** A cooldown starts when so many calls of a minute failed, and so large a share of all. */
const failuresToOpen = 5
const rateToOpen = 0.5
const sweepEveryMs = 5 * 60_000
const newChannelHealth = () => new ChannelHealth()

/** Health of every channel, in memory. */
export function createHealthRegistry(deps: HealthDependencies): HealthBook {
  return new MemoryHealthRegistry(deps)
}

class MemoryHealthRegistry implements HealthBook {
  readonly #deps: HealthDependencies
  readonly #monotonic: Clock
  readonly #random: () => number
  readonly #channels = new Map<number, ChannelHealth>()
  readonly #last = new LastOutcomes()
  #nextSweepAt = 0

  constructor(deps: HealthDependencies) {
    this.#deps = deps
    this.#monotonic = deps.monotonic ?? monotonicClock
    this.#random = deps.random ?? Math.random
  }

  admits(channelId: number, keyIndex: number, model: string): boolean {
    const channel = this.#channels.get(channelId)
    if (channel === undefined || !channel.hasCooldowns) return true
    const now = this.#monotonic.now()
    const cooldowns = channel.cooldownsOf(keyIndex, routingName(model))
    if (!cooldowns.every((cooldown) => cooldown.admits(now))) return false
    for (const cooldown of cooldowns) cooldown.beginProbe(now)
    return true
  }

  cooldownMs(channelId: number, model: string): number {
    const channel = this.#channels.get(channelId)
    if (channel === undefined || !channel.hasCooldowns) return 0
    const keyCount = this.#deps.keyCount?.(channelId) ?? 1
    return Math.round(channel.cooldownMs(routingName(model), keyCount, this.#monotonic.now()))
  }

  record(outcome: AttemptOutcome): void {
    const now = this.#monotonic.now()
    this.#sweep(now)
    const channel = getOrInsert(this.#channels, outcome.channelId, newChannelHealth)
    channel.latency.add(now, outcome.ms)
    if (!startedAfter(channel.resetAt, outcome, now)) return
    if (outcome.error === undefined) {
      this.#last.succeed(outcome.channelId, unixSeconds(this.#deps.wallClock))
      this.#recordSuccess(channel, outcome, now)
    } else this.#recordFailure(channel, outcome, outcome.error, now)
  }

  noteFailure(channelId: number, error: UpstreamErrorInfo): void {
    if (failureEffect(error).kind === 'none') return
    this.#last.fail(channelId, unixSeconds(this.#deps.wallClock), describeFailure(error))
  }

  restore(outcomes: readonly ChannelOutcome[]): void {
    this.#last.restore(outcomes)
  }

  takeOutcomes(): readonly ChannelOutcome[] {
    return this.#last.take()
  }

  forget(channelId: number): void {
    this.#channels.delete(channelId)
    this.#last.forget(channelId)
  }

  reset(channelId: number): void {
    this.#channels.get(channelId)?.reset(this.#monotonic.now())
  }

  view(channelId: number): HealthView {
    const channel = this.#channels.get(channelId)
    const last = this.#last.of(channelId)
    if (channel === undefined) return { ...healthyView, ...last }
    return viewOf(channel, last, { monotonicMs: this.#monotonic.now(), wallMs: this.#deps.wallClock.now() })
  }

  #sweep(now: number): void {
    if (now < this.#nextSweepAt) return
    this.#nextSweepAt = now + sweepEveryMs
    for (const channel of this.#channels.values()) channel.dropIdle(now)
  }

  #recordSuccess(channel: ChannelHealth, { channelId, keyIndex, model }: AttemptOutcome, now: number): void {
    const name = routingName(model)
    const window = channel.window(name)
    window.add(now, false)
    if (!channel.hasCooldowns) return
    if (channel.find({ model: name })?.succeed(now) === true) {
      window.clear()
      this.#logRecovery(channelId, { model: name })
    }
    const ofKey = channel.find({ keyIndex })?.succeed(now) ?? false
    const ofKeyForModel = channel.find({ keyIndex, model: name })?.succeed(now) ?? false
    if (ofKey || ofKeyForModel) this.#logRecovery(channelId, { keyIndex, model: name })
  }

  #logRecovery(channelId: number, target: CooldownTarget): void {
    this.#deps.decisions?.add({ kind: 'recover', channelId, ...target, reason: 'a call succeeded' })
  }

  #recordFailure(
    channel: ChannelHealth,
    { channelId, keyIndex, model }: AttemptOutcome,
    error: UpstreamErrorInfo,
    now: number,
  ): void {
    const name = routingName(model)
    // Whatever the failure means, it ends a probe.
    for (const cooldown of channel.cooldownsOf(keyIndex, name)) cooldown.endProbe()
    const effect = failureEffect(error)
    this.noteFailure(channelId, error)
    const start = (target: CooldownTarget, cause: CooldownCause) => {
      if (!channel.cooldown(target).start(now, cause, this.#random)) return
      const reason = channelReasonText(cause.reason, 'en')
      this.#deps.decisions?.add({ kind: 'cooldown', channelId, ...target, reason })
    }
    const reason = describeFailure(error)
    switch (effect.kind) {
      case 'none':
        break
      case 'count': {
        const cause = countFailure(channel, name, reason, now)
        if (cause !== undefined) start({ model: name }, cause)
        break
      }
      case 'cool-model':
        start({ model: name }, { length: effect.length, reason })
        break
      case 'cool-key':
        start({ keyIndex }, { length: effect.length, reason })
        break
      case 'cool-key-for-model':
        start({ keyIndex, model: name }, { length: effect.length, reason, retryAfterMs: error.retryAfterMs })
        break
    }
  }
}

/** Counts a failure. Returns the cause of a cooldown when a probe failed, or too many calls of the last minute. */
function countFailure(
  channel: ChannelHealth,
  model: string,
  reason: ChannelReason,
  now: number,
): CooldownCause | undefined {
  const window = channel.window(model)
  window.add(now, true)
  const { attempts, failures } = window.counts(now)
  const state = channel.find({ model })?.state(now) ?? 'closed'
  const isTooMany = failures >= failuresToOpen && failures >= rateToOpen * attempts
  if (state === 'open' || (state === 'closed' && !isTooMany)) return undefined
  return {
    length: breakerLength,
    reason: {
      code: 'many_failed',
      params: { ...reason.params, failures, attempts, cause: reason.code },
    },
  }
}

const second = 1000
const minute = 60 * second

/**
 * What a failed attempt means for health:
 * - `none`: the caller's fault; the upstream is healthy
 * - `count`: counts against the channel for this model; many of them in a minute start a cooldown
 * - `cool-model`: starts a cooldown of the channel for this model
 * - `cool-key-for-model`: starts a cooldown of the key for this model; the key goes on serving its other models
 * - `cool-key`: starts a cooldown of the key for every model
 */
type FailureEffect =
  | { readonly kind: 'none' | 'count' }
  | {
      readonly kind: 'cool-model' | 'cool-key-for-model' | 'cool-key'
      readonly length: CooldownLength
    }

/** The cause of a cooldown when too many calls of a channel and model failed. */
const breakerLength: CooldownLength = { firstMs: 5 * second, maxMs: 5 * minute }
const absentLength: CooldownLength = { firstMs: 30 * second, maxMs: 30 * minute }
const limitedLength: CooldownLength = { firstMs: 10 * second, maxMs: 5 * minute }
const refusedLength: CooldownLength = { firstMs: minute, maxMs: 30 * minute }

const effects = {
  bad_request: { kind: 'none' },
  content_policy: { kind: 'none' },
  overloaded: { kind: 'count' },
  timeout: { kind: 'count' },
  upstream_bug: { kind: 'count' },
  not_found: { kind: 'count' },
  rate_limited: { kind: 'cool-key-for-model', length: limitedLength },
  forbidden: { kind: 'cool-key-for-model', length: refusedLength },
  unauthorized: { kind: 'cool-key', length: refusedLength },
  quota: { kind: 'cool-key', length: refusedLength },
} as const satisfies Record<UpstreamErrorKind, FailureEffect>

const absentModel: FailureEffect = { kind: 'cool-model', length: absentLength }

function failureEffect(error: UpstreamErrorInfo): FailureEffect {
  // OpenAI responds 404 also to a chat model on the completions path: that is the caller's fault and must not take the
  // model from all callers. Only an error that names the model (model_not_found, DeploymentNotFound) does.
  if (error.kind === 'not_found' && /model|deployment/i.test(error.code)) return absentModel
  return effects[error.kind]
}

/** What failed, for the operator. Never the upstream's own text, which may quote keys and callers. */
function describeFailure({ kind, status }: UpstreamErrorInfo): ChannelReason {
  return { code: kind, params: status === 0 ? {} : { status } }
}
