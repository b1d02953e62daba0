import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { Demand, LimitCounts, Verdict } from './limit-counts.ts'
import type { LimitGranted } from './limits.ts'
import { addDemands, estimatedTokens } from './rate-limit.ts'
import { usedTokens } from './used-tokens.ts'

/** Whether a channel may be asked now. */
export type ChannelLimitDecision =
  | LimitGranted
  | { readonly granted: false; readonly retryAfterSeconds: number }
  /** The channel has no limits. */
  | undefined

/** Limits of channels: a call passes by a channel that has reached its own, as if it were not there. */
export interface ChannelLimits {
  acquire(
    channel: RoutedChannel,
    call: RelayCall<ModelRequest>,
  ): ChannelLimitDecision | Promise<ChannelLimitDecision>
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
        ? verdict.then((taken) => decisionOf(taken, counts))
        : decisionOf(verdict, counts)
    },
  }
}

function decisionOf(verdict: Verdict, counts: LimitCounts): ChannelLimitDecision {
  if (!verdict.granted) return { granted: false, retryAfterSeconds: verdict.retryAfterSeconds }
  const { taken } = verdict
  return {
    granted: true,
    release: ({ usage }) => counts.settle(taken, { tokens: usedTokens(usage), refused: false }),
  }
}
