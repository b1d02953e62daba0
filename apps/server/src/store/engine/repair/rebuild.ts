import type { Database } from 'bun:sqlite'
import { logTypes, redemptionStatuses } from '@tollgate/api/roles'
import type { Seconds } from '../../units.ts'

/** Facts from which the rest of a repaired database is rebuilt, beside its saved rows. */
export interface Rebuilding {
  /** Tables of which pages were damaged. */
  readonly damaged: ReadonlySet<string>
  readonly now: Seconds
}

interface Step {
  /** It is taken when one of these tables was damaged. */
  readonly when: readonly string[]
  /** Text for the operator; absent for a step that is no news. */
  readonly text?: string
  readonly statements: (rebuilding: Rebuilding) => readonly string[]
}

const index = ['log_span_parts', 'log_spans', 'log_block_parts', 'log_blocks', 'log_terms']
const quarters = ['usage_quarters', 'usage_by_model_quarters', 'charge_quarters', 'attempt_quarters']
const sums = ['usage_hourly', 'usage_by_model', 'ledger_charges', 'unlogged_charges', 'failures_by_channel']
const accounts = ['user_accounts', 'token_accounts', 'channel_accounts']
/** Tables whose lost rows follow from others, as far as those were saved. */
export const workedOutTables: ReadonlySet<string> = new Set([
  ...index,
  ...accounts,
  'usage_hourly',
  'usage_by_model',
  'usage_by_model_quarters',
  'open_quarters',
  'ledger_charges',
  'failures_by_channel',
])
const hour = 'created_at - created_at % 3600'
const costs = `sum(coalesce(cost, 0)) as cost, sum(case when cost is null then 0 else quota end) as costed_quota, sum(case when cost is null then 0 else 1 end) as costed_calls`
const usageColumns = 'count, quota, prompt_tokens, completion_tokens, cost, costed_quota, costed_calls'
/** Sums of a lost hour without those of its later quarters that are there. */
const lacking = (table: string, columns: string, key: string) =>
  columns
    .split(', ')
    .map(
      (name) => `${name} - coalesce((select sum(${name}) from ${table} as later
        where later.hour > summed.start and later.hour < summed.start + 3600 and ${key}), 0)`,
    )
    .join(', ')
const lackingUsage = lacking(
  'usage_hourly',
  usageColumns,
  'later.type = summed.type and later.user_id = summed.user_id and later.model = summed.model',
)
const chargeColumns = 'hour, account_kind, account_id, amount, calls, cost, costed_quota, costed_calls'
const chargeSums = 'amount, calls, cost, costed_quota, costed_calls'
const charged = chargeSums
  .split(', ')
  .map((name) => `sum(${name}) as ${name}`)
  .join(', ')
const lackingCharges = lacking(
  'ledger_charges',
  chargeSums,
  'later.account_kind = summed.account_kind and later.account_id = summed.account_id',
)
/** Holds that their entries know and that are gone. */
const lostHolds = `select account_kind, account_id, note, -sum(amount) as held from ledger_entries as entries
  where cause in ('hold', 'hold-release')
    and not exists (select 1 from holds where holds.id = entries.note and holds.account_kind = entries.account_kind
      and holds.account_id = entries.account_id)
  group by account_kind, account_id, note having sum(amount) <> 0`
/** The hour of the last call that is known. */
const lastHour = (now: Seconds) =>
  `(select coalesce(max(created_at), ${now}) - coalesce(max(created_at), ${now}) % 3600 from logs)`

