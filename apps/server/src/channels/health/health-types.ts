import type { ChannelReason } from '@tollgate/api'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import type { ChannelOutcome } from '../../store/channels/channels.ts'
import type { HealthHint } from './health-hint.ts'

/** Health of channels, from the outcomes of attempts: which of them may be called, and what operators see. */
export interface HealthRegistry {
  /**
   * Decides whether the channel's cooldowns let a call through now. After a cooldown one probe at a time passes (half-open). Ask right
   * before the attempt, not while planning: `true` may claim the one probe, which excludes other calls until its outcome is recorded.
   */
  admits(channelId: number, keyIndex: number, model: string): boolean
  /** Milliseconds until the channel may be tried again; 0 when it may be tried now. */
  cooldownMs(channelId: number, model: string): number
  record(outcome: AttemptOutcome): void
  /** Records that a test failed, or a response broke off. Only attempts without a response start cooldowns. */
  noteFailure(channelId: number, error: UpstreamErrorInfo): void
  /** Forgets the health of the channel, after an edit or a passing test. */
  reset(channelId: number): void
  view(channelId: number): HealthView
  /** Restores the outcomes from before a restart. */
  restore(outcomes: readonly ChannelOutcome[]): void
  /** Outcomes that changed since the last call: at most one per channel, however many calls there were. */
  takeOutcomes(): readonly ChannelOutcome[]
  /** Forgets a deleted channel. */
  forget(channelId: number): void
  /** Takes up what another node reported. Reports nothing itself. */
  hear(hint: HealthHint): void
}

/** The reason of a cooldown and the time of the next try, in ms since 1970. */
export interface CooldownView {
  /** `undefined` when there is none. */
  readonly reason: ChannelReason | undefined
  readonly retryAt: number
}

/** A channel as an operator sees it: state, reason and time of the next try are those of its worst model. */
export interface HealthView extends CooldownView {
  readonly state: 'closed' | 'open' | 'half-open'
  /** Share of the last minute's attempts that failed, 0 to 1. */
  readonly errorRate: number
  /** Mean time of attempts for each minute of the last hour that had any, oldest first. */
  readonly recentMs: readonly number[]
  /** Unix seconds; 0 for never. Includes the time before a restart. */
  readonly lastSuccessAt: number
  readonly lastFailureAt: number
  readonly lastFailure: ChannelReason | undefined
  /** Keys in cooldown, by index. */
  readonly coolingKeys: ReadonlyMap<number, CooldownView>
}

/** Outcome of one attempt at an upstream. */
export interface AttemptOutcome {
  readonly channelId: number
  readonly keyIndex: number
  readonly model: string
  /** Time to the first meaningful event (or to the complete response), in ms. */
  readonly ms: number
  /** `undefined` when it succeeded. Status is after `status_code_mapping`. */
  readonly error?: UpstreamErrorInfo
}

/** A start that is computed from a duration may come out a little early. */
const toleranceMs = 5

/**
 * Decides whether an attempt that has just ended started after `since`. Both times are of the monotonic clock, in ms. An attempt that
 * started before an edit used the old keys and address and says nothing about the new ones.
 */
export function startedAfter(since: number, { ms }: Pick<AttemptOutcome, 'ms'>, now: number): boolean {
  return now - ms + toleranceMs >= since
}
