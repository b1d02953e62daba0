/**
 * The sums of made-up calls, in SQL that SQLite and PostgreSQL read alike: rollups, charges and counters of accounts, as if the calls had
 * been drained. Users and tokens are credited what they spent.
 */
import { hourSeconds, quarterSeconds } from '../packages/api/src/calendar.ts'

/** Lists the statements that add the calls with ids after `after`, in their order; one connection runs them. */
export function sumStatements(after: number): readonly string[] {
  return [
    `create temp table filled as
      select created_at - created_at % ${quarterSeconds} as quarter, created_at - created_at % ${hourSeconds} as hour,
        user_id, token_id, channel_id, model, count(*) as calls, sum(quota) as quota,
        sum(prompt_tokens) as prompt, sum(completion_tokens) as completion
      from logs where id > ${after} and type = 2 group by 1, 2, 3, 4, 5, 6`,
    ...usageOf(['user_id', 'model']),
    ...usageOf(['model']),
    ...ofAccounts('user', 'used_quota + paid.quota, request_count = request_count + paid.calls'),
    ...ofAccounts('token', 'used_quota + paid.quota'),
    ...ofAccounts('channel', 'used_quota + paid.quota'),
    'drop table filled',
  ]
}

/** A later quarter of an hour is in the sum of the hour, and has a row of its own beside it. */
const laterQuarters = `from filled where quarter > hour`

function usageOf(by: readonly string[]): readonly string[] {
  const [hours, quarters] = by.includes('user_id')
    ? ['usage_hourly', 'usage_quarters']
    : ['usage_by_model', 'usage_by_model_quarters']
  return [
    stepsOf({ table: hours, time: 'hour', by, from: 'from filled' }),
    stepsOf({ table: quarters, time: 'quarter', by, from: laterQuarters }),
  ]
}

interface Steps {
  readonly table: string
  readonly time: string
  readonly by: readonly string[]
  readonly from: string
}

function stepsOf({ table, time, by, from }: Steps): string {
  const counts = ['count', 'quota', 'prompt_tokens', 'completion_tokens']
  const key = [time, ...by].join(', ')
  return `insert into ${table} (type, ${key}, ${counts.join(', ')}, cost, costed_quota, costed_calls)
    select 2, ${key}, sum(calls), sum(quota), sum(prompt), sum(completion), 0, 0, 0
    ${from} group by ${key}
    on conflict (type, ${key}) do update set ${addedUp(table, counts)}`
}

/** Two parts of a sum become one. */
function addedUp(table: string, columns: readonly string[]): string {
  return columns.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
}

function ofAccounts(kind: string, usedQuota: string): readonly string[] {
  const column = `${kind}_id`
  const table = `${kind}_accounts`
  return [
    `insert into ledger_charges (hour, account_kind, account_id, amount, calls)
      select hour, '${kind}', ${column}, sum(quota), sum(calls) from filled where true group by 1, 3
      on conflict (hour, account_kind, account_id) do update set ${addedUp('ledger_charges', ['amount', 'calls'])}`,
    `update ${table} set used_quota = ${usedQuota}
      from (select ${column} as id, sum(quota) as quota, sum(calls) as calls from filled group by 1) as paid
      where ${table}.id = paid.id`,
    ...(kind === 'token' ? [] : [chargeQuarters(kind, column)]),
    ...(kind === 'channel' ? [] : [entries(kind, column)]),
  ]
}

function chargeQuarters(kind: string, column: string): string {
  return `insert into charge_quarters (quarter, account_kind, account_id, amount, calls, cost, costed_quota, costed_calls)
    select quarter, '${kind}', ${column}, sum(quota), sum(calls), 0, 0, 0 ${laterQuarters} group by 1, 3
    on conflict (quarter, account_kind, account_id) do update set ${addedUp('charge_quarters', ['amount', 'calls'])}`
}

function entries(kind: string, column: string): string {
  return `insert into ledger_entries (account_kind, account_id, cause, amount, created_at, actor_id, note)
    select '${kind}', ${column}, 'initial', sum(quota), min(hour), 0, 'filled' from filled group by 2`
}
