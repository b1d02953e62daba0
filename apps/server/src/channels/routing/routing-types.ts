import type { ChannelStatus, RateLimits } from '@tollgate/api'
import type { CostFeature, Instructions } from '@tollgate/formats'
import type { ParamOverride } from '../../upstream/body-operations/operation.ts'
import type { UpstreamChannel } from '../../upstream/request-target.ts'
import type { ConsistentHash } from './consistent-hash.ts'
import type { Drain } from './draining.ts'
import type { WeightedPicker } from './weighted-picker.ts'

/** The channel's `setting` JSON, parsed. */
export interface ChannelSetting {
  /** Re-serialise stream events to the known OpenAI fields. */
  readonly forceFormat: boolean
  /** Put reasoning into the content between think tags. */
  readonly thinkingToContent: boolean
  /** http(s) or socks5 proxy for every call to this channel; empty for none. */
  readonly proxy: string
  /** Upstreams of the caller's format get its body as it was received, and the model by the caller's name. */
  readonly passThroughBody: boolean
  /** System prompt of the channel, ahead of the caller's messages. */
  readonly instructions: Instructions | undefined
  /** Policy for fields of callers that change what the provider charges, or concern its privacy. */
  readonly fields: FieldPolicy
  /** Deployments have their models' names without dots. */
  readonly stripsDeploymentDots: boolean
  /** Limits of the channel; absent without any. */
  readonly limits?: RateLimits
  /** Factor of the channel's costs to the vendors' list prices; absent: all of it. */
  readonly costFactor?: number
}

/** Policy of a channel for fields that have no price. */
export interface FieldPolicy {
  readonly allowed: ReadonlySet<CostFeature>
  /** Drops disallowed fields instead of refusing the call. */
  readonly strips: boolean
}

/** Reason and time at which a key was taken out of service. */
export interface DisabledKey {
  readonly reason: string
  readonly at: number
  /** Set by a person: the gateway does not try it again. */
  readonly isManual?: true
}

/** A channel as routing and sending see it: parsed, decrypted and checked once per change, then never mutated. */
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
  /** Names with a cyclic mapping: the channel cannot serve them. */
  readonly mappingLoops: ReadonlySet<string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  /** The edits of request bodies; `null` when not set. */
  readonly paramOverride: ParamOverride | null
  readonly setting: ChannelSetting
  readonly autoBan: boolean
  readonly testModel: string
  readonly priority: number
  readonly weight: number
  /**
   * Time when this process first saw these keys at this address, in ms of the monotonic clock. Attempts that began earlier say nothing
   * about them.
   */
  readonly keysSince: number
  /** Set while new calls avoid it and its open ones go on. */
  readonly drain?: Drain | undefined
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

/** Everything routing reads at one moment. A change replaces it completely. */
export interface ChannelSnapshot {
  /** Tiers of enabled channels, highest priority first; `undefined` when the group cannot reach the model. */
  tiers(group: string, model: string): readonly Tier[] | undefined
  channel(id: number): RoutedChannel | undefined
  /** Models enabled for a group, sorted. */
  modelsOf(group: string): readonly string[]
  /** Decides whether any channel, enabled or not, in any group, lists the model. */
  knowsModel(model: string): boolean
  /** Decides whether any channel of the group, enabled or not, lists the model. */
  lists(group: string, model: string): boolean
  /**
   * An equal name that does not share memory with the request body it was cut from: storing a substring would hold the
   * body in memory.
   */
  nameOf(model: string): string
  readonly channels: readonly RoutedChannel[]
  /** Ids of channels, served or not, that list a model whose name contains `part`, whatever the case. */
  listing(part: string): ReadonlySet<number>
}

export interface ChannelDirectory {
  readonly snapshot: ChannelSnapshot
  /**
   * Reloads all channels and replaces the snapshot. The channels that 'channels-changed' names reload by themselves.
   */
  reload(): Promise<void>
}
