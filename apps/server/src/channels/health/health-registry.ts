import { type ChannelReason, channelReasonText, routingName } from '@tollgate/api'
import { type Clock, getOrInsert, monotonicClock, unixSeconds } from '@tollgate/base'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import type { ChannelOutcome } from '../../store/channels/channels.ts'
import { ChannelHealth } from './channel-health.ts'
import type { CooldownCause } from './cooldown.ts'
import type { DecisionLog } from './decision-log.ts'
import { breakerLength, describeFailure, policyOf } from './failure-policy.ts'
import { type CooldownTarget, type HealthHint, type HintOf, targetOf } from './health-hint.ts'
import type { HealthRegistry, HealthView } from './health-types.ts'
import { type AttemptOutcome, startedAfter } from './health-types.ts'
import { healthyView, viewOf } from './health-view.ts'
import { LastOutcomes } from './last-outcomes.ts'

interface HealthDependencies {
  /** Clock for cooldowns and windows; a change of the wall clock neither ends nor lengthens them. */
  readonly monotonic?: Clock
  /** Clock for the times that people read. */
  readonly wallClock: Clock
  readonly random?: () => number
  readonly decisions?: DecisionLog
  /** Returns the number of a channel's keys, so that `cooldownMs` knows when all of them cool down; one by default. */
  readonly keyCount?: (channelId: number) => number
  /** Receives what other nodes should know. */
  readonly report?: (hint: HealthHint) => void
}

/** A cooldown starts when so many calls of a minute failed, and so large a share of all. */
const failuresToOpen = 5
const rateToOpen = 0.5
const sweepEveryMs = 5 * 60_000
const newChannelHealth = () => new ChannelHealth()

/** Health of every channel, in memory. */
export function createHealthRegistry(deps: HealthDependencies): HealthRegistry {
  return new InMemoryHealth(deps)
}

class InMemoryHealth implements HealthRegistry {
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
    if (!cooldowns.every(({ cooldown }) => cooldown.admits(now))) return false
    for (const { target, cooldown } of cooldowns)
      if (cooldown.beginProbe(now)) this.#deps.report?.({ channelId, ...target, state: 'probing' })
    return true
  }

  cooldownMs(channelId: number, model: string): number {
    const channel = this.#channels.get(channelId)
    if (channel === undefined || !channel.hasCooldowns) return 0
    const keyCount = this.#deps.keyCount?.(channelId) ?? 1
    return Math.round(channel.cooldownMs(routingName(model), keyCount, this.#monotonic.now()))
  }

  /** Learns from an attempt which channels, keys and models rest. @step */
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
    if (policyOf(error.kind).scope === 'call') return
    this.#last.fail(channelId, unixSeconds(this.#deps.wallClock), describeFailure(error))
  }

  restore(outcomes: readonly ChannelOutcome[]): void {
    this.#last.restore(outcomes)
  }

  takeOutcomes(): readonly ChannelOutcome[] {
    return this.#last.take()
  }

  forget(channelId: number): void {
    this.#forget(channelId)
    this.#deps.report?.({ channelId, state: 'deleted' })
  }

  reset(channelId: number): void {
    this.#reset(channelId)
    this.#deps.report?.({ channelId, state: 'reset' })
  }

  hear(hint: HealthHint): void {
    const now = this.#monotonic.now()
    switch (hint.state) {
      case 'open':
        this.#hearCooldown(hint, now)
        break
      case 'probing':
        this.#channels.get(hint.channelId)?.find(targetOf(hint))?.beginProbe(now)
        break
      case 'closed':
        this.#hearRecovery(hint, now)
        break
      case 'reset':
        this.#reset(hint.channelId)
        break
      case 'deleted':
        this.#forget(hint.channelId)
        break
    }
  }

  view(channelId: number): HealthView {
    const channel = this.#channels.get(channelId)
    const last = this.#last.of(channelId)
    if (channel === undefined) return { ...healthyView, ...last }
    return viewOf(channel, last, { monotonicMs: this.#monotonic.now(), wallMs: this.#deps.wallClock.now() })
  }

  #forget(channelId: number): void {
    this.#channels.delete(channelId)
    this.#last.forget(channelId)
  }

  #reset(channelId: number): void {
    this.#channels.get(channelId)?.reset(this.#monotonic.now())
  }

  #hearCooldown(hint: HintOf<'open'>, now: number): void {
    const channel = getOrInsert(this.#channels, hint.channelId, newChannelHealth)
    const isOfAccount = accountReasons.has(hint.reason.code)
    // One node may be cut off from an upstream, or be refused by its address, that serves this one.
    if (!isOfAccount && channel.succeedsNow(hint.model, now)) return
    const target = targetOf(hint)
    if (!channel.cooldown(target).hear(now, hint, this.#random)) return
    const reason = `${channelReasonText(hint.reason, 'en')} (on another node)`
    this.#deps.decisions?.add({ kind: 'cooldown', channelId: hint.channelId, ...target, reason })
  }

  #hearRecovery(hint: HintOf<'closed'>, now: number): void {
    const channel = this.#channels.get(hint.channelId)
    const target = targetOf(hint)
    if (channel?.find(target)?.close(now) !== true) return
    if (target.keyIndex === undefined) channel.window(target.model).clear()
    const reason = 'a call succeeded (on another node)'
    this.#deps.decisions?.add({ kind: 'recover', channelId: hint.channelId, ...target, reason })
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
    for (const { target, cooldown } of channel.cooldownsOf(keyIndex, name)) {
      if (!cooldown.succeed(now)) continue
      if (target.keyIndex === undefined) window.clear()
      this.#deps.decisions?.add({ kind: 'recover', channelId, ...target, reason: 'a call succeeded' })
      this.#deps.report?.({ channelId, ...target, state: 'closed' })
    }
  }

  #recordFailure(
    channel: ChannelHealth,
    { channelId, keyIndex, model }: AttemptOutcome,
    error: UpstreamErrorInfo,
    now: number,
  ): void {
    const name = routingName(model)
    // Whatever the failure means, it ends a probe.
    for (const { cooldown } of channel.cooldownsOf(keyIndex, name)) cooldown.endProbe()
    this.noteFailure(channelId, error)
    const start = (target: CooldownTarget, cause: CooldownCause) => {
      const cooldown = channel.cooldown(target)
      if (!cooldown.start(now, cause, this.#random)) return
      const reason = channelReasonText(cause.reason, 'en')
      this.#deps.decisions?.add({ kind: 'cooldown', channelId, ...target, reason })
      const running = cooldown.tell(now)
      if (running !== undefined) this.#deps.report?.({ channelId, ...target, state: 'open', ...running })
    }
    const reason = describeFailure(error)
    const { scope, cooldown: length = breakerLength } = policyOf(error.kind)
    switch (scope) {
      case 'call':
        break
      case 'channel': {
        const cause = countFailure(channel, name, reason, now)
        if (cause !== undefined) start({ model: name }, cause)
        break
      }
      case 'model':
        start({ model: name }, { length, reason })
        break
      case 'key':
        start({ keyIndex }, { length, reason })
        break
      case 'key-for-model':
        start({ keyIndex, model: name }, { length, reason, retryAfterMs: error.retryAfterMs })
        break
    }
  }
}

/** Reasons that concern an account on every node that uses it. */
const accountReasons: ReadonlySet<string> = new Set(['rate_limited', 'account_limited', 'quota', 'suspended'])

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
