import type { AttemptOutcome } from './attempt-outcome.ts'

/** Health of channels, from the outcomes of attempts: who may be called now, and what operators see. */
export interface HealthBook {
  /**
   * Whether the channel's cooldowns let a call through now. After a cooldown one probe at a time is let through
   * (half-open). Ask right before the attempt, not while planning: a yes may be the one probe, and keeps others out
   * until its outcome is recorded.
   */
  admits(channelId: number, keyIndex: number, model: string): boolean
  /** Milliseconds until the channel may be tried again; 0 when it may be tried now. */
  cooldownMs(channelId: number, model: string): number
  record(outcome: AttemptOutcome): void
  /** Forgets what is known, after an edit or a passing test. */
  reset(channelId: number): void
  view(channelId: number): HealthView
}

/** The reason of a cooldown and the time of the next try, in ms since 1970. */
export interface CooldownView {
  readonly reason: string
  readonly retryAt: number
}

/** A channel as an operator sees it: state, reason and time of the next try are those of its worst model. */
export interface HealthView extends CooldownView {
  readonly state: 'closed' | 'open' | 'half-open'
  /** Share of the last minute's attempts that failed, 0 to 1. */
  readonly errorRate: number
  /** Mean time of attempts for each minute of the last hour that had any, oldest first. */
  readonly recentMs: readonly number[]
  /** Keys in cooldown, by index. */
  readonly coolingKeys: ReadonlyMap<number, CooldownView>
}
