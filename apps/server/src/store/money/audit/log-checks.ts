import { logTypes, nameOf } from '@tollgate/api/roles'
import type { AccountKind } from '../../settlement.ts'
import { type Check, type CheckedRow, compareSides, hourOf, sideColumns, timeOf } from './check.ts'

const loggedHour = 'created_at - created_at % 3600 as hour'

const summedByRollup = {
  count: 'count',
  quota: 'quota',
  prompt_tokens: 'prompt_tokens',
  completion_tokens: 'completion_tokens',
  cost: 'cost',
  costed_quota: 'costed_quota',
  costed_calls: 'costed_calls',
}

/** A correction changes what calls were charged, and nothing else of them. */
const noRollup = Object.fromEntries(Object.keys(summedByRollup).map((figure) => [figure, '0']))

/** The cost of a row, and the sums of rows with one. */
const costOfRow = {
  cost: 'coalesce(cost, 0)',
  costed_quota: 'case when cost is null then 0 else quota end',
  costed_calls: 'case when cost is null then 0 else 1 end',
}
const summedCost = { cost: 'cost', costed_quota: 'costed_quota', costed_calls: 'costed_calls' }
const chargeFigures = ['quota', 'calls', ...Object.keys(summedCost)]
const noCharge = Object.fromEntries(chargeFigures.map((figure) => [figure, '0']))

/** The log, its rollup, its index and the charges of accounts, against each other. */
export const logChecks: readonly Check[] = [
  {
    figures: Object.keys(summedByRollup),
    what: (figure, row) =>
      `${figure.replaceAll('_', ' ')} of the hourly rollup for ${typeOf(row)} of ${modelOf(row)} by user ${row['user_id']} in the hour from ${hourOf(row)}, against the log`,
    sql: ({ log: from }) =>
      compareSides('hour, type, user_id, model', Object.keys(summedByRollup), [
        `select ${loggedHour}, type, user_id, model, ${sideColumns('expected', { ...summedByRollup, ...costOfRow, count: '1' })}
          from logs where created_at >= ${from}`,
        `select hour, type, user_id, model, ${sideColumns('expected', summedByRollup)}
          from imported_usage where hour >= ${from}`,
        `select hour, ${logTypes.consumption} as type, user_id, model, ${sideColumns('expected', { ...noRollup, quota: 'amount', costed_quota: 'costed_quota' })}
          from correction_sums where applied = 1 and hour >= ${from}`,
        `select hour, type, user_id, model, ${sideColumns('found', summedByRollup)}
          from usage_hourly where hour >= ${from}`,
      ]),
  },
  {
    figures: Object.keys(summedByRollup),
    what: (figure, row) =>
      `${figure.replaceAll('_', ' ')} of the rollup by model for ${typeOf(row)} of ${modelOf(row)} in the hour from ${hourOf(row)}, against the rollup by user`,
    // Holds for hours with cleared rows, too: both tables stay.
    sql: () =>
      compareSides('hour, type, model', Object.keys(summedByRollup), [
        `select hour, type, model, ${sideColumns('expected', summedByRollup)}
          from usage_hourly where type in (${logTypes.consumption}, ${logTypes.error})`,
        `select hour, type, model, ${sideColumns('found', summedByRollup)} from usage_by_model`,
      ]),
  },
  {
    figures: Object.keys(summedByRollup),
    what: (figure, row) =>
      `${figure.replaceAll('_', ' ')} of the quarters by model for ${typeOf(row)} of ${modelOf(row)} in the quarter hour from ${timeOf(row['quarter'])}, against the quarters by user`,
    sql: () =>
      compareSides('quarter, type, model', Object.keys(summedByRollup), [
        `select quarter, type, model, ${sideColumns('expected', summedByRollup)}
          from usage_quarters where type in (${logTypes.consumption}, ${logTypes.error})`,
        `select quarter, type, model, ${sideColumns('found', summedByRollup)} from usage_by_model_quarters`,
      ]),
  },
  {
    figures: ['count'],
    what: (_, row) =>
      `failures of channel ${row['channel_id']} in the hour from ${hourOf(row)}, against the log`,
    sql: ({ log: from }) =>
      compareSides(
        'hour, channel_id',
        ['count'],
        [
          `select ${loggedHour}, channel_id, ${sideColumns('expected', { count: '1' })}
            from logs where created_at >= ${from} and type = ${logTypes.error}`,
          `select hour, channel_id, ${sideColumns('found', { count: 'count' })}
            from failures_by_channel where hour >= ${from}`,
        ],
      ),
  },
  {
    figures: chargeFigures,
    what: (figure, row) =>
      `${figure.replaceAll('_', ' ')} charged to user ${row['account_id']} in the hour from ${hourOf(row)}, against the hourly rollup`,
    // Holds for hours with cleared rows, too: their rollup stays.
    sql: () =>
      compareSides('hour, account_id', chargeFigures, [
        `select hour, user_id as account_id, ${sideColumns('expected', { quota: 'quota', calls: 'count', ...summedCost })}
          from usage_hourly where type = ${logTypes.consumption}`,
        charges('expected', 'unlogged_charges', 'user'),
        charges('found', 'ledger_charges', 'user'),
      ]),
  },
  chargeCheck('token', 'token_id'),
  chargeCheck('channel', 'channel_id'),
  {
    figures: ['count', 'quota'],
    what: (figure, row) => `${figure} of block ${row['id']} of the log index, against the log`,
    sql: () => `select log_blocks.id as id, log_blocks.count as count_found, log_blocks.quota as quota_found,
        count(logs.id) as count_expected, cast(coalesce(sum(logs.quota), 0) as bigint) as quota_expected
      from log_blocks left join logs on logs.id >= first_id and logs.id <= last_id
      group by log_blocks.id, log_blocks.count, log_blocks.quota order by log_blocks.id`,
  },
  {
    figures: ['count'],
    what: (figure, row) => `${figure} of span ${row['id']} of the log index, against its blocks`,
    sql: () => `select log_spans.id as id, log_spans.count as count_found,
        cast(coalesce(sum(log_blocks.count), 0) as bigint) as count_expected
      from log_spans left join log_blocks on log_blocks.id >= log_spans.id and log_blocks.id <= last_block
      group by log_spans.id, log_spans.count order by log_spans.id`,
  },
]

