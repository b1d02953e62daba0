import type { ModelChannelCost } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { RouteObservations } from '../../store/channels/route-observations.ts'

/** Outcomes of one model's calls at one channel. */
export interface Observed {
  readonly attempts: number
  /** Failures by the upstream's fault: another channel is tried. */
  readonly failures: number
  /** `undefined` where nothing succeeded. */
  readonly latencyMs: number | undefined
}

/** Outcomes of a week, looked up by channel and model. */
export interface Observations {
  at(channelId: number, model: string): Observed
  /** The part of attempts that fails: with the model, else of the channel, else of all. */
  failureRate(channelId: number, model: string): number
  latencyMs(channelId: number, model: string): number | undefined
  /** Models that were called, and how often: attempts that were the last of their call. */
  readonly calls: ReadonlyMap<string, number>
  /** Quota units of a mean call; `undefined` where its cost is not known. */
  cost(channelId: number, model: string): number | undefined
}

interface Sum {
  attempts: number
  failures: number
  ok: number
  ms: number
}

/** @param costs of models at channels, as quota units per token or currency per call */
export function observationsOf(
  { attempts, tokens }: RouteObservations,
  costs: readonly ModelChannelCost[],
  quotaPerUnit: number,
): Observations {
  const [exact, byChannel, calls] = [
    new Map<string, Sum>(),
    new Map<number, Sum>(),
    new Map<string, number>(),
  ]
  const all = emptySum()
  for (const { channelId, model, outcome, count, ms } of attempts) {
    const isFailure = outcome === 'upstream'
    const sums = [
      getOrInsert(exact, key(channelId, model), emptySum),
      getOrInsert(byChannel, channelId, emptySum),
      all,
    ]
    for (const sum of sums) {
      sum.attempts += count
      sum.failures += isFailure ? count : 0
      sum.ok += outcome === 'ok' ? count : 0
      sum.ms += outcome === 'ok' ? ms : 0
    }
    if (!isFailure) calls.set(model, (calls.get(model) ?? 0) + count)
  }
  const usage = new Map(tokens.map((row) => [row.model, row]))
  const costOf = new Map(costs.map((row) => [key(row.channel, row.model_name), row]))
  const sumsOf = (channelId: number, model: string) =>
    [exact.get(key(channelId, model)), byChannel.get(channelId), all].filter((sum) => sum !== undefined)
  return {
    calls,
    at(channelId, model) {
      const sum = exact.get(key(channelId, model)) ?? emptySum()
      return { attempts: sum.attempts, failures: sum.failures, latencyMs: meanOf(sum) }
    },
    failureRate(channelId, model) {
      const sum = sumsOf(channelId, model).find(({ attempts: seen }) => seen > 0)
      return sum === undefined ? 0 : sum.failures / sum.attempts
    },
    latencyMs(channelId, model) {
      return sumsOf(channelId, model)
        .map(meanOf)
        .find((mean) => mean !== undefined)
    },
    cost(channelId, model) {
      const cost = costOf.get(key(channelId, model))
      const used = usage.get(model)
      if (cost === undefined || cost.source === 'unknown') return undefined
      if (cost.quota_type === 1) return cost.model_price * quotaPerUnit
      if (used === undefined || used.calls === 0) return undefined
      const units = used.promptTokens + used.completionTokens * cost.completion_ratio
      return (units * cost.model_ratio) / used.calls
    },
  }
}

function key(channelId: number, model: string): string {
  return `${channelId} ${model}`
}

function emptySum(): Sum {
  return { attempts: 0, failures: 0, ok: 0, ms: 0 }
}

function meanOf({ ok, ms }: Sum): number | undefined {
  return ok === 0 ? undefined : ms / ok
}
