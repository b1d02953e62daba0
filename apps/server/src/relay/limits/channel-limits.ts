import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { AskedModel, RelayCall } from '../call.ts'
import type { Demand, LimitCounts, Verdict } from './limit-counts.ts'
import type { GrantedPermission } from './limits.ts'
import { addDemands, estimatedTokens } from './rate-limit.ts'
import { usedTokens } from './used-tokens.ts'

/** Whether a channel may be asked now. */
export type ChannelPermission =
  | GrantedPermission
  | { readonly granted: false; readonly retryAfterSeconds: number }
  /** The channel has no limits. */
  | undefined

/** Limits of channels: a call passes by a channel that has reached its own, as if it were not there. */
export interface ChannelLimits {
  acquire(channel: RoutedChannel, call: RelayCall<AskedModel>): ChannelPermission | Promise<ChannelPermission>
}

export function createChannelLimits(settings: SettingsReader, counts: LimitCounts): ChannelLimits {
  return {
    acquire(channel, call) {
      const { limits } = channel.setting
      if (limits === undefined) return undefined
      const tokens = estimatedTokens(call.request, settings.current.PreConsumedQuota)
      const demands: Demand[] = []
      addDemands(demands, `channel ${channel.id}`, limits, tokens)
      const verdict = counts.take(demands)
      return verdict instanceof Promise
        ? verdict.then((taken) => permissionOf(taken, counts))
        : permissionOf(verdict, counts)
    },
  }
}

function permissionOf(verdict: Verdict, counts: LimitCounts): ChannelPermission {
  if (!verdict.granted) return { granted: false, retryAfterSeconds: verdict.retryAfterSeconds }
  const { taken } = verdict
  return {
    granted: true,
    over: ({ usage }) => counts.settle(taken, { tokens: usedTokens(usage), refused: false }),
  }
}
