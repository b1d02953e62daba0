import type { OwnUsageSummary, UsageSummary, UsageTotals } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../billing/ledger-types.ts'
import type { ModelTotal, StatisticsRepository } from '../store/statistics.ts'
import { daysBefore, startOfDay } from './steps.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'modelTotals' | 'failingChannels'>
  readonly ledger: Pick<Ledger, 'flush'>
  /** Empty for a channel that no longer exists. */
  readonly channelName: (id: number) => string
  readonly clock: Clock
}

/** The figures above a dashboard, of today and the week that ends with it. */
export interface UsageSummaries {
  all(utcOffset: number): Promise<UsageSummary>
  own(userId: number, utcOffset: number): Promise<OwnUsageSummary>
}

const listed = 10
const daysBeforeToday = 6

export function createUsageSummaries({
  statistics,
  ledger,
  channelName,
  clock,
}: Dependencies): UsageSummaries {
  const timesOf = (utcOffset: number) => {
    const now = unixSeconds(clock)
    const today = startOfDay(now, utcOffset)
    return { now, today, week: daysBefore(today, daysBeforeToday) }
  }

  return {
    async all(utcOffset) {
      const { now, today, week } = timesOf(utcOffset)
      await ledger.flush()
      const [models, failing] = await Promise.all([
        statistics.modelTotals(week, today),
        statistics.failingChannels(week, now, listed),
      ])
      return {
        ...summaryOf(models),
        failing_channels: failing.map(({ channelId, count, errors }) => ({
          channel: channelId,
          channel_name: channelName(channelId),
          count,
          errors,
        })),
      }
    },
    async own(userId, utcOffset) {
      const { today, week } = timesOf(utcOffset)
      await ledger.flush()
      return summaryOf(await statistics.modelTotals(week, today, userId))
    },
  }
}

function summaryOf(models: readonly ModelTotal[]): OwnUsageSummary {
  const used = models.filter(({ count }) => count > 0)
  const failing = models.filter(({ errors }) => errors > 0).toSorted((a, b) => b.errors - a.errors)
  return {
    today: sumOf(models.map(ofToday)),
    week: sumOf(models.map(ofWeek)),
    top_models: used.slice(0, listed).map(named),
    failing_models: failing.slice(0, listed).map(named),
  }
}

const named = (total: ModelTotal) => ({ model_name: total.model, ...ofWeek(total) })

function ofWeek({ count, errors, quota, tokens }: ModelTotal): UsageTotals {
  return { count, errors, quota, token_used: tokens }
}

function ofToday({ todayCount, todayErrors, todayQuota, todayTokens }: ModelTotal): UsageTotals {
  return { count: todayCount, errors: todayErrors, quota: todayQuota, token_used: todayTokens }
}

function sumOf(all: readonly UsageTotals[]): UsageTotals {
  const sum = { count: 0, errors: 0, quota: 0, token_used: 0 }
  for (const each of all) {
    sum.count += each.count
    sum.errors += each.errors
    sum.quota += each.quota
    sum.token_used += each.token_used
  }
  return sum
}