/** Steps that derive data again from what was saved, in the order in which one needs the other. */
const steps: readonly Step[] = [
  {
    when: ['logs', ...index],
    text: 'The index of the log is made anew while the gateway serves.',
    statements: () => index.map((table) => `delete from ${table}`),
  },
  {
    when: ['logs'],
    text: 'The log counts as cleared up to now: its hours rest on their sums.',
    statements: ({ now }) => [
      `insert into log_clearing (id, cleared_before) values (1, ${lastHour(now)} + 3600)
        on conflict (id) do update set cleared_before = max(cleared_before, excluded.cleared_before)`,
    ],
  },
  {
    when: ['usage_hourly'],
    text: 'Lost hours of usage are summed up from the log.',
    statements: () => [
      `insert or ignore into usage_hourly (hour, type, user_id, model, ${usageColumns})
        select start, type, user_id, model, ${lackingUsage} from (
          select ${hour} as start, type, user_id, model, count(*) as count, sum(quota) as quota,
            sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens, ${costs}
          from logs group by 1, 2, 3, 4) as summed`,
    ],
  },
  {
    when: ['usage_hourly', 'usage_by_model'],
    statements: () => [
      'delete from usage_by_model',
      `insert into usage_by_model (type, hour, model, ${usageColumns})
        select type, hour, model, ${usageColumns
          .split(', ')
          .map((name) => `sum(${name})`)
          .join(', ')}
        from usage_hourly where type in (${logTypes.consumption}, ${logTypes.error}) group by 1, 2, 3`,
    ],
  },
  {
    when: ['failures_by_channel'],
    statements: () => [
      `insert or ignore into failures_by_channel (hour, channel_id, count)
        select ${hour}, channel_id, count(*) from logs where type = ${logTypes.error} group by 1, 2`,
    ],
  },
  {
    when: ['ledger_charges'],
    text: 'Lost charges are summed up from usage and log.',
    statements: () => [
      `insert or ignore into ledger_charges (${chargeColumns})
        select start, account_kind, account_id, ${lackingCharges} from (
          select hour - hour % 3600 as start, 'user' as account_kind, account_id, ${charged} from (
            select hour, user_id as account_id, quota as amount, count as calls, cost, costed_quota, costed_calls
              from usage_hourly where type = ${logTypes.consumption}
            union all select hour, account_id, ${chargeSums} from unlogged_charges where account_kind = 'user'
          ) group by 1, 3) as summed`,
      ...(['token', 'channel'] as const).map(
        (kind) => `insert or ignore into ledger_charges (${chargeColumns})
          select start, account_kind, account_id, ${lackingCharges} from (
            select ${hour} as start, '${kind}' as account_kind, ${kind}_id as account_id, sum(quota) as amount,
              count(*) as calls, ${costs}
            from logs where type = ${logTypes.consumption} and ${kind}_id <> 0 group by 1, 3) as summed`,
      ),
    ],
  },
  {
    // Lost quarters count at the beginning of their hours; quarters of lost hours would count against nothing.
    when: [...quarters, 'usage_hourly', 'ledger_charges'],
    statements: () => [
      `delete from usage_quarters where not exists (select 1 from usage_hourly as known
        where known.hour = quarter - quarter % 3600 and known.type = usage_quarters.type
          and known.user_id = usage_quarters.user_id and known.model = usage_quarters.model)`,
      'delete from usage_by_model_quarters',
      `insert into usage_by_model_quarters (type, quarter, model, ${usageColumns})
        select type, quarter, model, ${usageColumns
          .split(', ')
          .map((name) => `sum(${name})`)
          .join(', ')}
        from usage_quarters where type in (${logTypes.consumption}, ${logTypes.error}) group by 1, 2, 3`,
      `delete from charge_quarters where not exists (select 1 from ledger_charges as known
        where known.hour = quarter - quarter % 3600 and known.account_kind = charge_quarters.account_kind
          and known.account_id = charge_quarters.account_id)`,
    ],
  },
  {
    when: ['open_quarters', 'attempt_counts', ...sums],
    statements: () => [
      `insert or ignore into open_quarters (quarter)
        select hour from usage_hourly where hour % 3600 <> 0 union select hour from usage_by_model where hour % 3600 <> 0
        union select hour from ledger_charges where hour % 3600 <> 0
        union select starts_at from attempt_counts where step = 3600 and starts_at % 3600 <> 0`,
    ],
  },
  {
    // They are made anew of the hours.
    when: ['spend_sums', ...quarters, 'usage_hourly', 'usage_by_model'],
    statements: () => ['delete from spend_sums'],
  },
  {
    when: ['ledger_entries'],
    text: 'Lost credits of paid orders and used codes are entered again.',
    statements: () => [
      credits(
        'top-up',
        'top_up_orders',
        'order',
        `status = 'success'`,
        'trade_no',
        'user_id',
        'completed_at',
      ),
      credits(
        'redemption',
        'redemptions',
        'code',
        `status = ${redemptionStatuses.used}`,
        'cast(id as text)',
        'used_user_id',
        'redeemed_at',
      ),
      `insert into ledger_entries (account_kind, account_id, cause, amount, created_at, actor_id, note)
        select account_kind, account_id, 'hold', -amount, created_at, 0, id from holds where not exists (
          select 1 from ledger_entries as known where known.cause = 'hold' and known.note = holds.id
            and known.account_kind = holds.account_kind and known.account_id = holds.account_id)`,
    ],
  },
  {
    when: ['holds'],
    text: 'What lost holds of open tasks had taken is given back.',
    statements: ({ now }) => [
      ...(['user', 'token'] as const).map(
        (
          kind,
        ) => `update ${kind}_accounts set ${kind === 'user' ? 'quota = quota' : 'remain_quota = remain_quota'}
          + coalesce((select sum(held) from (${lostHolds}) where account_kind = '${kind}' and account_id = ${kind}_accounts.id), 0)`,
      ),
      `insert into ledger_entries (account_kind, account_id, cause, amount, created_at, actor_id, note)
        select account_kind, account_id, 'hold-release', held, ${now}, 0, note from (${lostHolds})`,
    ],
  },
  {
    when: [...accounts, 'users', 'tokens', 'channels'],
    text: 'Lost balances are worked out from credits and charges.',
    statements: () => [
      account('user', 'users', 'id, quota, used_quota, request_count', 'credited - charged, charged, calls'),
      account(
        'token',
        'tokens',
        'id, remain_quota, used_quota, accessed_at',
        'credited - charged, charged, max(last, created_at)',
      ),
      account('channel', 'channels', 'id, used_quota', 'charged - credited'),
    ],
  },
  {
    when: ['ledger_entries', ...sums],
    text: 'Balances that were saved stand: what their lost credits and charges lack is entered as one sum each.',
    statements: ({ now }) => [
      ...accountKinds.flatMap(({ kind, table }) => missingCharges(kind, table, now)),
      ...accountKinds.map(({ kind, table, balance }) => missingCredits(kind, table, balance, now)),
    ],
  },
]

