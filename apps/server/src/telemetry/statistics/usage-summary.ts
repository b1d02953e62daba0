import type { ModelChannelCost, OwnUsageSummary, RefusedUser, UsageSummary, UsageTotals } from '@tollgate/api'
import { type ReaderClock, startOfDay, startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { AttemptsOfModel } from '../../store/channels/read-attempt-counts.ts'
import type { ModelTotal, StatisticsRepository } from '../../store/log/statistics.ts'
import { failingChannels, failingModels, totalsOf } from './attempt-totals.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'modelTotals'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'ofAll' | 'ofUser'>
  /** Writes the attempts that this node has counted. */
  readonly writeAttempts: () => Promise<void>
  readonly ledger: Pick<Ledger, 'flush'>
  /** Empty for a channel that no longer exists. */
  readonly channelName: (id: number) => string
  /** Prices below cost. */
  readonly losing: () => ModelChannelCost[]
  /** Users whose balance refuses their calls. */
  readonly refusedUsers: () => Promise<RefusedUser[]>
  readonly clock: Clock
}

/** The figures above a dashboard, of today and the week that ends with it. */
export interface UsageSummaries {
  all(reader: ReaderClock): Promise<UsageSummary>
  own(userId: number, reader: ReaderClock): Promise<OwnUsageSummary>
}

const listed = 10
const daysBeforeToday = 6

export function createUsageSummaries({
  statistics,
  attemptCounts,
  writeAttempts,
  ledger,
  channelName,
  losing,
  refusedUsers,
  clock,
}: Dependencies): UsageSummaries {
  const timesOf = (reader: ReaderClock) => {
    const zone = zoneOf(reader)
    const today = startOfDay(unixSeconds(clock), zone)
    return { today, week: startOfDayAfter(today, -daysBeforeToday, zone) }
  }

  return {
    async all(reader) {
      const { today, week } = timesOf(reader)
      await Promise.all([ledger.flush(), writeAttempts()])
      const [models, attempts, refused_users] = await Promise.all([
        statistics.modelTotals(week, today),
        attemptCounts.ofAll(week, today),
        refusedUsers(),
      ])
      return {
        ...summaryOf(models, attempts),
        failing_channels: failingChannels(attempts, listed).map((totals) => ({
          channel_name: channelName(totals.channel),
          ...totals,
        })),
        losing: losing(),
        refused_users,
      }
    },
    async own(userId, reader) {
      const { today, week } = timesOf(reader)
      await Promise.all([ledger.flush(), writeAttempts()])
      const [models, attempts] = await Promise.all([
        statistics.modelTotals(week, today, userId),
        attemptCounts.ofUser(week, today, userId),
      ])
      return summaryOf(models, attempts)
    },
  }
}

function summaryOf(models: readonly ModelTotal[], attempts: readonly AttemptsOfModel[]): OwnUsageSummary {
  const used = models.filter(({ count }) => count > 0)
  return {
    today: sumOf(models.map(ofToday)),
    week: sumOf(models.map(ofWeek)),
    top_models: used.slice(0, listed).map(named),
    attempts: { today: totalsOf(attempts.filter(({ isToday }) => isToday)), week: totalsOf(attempts) },
    failing_models: failingModels(attempts, listed),
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