/** Checks that every charge has a row in the log or in the sums of cleared rows, or was made while logging was off. */
function chargeCheck(kind: AccountKind, column: string): Check {
  return {
    figures: chargeFigures,
    what: (figure, row) =>
      `${figure.replaceAll('_', ' ')} charged to ${kind} ${row['account_id']} in the hour from ${hourOf(row)}, against the log`,
    sql: ({ sums: from }) =>
      compareSides('hour, account_id', chargeFigures, [
        `select ${loggedHour}, ${column} as account_id, ${sideColumns('expected', { quota: 'quota', calls: '1', ...costOfRow })}
          from logs where type = ${logTypes.consumption} and created_at >= ${from} and ${column} <> 0`,
        `${charges('expected', 'cleared_charges', kind)} and hour >= ${from}`,
        `${charges('expected', 'unlogged_charges', kind)} and hour >= ${from} and account_id <> 0`,
        `select hour, ${column} as account_id, ${sideColumns('expected', { ...noCharge, quota: 'amount', costed_quota: 'costed_quota' })}
          from correction_sums where applied = 1 and hour >= ${from} and ${column} <> 0`,
        `${charges('found', 'ledger_charges', kind)} and hour >= ${from} and account_id <> 0`,
      ]),
  }
}

function charges(side: 'expected' | 'found', table: string, kind: AccountKind): string {
  return `select hour, account_id, ${sideColumns(side, { quota: 'amount', calls: 'calls', ...summedCost })}
    from ${table} where account_kind = '${kind}'`
}

function typeOf(row: CheckedRow): string {
  return nameOf(logTypes, Number(row['type'])) ?? `type ${row['type']}`
}

function modelOf(row: CheckedRow): string {
  return row['model'] === '' ? 'no model' : String(row['model'])
}
