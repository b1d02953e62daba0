import type {
  CallTotals,
  ModelChannelCost,
  OwnUsageSummary,
  RefusedUser,
  UsageSummary,
  UsageTotals,
} from '@tollgate/api'
import { type ReaderClock, startOfDay, startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { AttemptsOfModel, CallsOfModel } from '../../store/channels/read-attempt-counts.ts'
import type { LogFilter } from '../../store/log/index/log-row.ts'
import type { ModelTotal, StatisticsRepository } from '../../store/log/statistics.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { attemptTotalsOf, callTotalsOf, failingChannels, failingModels, ofDays } from './attempt-totals.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'modelTotals'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'atChannels' | 'calls' | 'callsOfUser'>
  readonly usage: Pick<UsageRepository, 'page'>
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
/** Consoles of the version before list them; the incidents have all. */
const maxRefusedUsers = 30
const daysBeforeToday = 6

export function createUsageSummaries({
  statistics,
  attemptCounts,
  usage,
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
  const rowsOf = async (filter: LogFilter) => (await usage.page(filter, 1, 1)).total

  async function channelsOf(attempts: readonly AttemptsOfModel[], from: number) {
    const failing = failingChannels(attempts)
    const visible = failing.slice(0, listed).map(async (totals) => ({
      channel_name: channelName(totals.channel),
      ...totals,
      calls: await rowsOf({ triedChannelId: totals.channel, from }),
    }))
    return {
      failing_channels: await Promise.all(visible),
      more_failing_channels: failing.length - visible.length,
    }
  }

  return {
    async all(reader) {
      const since = timesOf(reader)
      const { today, week } = since
      await Promise.all([ledger.flush(), writeAttempts()])
      const [models, calls, attempts, refused_users, ...rescued] = await Promise.all([
        statistics.modelTotals(week, today),
        attemptCounts.calls(week, today),
        attemptCounts.atChannels(week, today),
        refusedUsers(),
        rowsOf({ isRescued: true, from: today }),
        rowsOf({ isRescued: true, from: week }),
      ])
      return {
        ...summaryOf(since, models, calls),
        attempts: ofDays(attempts, attemptTotalsOf),
        rescued: { today: rescued[0], week: rescued[1] },
        ...(await channelsOf(attempts, week)),
        losing: losing(),
        refused_users: refused_users.slice(0, maxRefusedUsers),
      }
    },
    async own(userId, reader) {
      const since = timesOf(reader)
      const { today, week } = since
      await Promise.all([ledger.flush(), writeAttempts()])
      const [models, calls] = await Promise.all([
        statistics.modelTotals(week, today, userId),
        attemptCounts.callsOfUser(week, today, userId),
      ])
      return summaryOf(since, models, calls)
    },
  }
}

function summaryOf(
  since: OwnUsageSummary['since'],
  models: readonly ModelTotal[],
  calls: readonly CallsOfModel[],
): OwnUsageSummary {
  const used = models.filter(({ count }) => count > 0)
  const failing = failingModels(calls)
  return {
    since,
    today: sumOf(models.map(ofToday)),
    week: sumOf(models.map(ofWeek)),
    top_models: used.slice(0, listed).map(named),
    calls: ofDays(calls, callTotalsOf),
    failing_models: failing.slice(0, listed).map((totals) => withRows(totals, models)),
    more_failing_models: Math.max(0, failing.length - listed),
  }
}

/** Calls of a model with the rows that the log has of them. */
function withRows<Failing extends CallTotals & { readonly model_name: string }>(
  failing: Failing,
  models: readonly ModelTotal[],
) {
  const { count = 0, errors = 0 } = models.find(({ model }) => model === failing.model_name) ?? {}
  return { ...failing, count, errors }
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
