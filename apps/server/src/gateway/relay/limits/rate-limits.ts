import { familyName, type RateLimits } from '@tollgate/api'
import type { RateLimitEntry } from '@tollgate/api/settings'
import { promptTokensOf, type Usage } from '@tollgate/formats'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { Demand, LimitCounts, Measure, Verdict } from './limit-counts.ts'
import type { CallOutcome, Limit, LimitDecision, LimitGranted } from './limits.ts'

/** Limits of keys, users, groups and models. A call takes of all that concern it, or of none. */
export function createRateLimit(settings: SettingsReader, counts: LimitCounts): Limit {
  return {
    acquire(call) {
      const demands = demandsOf(call, settings)
      if (demands === undefined) return undefined
      const verdict = counts.take(demands)
      return verdict instanceof Promise
        ? verdict.then((taken) => decisionOf(taken, counts))
        : decisionOf(verdict, counts)
    },
  }
}

function demandsOf(
  { caller, request }: RelayCall<ModelRequest>,
  { current }: SettingsReader,
): Demand[] | undefined {
  const { user, token, group } = caller
  const ofGroup = current.GroupRateLimits[group]
  const model = limitedName(request.model, current.ModelRateLimits)
  const ofModel = model === undefined ? undefined : current.ModelRateLimits[model]
  const isLimited =
    (token !== null && hasLimit(token)) || hasLimit(user) || ofGroup !== undefined || ofModel !== undefined
  if (!isLimited) return undefined
  const tokens = estimatedTokens(request, current.PreConsumedQuota)
  const demands: Demand[] = []
  if (token !== null) addDemands(demands, `key ${token.id}`, token, tokens)
  addDemands(demands, `user ${user.id}`, user, tokens)
  if (ofGroup !== undefined) addDemands(demands, `group ${group}`, named(ofGroup), tokens)
  if (ofModel !== undefined) addDemands(demands, `model ${model}`, named(ofModel), tokens)
  return demands.length === 0 ? undefined : demands
}

/** The name under which a model has a limit: its own, else that of its family, whose models share it. */
function limitedName(model: string, limits: Readonly<Record<string, RateLimitEntry>>): string | undefined {
  return [model, familyName(model)].find((name) => Object.hasOwn(limits, name))
}

function hasLimit(limits: RateLimits): boolean {
  return limits.requestsPerMinute > 0 || limits.tokensPerMinute > 0 || limits.concurrency > 0
}

/**
 * Estimates the tokens of a call, until it is over and its usage is known.
 * @param assumed output tokens of a call that states no maximum
 */
function estimatedTokens(request: ModelRequest, assumed: number): number {
  return request.roughPromptTokens() + (request.maxOutputTokens ?? assumed * request.candidates)
}

/** A call that is larger than the whole limit passes when nothing else is counted; otherwise it never would. */
function addDemands(demands: Demand[], subject: string, limits: RateLimits, tokens: number): void {
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits
  const add = (measure: Measure, limit: number, amount: number) => {
    if (limit > 0) demands.push({ subject, measure, limit, amount: Math.min(amount, limit) })
  }
  add('concurrency', concurrency, 1)
  add('requests', requestsPerMinute, 1)
  add('tokens', tokensPerMinute, tokens)
}

function named(entry: RateLimitEntry): RateLimits {
  const { requests_per_minute, tokens_per_minute, concurrency } = entry
  return { requestsPerMinute: requests_per_minute, tokensPerMinute: tokens_per_minute, concurrency }
}

function decisionOf(verdict: Verdict, counts: LimitCounts): LimitDecision {
  const { limitStatuses } = verdict
  if (!verdict.granted) {
    const { demand, retryAfterSeconds } = verdict
    return {
      granted: false,
      message: refusalText(demand, retryAfterSeconds),
      retryAfterSeconds,
      limitStatuses,
    }
  }
  const { taken } = verdict
  return {
    granted: true,
    limitStatuses,
    release: ({ usage, refused = false }: CallOutcome) =>
      counts.settle(taken, { tokens: usedTokens(usage), refused }),
  }
}

const bounded: Readonly<Record<Measure, (limit: number) => string>> = {
  requests: (limit) => `${limit} requests per minute`,
  tokens: (limit) => `${limit} tokens per minute`,
  concurrency: (limit) => `${limit} calls at the same time`,
}

/** Writes the refusal of a limit. The number of a key or an account means nothing to its owner; names of groups and models do. */
function refusalText({ subject, measure, limit }: Demand, retryAfterSeconds: number): string {
  const whose = /^(key|user) /.test(subject) ? `this ${subject.split(' ')[0]}` : `the ${subject}`
  return `The limit of ${whose} is reached: ${bounded[measure](limit)}. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`
}

/** Decision on a call by the limits of a channel. */
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
        ? verdict.then((taken) => channelDecisionOf(taken, counts))
        : channelDecisionOf(verdict, counts)
    },
  }
}

function channelDecisionOf(verdict: Verdict, counts: LimitCounts): ChannelLimitDecision {
  if (!verdict.granted) return { granted: false, retryAfterSeconds: verdict.retryAfterSeconds }
  const { taken } = verdict
  return {
    granted: true,
    release: ({ usage }) => counts.settle(taken, { tokens: usedTokens(usage), refused: false }),
  }
}

/** All tokens of a call as limits count them: cached ones too. 0 for a call that was not charged. */
function usedTokens(usage: Usage | undefined): number {
  return usage === undefined ? 0 : promptTokensOf(usage) + usage.outputTokens
}
