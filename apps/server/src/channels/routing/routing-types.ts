import type { ChannelStatus } from '@tollgate/api'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import type { WeightedDraw } from '../../lib/weighted-draw.ts'
import type { UpstreamChannel } from '../../upstream/upstream-channel.ts'

/** The channel's `setting` JSON, read. */
export interface ChannelSetting {
  /** Re-serialise stream events to the known OpenAI fields. */
  readonly forceFormat: boolean
  /** Put reasoning into the content between think tags. */
  readonly thinkingToContent: boolean
  /** http(s) proxy for every call to this channel; empty for none. */
  readonly proxy: string
}

/** A channel as routing and sending see it: parsed, opened and checked once per change, then never mutated. */
export interface RoutedChannel extends UpstreamChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly status: ChannelStatus
  /** All keys in their order; an automatically disabled one is in `disabledKeys`. */
  readonly keys: readonly string[]
  /** How many they are: all that most calls need of them. */
  readonly keyCount: number
  readonly disabledKeys: ReadonlyMap<number, { readonly reason: string; readonly at: number }>
  readonly models: ReadonlySet<string>
  readonly groups: readonly string[]
  /** Requested to upstream model. Chains are already followed: one look-up gives the final name. */
  readonly modelMapping: ReadonlyMap<string, string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  /** Merged into the top level of request bodies; `null` when not set. `stream` is never in it. */
  readonly paramOverride: Readonly<Record<string, unknown>> | null
  readonly setting: ChannelSetting
  readonly autoBan: boolean
  readonly testModel: string
  readonly priority: number
  readonly weight: number
  /** When this process first saw these keys at this address, in ms: older attempts say nothing about them. */
  readonly keysSince: number
}

/** Channels of one group and model that share a priority. */
export interface Tier {
  readonly priority: number
  readonly channels: readonly RoutedChannel[]
  /** Draws places of `channels` by their weights. */
  readonly drawing: WeightedDraw
  /** The `param_override` of those channels that have one: it may raise what a call costs. */
  readonly overrides: readonly Readonly<Record<string, unknown>>[]
}

/** Everything routing knows at one moment. Replaced whole on change. */
export interface ChannelSnapshot {
  /** Tiers of enabled channels, highest priority first; `undefined` when the group cannot reach the model. */
  tiers(group: string, model: string): readonly Tier[] | undefined
  channel(id: number): RoutedChannel | undefined
  /** Models enabled for a group, sorted. */
  modelsOf(group: string): readonly string[]
  /** Whether any channel, enabled or not, in any group, lists the model. */
  knowsModel(model: string): boolean
  /**
   * The same name, as one and the same string for every call: what is kept under names is found quicker by it, and a
   * name that is kept does not keep the request body that it was cut from.
   */
  nameOf(model: string): string
  readonly channels: readonly RoutedChannel[]
}

export interface ChannelDirectory {
  readonly snapshot: ChannelSnapshot
  /** Reads all channels again and replaces the snapshot; subscribed to 'channels-changed'. */
  reload(): Promise<void>
}

/** How one attempt upstream ended. */
export interface AttemptOutcome {
  readonly channelId: number
  readonly keyIndex: number
  readonly model: string
  /** Time to the first meaningful event (or the whole answer), in ms. */
  readonly ms: number
  /** `undefined` when it succeeded. Status is after `status_code_mapping`. */
  readonly error?: UpstreamErrorInfo
}

/** Rolling health per channel, per key and per model, with a breaker on each. */
export interface HealthBook {
  /**
   * Whether the breaker lets a call through now (a half-open breaker lets one probe through at a time).
   * Ask right before the attempt, not while planning: a yes may be the one probe, which nobody else gets for a while.
   */
  admits(channelId: number, keyIndex: number, model: string): boolean
  /** When the channel may be tried again, in ms since 1970; 0 when it may be tried now. */
  retryAt(channelId: number, model: string): number
  record(outcome: AttemptOutcome): void
  /** Forgets what is known, after an edit or a passing test. */
  reset(channelId: number): void
  view(channelId: number): HealthView
}

export interface HealthView {
  readonly state: 'closed' | 'open' | 'half-open'
  readonly errorRate: number
  readonly reason: string
  readonly retryAt: number
  /** Mean time of attempts for each minute of the last hour that had any, oldest first. */
  readonly recentMs: readonly number[]
  /** Keys that rest, by index. */
  readonly restingKeys: ReadonlyMap<number, { readonly reason: string; readonly retryAt: number }>
}

/**
 * Takes channels and keys out of service and back, by the operator's options, and writes down why.
 * Decides from an outcome whether to act; never throws; works in the background.
 */
export interface ChannelSwitch {
  /** Called for every failed attempt that reached an upstream. */
  considerDisabling(outcome: AttemptOutcome): void
}