const accountKinds = [
  { kind: 'user', table: 'user_accounts', balance: 'quota' },
  { kind: 'token', table: 'token_accounts', balance: 'remain_quota' },
  { kind: 'channel', table: 'channel_accounts', balance: '-used_quota' },
] as const

/** Makes what lost rows leave open whole again. Returns a sentence for each thing that was done. */
export function rebuild(database: Database, rebuilding: Rebuilding): string[] {
  const due = steps.filter(({ when }) => when.some((table) => rebuilding.damaged.has(table)))
  for (const { statements } of due) for (const statement of statements(rebuilding)) database.run(statement)
  return due.flatMap(({ text }) => text ?? [])
}

/** Credits whose cause is there, and whose entry is not. Imported ones are part of a balance that was taken over. */
function credits(
  cause: string,
  table: string,
  kind: string,
  where: string,
  note: string,
  user: string,
  at: string,
): string {
  return `insert into ledger_entries (account_kind, account_id, cause, amount, created_at, actor_id, note)
    select 'user', ${user}, '${cause}', quota, coalesce(${at}, created_at), 0, ${note} from ${table} as causes
    where ${where}
      and not exists (select 1 from ledger_entries as known where known.cause = '${cause}' and known.note = causes.${note.startsWith('cast') ? 'id' : note})
      and not exists (select 1 from imported_rows where imported_rows.kind = '${kind}' and target_id = causes.id)`
}

/** @param figures SQL over `credited`, `charged`, `calls`, `last` and the columns of the owner's table */
function account(kind: string, owners: string, columns: string, figures: string): string {
  return `insert or ignore into ${kind}_accounts (${columns})
    select id, ${figures} from (
      select owners.id as id, owners.created_at as created_at,
        coalesce((select sum(amount) from ledger_entries where account_kind = '${kind}' and account_id = owners.id), 0) as credited,
        coalesce(sum(amount), 0) as charged, coalesce(sum(calls), 0) as calls, coalesce(max(hour), 0) as last
      from ${owners} as owners left join ledger_charges on account_kind = '${kind}' and account_id = owners.id
      where owners.id not in (select id from ${kind}_accounts) group by owners.id
    )`
}

/** Returns statements for the charges of an account that no row has: of calls without a row in the log. */
function missingCharges(kind: string, table: string, now: Seconds): string[] {
  const calls = kind === 'user' ? 'max(0, request_count - calls)' : '1'
  const lacking = `select ${lastHour(now)}, '${kind}', id, used_quota - amount, ${calls}, 0, 0, 0 from (
      select accounts.*, coalesce(sum(charges.amount), 0) as amount, coalesce(sum(charges.calls), 0) as calls
      from ${table} as accounts left join ledger_charges as charges
        on charges.account_kind = '${kind}' and charges.account_id = accounts.id
      group by accounts.id
    ) where used_quota > amount`
  const onConflict = (into: string) =>
    `on conflict (hour, account_kind, account_id) do update set amount = ${into}.amount + excluded.amount, calls = ${into}.calls + excluded.calls`
  return ['unlogged_charges', 'ledger_charges'].map(
    (into) => `insert into ${into} (${chargeColumns}) ${lacking} ${onConflict(into)}`,
  )
}

/** Returns a statement for the credits that an account's entries lack to make up its balance. */
function missingCredits(kind: string, table: string, balance: string, now: Seconds): string {
  return `insert into ledger_entries (account_kind, account_id, cause, amount, created_at, actor_id, note)
    select '${kind}', id, 'admin-change', lacking, ${now}, 0, 'tollgate repair' from (
      select accounts.id as id, ${balance}
        + coalesce((select sum(amount) from ledger_charges where account_kind = '${kind}' and account_id = accounts.id), 0)
        - coalesce((select sum(amount) from ledger_entries where account_kind = '${kind}' and account_id = accounts.id), 0) as lacking
      from ${table} as accounts
    ) where lacking <> 0`
}
