import type { ChannelStatus, RateLimits } from '@tollgate/api'
import type { CostFeature, Instructions } from '@tollgate/formats'
import type { ParamOverride } from '../../upstream/body-operations/operation.ts'
import type { UpstreamChannel } from '../../upstream/request-target.ts'
import type { ConsistentHash } from './consistent-hash.ts'
import type { WeightedPicker } from './weighted-picker.ts'

/** The channel's `setting` JSON, read. */
export interface ChannelSetting {
  /** Re-serialise stream events to the known OpenAI fields. */
  readonly forceFormat: boolean
  /** Put reasoning into the content between think tags. */
  readonly thinkingToContent: boolean
  /** http(s) or socks5 proxy for every call to this channel; empty for none. */
  readonly proxy: string
  /** Upstreams of the caller's format get its body as it was received, and the model by the caller's name. */
  readonly passThroughBody: boolean
  /** Said to the model ahead of everything that callers say. */
  readonly instructions: Instructions | undefined
  /** Which fields of callers pass that change what the provider charges, or concern its privacy. */
  readonly fields: FieldPolicy
  /** Deployments have their models' names without dots. */
  readonly stripsDeploymentDots: boolean
  /** What may be asked of the channel; absent without limits. */
  readonly limits?: RateLimits
}

/** What a channel makes of fields that are not priced. */
export interface FieldPolicy {
  readonly allowed: ReadonlySet<CostFeature>
  /** Leaves out what is not allowed, instead of refusing the call. */
  readonly strips: boolean
}

/** Why and when a key was taken out of service. */
export interface DisabledKey {
  readonly reason: string
  readonly at: number
  /** By a person: it is not tried again by itself. */
  readonly isManual?: true
}

/** A channel as routing and sending see it: parsed, opened and checked once per change, then never mutated. */
export interface RoutedChannel extends UpstreamChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly status: ChannelStatus
  /** All keys in their order; a disabled one is in `disabledKeys`. */
  readonly keys: readonly string[]
  readonly disabledKeys: ReadonlyMap<number, DisabledKey>
  readonly models: ReadonlySet<string>
  readonly groups: readonly string[]
  /** Requested to upstream model. Chains are already followed: one look-up gives the final name. */
  readonly modelMapping: ReadonlyMap<string, string>
  /** Names whose mapping leads back to itself: the channel cannot serve them. */
  readonly mappingLoops: ReadonlySet<string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  /** What is done to request bodies; `null` when not set. */
  readonly paramOverride: ParamOverride | null
  readonly setting: ChannelSetting
  readonly autoBan: boolean
  readonly testModel: string
  readonly priority: number
  readonly weight: number
  /**
   * When this process first saw these keys at this address, in ms of the monotonic clock. Attempts that began earlier
   * say nothing about them.
   */
  readonly keysSince: number
}

/** Channels of one group and model that share a priority. */
export interface Tier {
  readonly priority: number
  readonly channels: readonly RoutedChannel[]
  /** Draws indexes of `channels` by their weights. */
  readonly picker: WeightedPicker
  /** Orders indexes of `channels` for a session, by their weights too. */
  readonly ordering: ConsistentHash
  /** The `param_override` of those channels that have one: it may raise what a call costs. */
  readonly overrides: readonly ParamOverride[]
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
   * An equal name that does not share memory with the request body it was cut from: a name that is kept must not keep
   * the body.
   */
  nameOf(model: string): string
  readonly channels: readonly RoutedChannel[]
  /** Ids of channels, served or not, that list a model whose name contains `part`, whatever the case. */
  listing(part: string): ReadonlySet<number>
}

export interface ChannelDirectory {
  readonly snapshot: ChannelSnapshot
  /** Reads all channels again and replaces the snapshot. What 'channels-changed' names is read again by itself. */
  reload(): Promise<void>
}
