import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { ParamOverride } from '../../upstream/body-operations/operation.ts'
import type { ChannelAffinity } from './session-affinity.ts'

/** Channels in the order in which a call tries them. */
export interface RoutePlan {
  /** The `param_override` of the channels that may be tried. */
  readonly overrides: readonly ParamOverride[]
  /** The channels that may be tried, in no order. */
  readonly channels: readonly RoutedChannel[]
  /** The session that the call belongs to, and the channel that is its own. */
  readonly affinity?: ChannelAffinity
  /** Never one named before; `undefined` when there is none left. */
  next(): RoutedChannel | undefined
}
