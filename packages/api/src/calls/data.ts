import { z } from 'zod'
import { faults } from '../faults.ts'
import { oneBasedPage, pageSize, queryInteger, queryText, quota, readerClock, unixSeconds } from '../wire.ts'
import { modelCost } from './charges/margin.ts'
import { get } from './define.ts'

export const granularities = ['hour', 'day', 'week'] as const
/** Length of each step of a chart. */
export type Granularity = (typeof granularities)[number]

/** The figures of one model in one hour, day or week. Failed calls are in none of them. */
export const usageRow = z.object({
  /** Its place in this response, counted from 1. */
  id: z.number().int(),
  /** 0 for the sum over all users. */
  user_id: z.number().int(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the hour, day or week. */
  created_at: unixSeconds,
  token_used: z.number().int(),
  count: z.number().int(),
  quota,
})
/** Usage of one model in one step of time. */
export type UsageRow = z.output<typeof usageRow>

/** An unknown word counts as absent, because older consoles send some. */
const granularity = queryText.transform((word) => granularities.find((known) => known === word))

/**
 * Hours of the reader's clock that begin from `start_timestamp` to `end_timestamp`, both inclusive; days and weeks by the quarter hour.
 * Without times the last 30 days.
 */
const range = {
  start_timestamp: queryInteger,
  end_timestamp: queryInteger,
  /** Both names mean the same; without either, rows are by the hour. */
  granularity,
  default_time: granularity,
  ...readerClock,
}

/** Beside the rows: their real granularity. Hours over many days are returned as days. */
const visibleBy = z.object({ granularity: z.enum(granularities) })

const totals = z.object({
  /** Successful calls. */
  count: z.number().int(),
  /** Failed calls. Only those with a row in the log are known. */
  errors: z.number().int(),
  quota,
  token_used: z.number().int(),
})

const modelTotals = totals.extend({ model_name: z.string() })

/** Attempts at channels, of which a call may have several. For operators alone. */
export const attemptTotals = z.object({
  ok: z.number().int(),
  /** Those that failed, by whose fault. */
  faults: z.record(z.enum(faults), z.number().int()),
})

/**
 * Calls as their callers received them: one that another channel served is `ok`. Refusals that leave no row in the log are counted
 * too.
 */
export const callTotals = attemptTotals.extend({
  /** Those whose response had started and broke off. */
  broken: z.number().int(),
})

/** Beginnings of days by the caller's clock: of today, and of the sixth day before. */
const since = z.object({ today: unixSeconds, week: unixSeconds })

/** Calls of today, and of today and the six days before. */
export const callsOfWeek = z.object({
  since,
  today: callTotals,
  week: callTotals,
  /** Failed calls of the week that have a row in the log. */
  failed_rows: z.number().int(),
})
export type CallsOfWeek = z.output<typeof callsOfWeek>

/** The figures above a dashboard. Days begin at midnight of the caller's time zone. */
const ownSummary = z.object({
  since,
  today: totals,
  /** Today and the six days before. */
  week: totals,
  /** Models of the week with most calls, in descending order; at most ten. */
  top_models: z.array(modelTotals),
  /** By whose fault calls failed. */
  calls: z.object({ today: callTotals, week: callTotals }),
  /** Of the week, those of which most calls failed by another fault than the caller's; at most ten. */
  failing_models: z.array(
    callTotals.extend({
      model_name: z.string(),
      /** As in the sums of the log: charged calls, and failed ones that have a row. */
      count: z.number().int(),
      errors: z.number().int(),
    }),
  ),
  /** How many more models failed. */
  more_failing_models: z.number().int(),
})

/** A user whose calls were refused in the last 24 hours for a balance that still does not cover them. */
export const refusedUser = z.object({
  user_id: z.number().int(),
  username: z.string(),
  /** The balance now. */
  quota,
  /** Refused calls. */
  count: z.number().int(),
  /** Time of the last refusal. */
  last_at: unixSeconds,
})
export type RefusedUser = z.output<typeof refusedUser>

const summary = ownSummary.extend({
  /** Attempts at channels, and by whose fault they failed. */
  attempts: z.object({ today: attemptTotals, week: attemptTotals }),
  /** Calls that were served although an attempt had failed. */
  rescued: z.object({ today: z.number().int(), week: z.number().int() }),
  /** Of the week, those that failed most by their own fault; at most ten. */
  failing_channels: z.array(
    attemptTotals.extend({
      channel: z.number().int(),
      /** Empty for a channel that no longer exists. */
      channel_name: z.string(),
      /** Calls of the log that tried it, of which one may have several attempts. */
      calls: z.number().int(),
    }),
  ),
  /** How many more channels failed. */
  more_failing_channels: z.number().int(),
  /** Models that some group is charged less for than they cost, by channel; absent from nodes of the version before. */
  losing: z.array(modelCost).optional(),
  /** Those with most refusals first, at most thirty; absent from nodes of the version before. */
  refused_users: z.array(refusedUser).optional(),
})
/** Attempts that succeeded, and those that failed by each fault. */
export type AttemptTotals = z.output<typeof attemptTotals>
/** Calls that succeeded, broke off, and failed by each fault. */
export type CallTotals = z.output<typeof callTotals>
export type UsageTotals = z.output<typeof totals>
export type OwnUsageSummary = z.output<typeof ownSummary>
export type UsageSummary = z.output<typeof summary>

export const clockOnly = z.object(readerClock)

const spendTimes = {
  /** Quarter hours that begin between them, both inclusive, and the whole hour that begins with the last; without times the last 30 days. */
  start_timestamp: queryInteger,
  end_timestamp: queryInteger,
}

const spendFigures = z.object({ count: z.number().int(), token_used: z.number().int(), quota })

/** Spending of users on models: a row per user, a column for each of the models that cost most. */
export const spendTable = z.object({
  /** Those with a column of their own, dearest first. */
  models: z.array(z.string()),
  /** Those who spent most first. */
  rows: z.array(
    spendFigures.extend({
      user_id: z.number().int(),
      /** Empty for an account that no longer exists. */
      username: z.string(),
      /** Quota on each of `models`; the rest of `quota` went to others. */
      by_model: z.array(quota),
    }),
  ),
  /** Sums over all users, also those on other pages. */
  total: spendFigures.extend({ users: z.number().int(), by_model: z.array(quota) }),
})
export type SpendTable = z.output<typeof spendTable>
export type SpendTableRow = SpendTable['rows'][number]

export const usageData = {
  list: get('admin', '/api/data/', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ ...range, username: queryText }),
    data: z.array(usageRow),
    extra: visibleBy,
  }),
  listSelf: get('user', '/api/data/self', {
    recentProof: 'reads',
    query: z.object(range),
    data: z.array(usageRow),
    extra: visibleBy,
  }),
  spend: get('admin', '/api/data/spend', {
    part: 'money',
    recentProof: 'reads',
    query: z.object({ ...spendTimes, p: oneBasedPage, page_size: pageSize }),
    data: spendTable,
  }),
  /** A line of CSV per user and model, those who spent most first. */
  exportSpend: get('admin', '/api/data/spend/export', {
    part: 'money',
    // The audit log records who took it along.
    recentProof: 'operates',
    query: z.object({ ...spendTimes, ...readerClock }),
    response: 'stream',
  }),
  summary: get('admin', '/api/data/summary', {
    part: 'log',
    recentProof: 'reads',
    query: clockOnly,
    data: summary,
  }),
  summarySelf: get('user', '/api/data/self/summary', {
    recentProof: 'reads',
    query: clockOnly,
    data: ownSummary,
  }),
}
