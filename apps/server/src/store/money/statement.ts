import { endOfTime } from '@tollgate/api/calendar'
import { logTypes } from '@tollgate/api/roles'
import {
  type Fragment,
  fragment,
  hoursOf,
  oneStretch,
  rowsOfStretch,
  type Stretch,
} from '../log/quarters/split-hours.ts'
import { rowsByUser, summed } from '../log/spend/spend-rows.ts'
import { type Program, query } from '../program.ts'
import { storableText } from '../schema/text.ts'
import type { AccountKind } from '../settlement.ts'
import type { Quota, Seconds } from '../units.ts'
import type { CreditCause } from './credit-cause.ts'
import { mergedFromSql } from './merged-accounts.ts'

/** Subject of a statement: a user with the accounts that were merged into theirs, a key, or the users who are in a group. */
export type StatementSubject =
  | { readonly kind: 'user' | 'token'; readonly id: number }
  | { readonly kind: 'group'; readonly name: string }

/** Time of whole quarter hours; the end is exclusive. */
export interface StatementTimes {
  readonly from: Seconds
  readonly end: Seconds
}

/** Moves of one cause other than charges. */
export interface CauseSum {
  readonly cause: CreditCause
  readonly amount: Quota
  readonly count: number
}

/** Charges for calls without corrections, which are moves of the time in which they were made. */
export interface ChargeLine {
  /** Model, or id of the key or the user. */
  readonly of: string | number
  /** Name of the key or the user; empty for one that is gone. */
  readonly name?: string
  readonly calls: number
  readonly amount: Quota
}

/** One move, as the ledger has it. */
export interface StatementEntry {
  readonly id: number
  readonly at: Seconds
  readonly cause: CreditCause
  readonly amount: Quota
  readonly note: string
}

/** Books of a time: `opening + Σ moves − charges = closing`, all of one moment. */
export interface StatementFigures {
  readonly opening: Quota
  readonly closing: Quota
  readonly charges: { readonly amount: Quota; readonly calls: number }
  readonly moves: readonly CauseSum[]
  /** Moves in the order of time; open work, whose entries come in pairs, is in `moves` alone. None for a group. */
  readonly entries: readonly StatementEntry[]
  /** Dearest first. None for a key: sums by model are of users. */
  readonly byModel: readonly ChargeLine[]
  /** Keys of a user, or users of a group, dearest first; calls without a key are in none. */
  readonly byAccount: readonly ChargeLine[]
}

/** Books of accounts in a time, for people to read. */
export interface StatementRepository {
  read(subject: StatementSubject, times: StatementTimes): Promise<StatementFigures>
  /** Charges for the calls of a user by model and by key, without corrections. */
  charges(userId: number, times: StatementTimes): Promise<Breakdown>
}

const consumption = `type = ${logTypes.consumption}`
/** Entries that a statement lists; their sums have all of them. */
const maxEntries = 1000
/** Lines of a breakdown. */
const maxLines = 1000

/** The accounts whose books a statement adds up. */
type Accounts =
  | { readonly kind: 'user' | 'token'; readonly ids: readonly number[] }
  | { readonly kind: 'group'; readonly name: string }

/** Keys of an account that was merged follow the person, and their calls stay its own: the books of both are one. */
function* accountsOf(subject: StatementSubject): Program<Accounts> {
  if (subject.kind === 'group') return subject
  const { kind, id } = subject
  const merged = kind === 'user' ? yield* query<{ id: number }>(mergedFromSql(id)) : []
  return { kind, ids: [id, ...merged.map((row) => row.id)] }
}

/** Reads the books of a subject in a time. */
export function* readStatement(
  named: StatementSubject,
  { from, end }: StatementTimes,
): Program<StatementFigures> {
  const subject = yield* accountsOf(named)
  const known = yield* knownHours()
  const parts = partsOf(subject, { from, end }, known)
  const sums = yield* query<Part>(parts.sql, parts.parameters)
  const of = (part: PartName, cause?: string) =>
    sums.filter((row) => row.part === part && (cause === undefined || row.cause === cause))
  const total = (part: PartName) => of(part).reduce((sum, { amount }) => sum + amount, 0)
  const closing = total('balance') - total('after') + total('charged-after') - total('corrected-after')
  const charged = total('charged') - total('corrected')
  const isWithin = ({ cause }: { readonly cause: string }) =>
    cause === 'merge' && of('inside', 'merge').every(({ amount }) => amount === 0)
  const entries = subject.kind === 'group' ? [] : yield* readEntries(subject, { from, end })
  return {
    opening: closing - total('inside') + charged,
    closing,
    charges: { amount: charged, calls: of('charged').reduce((sum, { count }) => sum + count, 0) },
    moves: of('inside')
      .filter((move) => !isWithin(move))
      .map(({ cause, amount, count }) => ({ cause: cause as CreditCause, amount, count })),
    entries: entries.filter((entry) => !isWithin(entry)),
    ...(yield* readBreakdown(subject, { from, end }, known)),
  }
}

/** Reads what the calls of a user were charged in a time, without corrections, by model and by key. */
export function* readCharges(userId: number, times: StatementTimes): Program<Breakdown> {
  const accounts = yield* accountsOf({ kind: 'user', id: userId })
  return yield* readBreakdown(accounts, times, yield* knownHours())
}

type PartName = 'balance' | 'inside' | 'after' | 'charged' | 'charged-after' | 'corrected' | 'corrected-after'

interface Part {
  readonly part: PartName
  readonly cause: string
  readonly amount: Quota
  readonly count: number
}

type KnownHours = readonly [Seconds, Seconds]

function* knownHours(): Program<KnownHours> {
  const [known] = yield* query<{ earliest: number | null; latest: number | null }>(
    'select min(hour) as earliest, max(hour) as latest from ledger_charges',
  )
  return [known?.earliest ?? 0, known?.latest ?? -1]
}

/**
 * Returns all sums in one statement: they are of one moment, although flushes go on. It goes back from the balance of now, so that it reads
 * the time since the statement began and nothing before.
 */
function partsOf(subject: Accounts, { from, end }: StatementTimes, known: KnownHours): Fragment {
  const { table, balance, kind } = accounts[subject.kind]
  const corrected = subject.kind === 'token' ? 'token_id' : 'user_id'
  const charged = (name: PartName, stretch: Stretch) =>
    fragment`select '${name}' as part, '' as cause, amount, calls as count
      from ${chargeRows(subject, stretch, known)} as charges_of_${name === 'charged' ? 'time' : 'later'}`
  const balances = fragment`select 'balance' as part, '' as cause, ${balance} as amount, 0 as count from ${table}
    where ${isOf(subject, 'id')}`
  const moves = fragment`select case when created_at < ${end} then 'inside' else 'after' end as part, cause, amount, 1 as count
    from ledger_entries where account_kind = '${kind}' and ${isOf(subject, 'account_id')}
    and created_at >= ${from}`
  const corrections = fragment`select case when hour < ${end} then 'corrected' else 'corrected-after' end as part, '' as cause, amount,
    0 as count from correction_sums where applied = 1 and hour >= ${from} and ${isOf(subject, corrected)}`
  const inTime = charged('charged', oneStretch(from, end))
  const later = charged('charged-after', oneStretch(end, endOfTime))
  return fragment`select part, cause, ${summed('amount', 'amount')}, ${summed('count', 'count')}
    from (${balances} union all ${moves} union all ${inTime} union all ${later} union all ${corrections}) as parts
    group by part, cause order by part, cause`
}

const accounts = {
  user: { table: 'user_accounts', balance: 'quota', kind: 'user' },
  group: { table: 'user_accounts', balance: 'quota', kind: 'user' },
  token: { table: 'token_accounts', balance: 'remain_quota', kind: 'token' },
} as const satisfies Record<string, { table: string; balance: string; kind: AccountKind }>

/** Returns the condition of the subject's accounts. */
function isOf(subject: Accounts, column: string): Fragment {
  if (subject.kind !== 'group') return isOneOf(column, subject.ids)
  const name = { sql: '?', parameters: [storableText(subject.name)] }
  return fragment`${column} in (select id from users where "group" = ${name})`
}

function isOneOf(column: string, ids: readonly number[]): Fragment {
  return { sql: `${column} in (${ids.map(integerOf).join(', ')})`, parameters: [] }
}

function integerOf(id: number): number {
  if (!Number.isSafeInteger(id)) throw new RangeError(`not an id: ${id}`)
  return id
}

/** Hourly charges of the subject in a stretch: looked up hour by hour for one account, scanned for a group. */
function chargeRows(subject: Accounts, stretch: Stretch, known: KnownHours): Fragment {
  const { kind } = accounts[subject.kind]
  const { from, end } = stretch
  const only = fragment`account_kind = '${kind}' and ${isOf(subject, 'account_id')}`
  return rowsOfStretch({
    stretch,
    key: ['account_id'],
    sums: ['amount', 'calls'],
    rows:
      subject.kind === 'group'
        ? fragment`select account_id, amount, calls from ledger_charges where ${only} and hour >= ${from} and hour < ${end}`
        : byHour(stretch, known, `select account_id, amount, calls`, 'ledger_charges', only),
    quarters: 'charge_quarters',
    only,
  })
}

/** Rows of an hourly table by its key, whose first column is the hour. */
function byHour(
  stretch: Stretch,
  known: KnownHours,
  select: string,
  table: string,
  only: Fragment,
): Fragment {
  return fragment`select * from (${hoursOf(stretch, ...known)} ${select} from hours cross join ${table} as hourly
    where hourly.hour = hours.hour and ${only}) as own`
}

function* readEntries(
  subject: Exclude<Accounts, { kind: 'group' }>,
  { from, end }: StatementTimes,
): Program<readonly StatementEntry[]> {
  const { sql, parameters } = fragment`select id, created_at as at, cause, amount, note from ledger_entries
    where account_kind = '${subject.kind}' and ${isOf(subject, 'account_id')} and created_at >= ${from} and created_at < ${end}
      and cause not in ('hold', 'hold-release')
    order by created_at, id limit ${maxEntries}`
  return yield* query<StatementEntry>(sql, parameters)
}

export type Breakdown = Pick<StatementFigures, 'byModel' | 'byAccount'>

function* readBreakdown(subject: Accounts, times: StatementTimes, known: KnownHours): Program<Breakdown> {
  if (subject.kind === 'token') return { byModel: [], byAccount: [] }
  const byModel = yield* linesOf(modelRows(subject, times, known), corrections(subject, times, 'model'))
  const byAccount =
    subject.kind === 'group'
      ? yield* linesOf(ofAccounts(subject, times, known), corrections(subject, times, 'user_id'))
      : yield* linesOf(keyRows(subject.ids, times, known), corrections(subject, times, 'token_id'))
  const columns = subject.kind === 'group' ? 'username as name from users' : 'name from tokens'
  return { byModel, byAccount: yield* withNames(byAccount, columns) }
}

function* withNames(lines: readonly ChargeLine[], columns: string): Program<readonly ChargeLine[]> {
  if (lines.length === 0) return []
  const ids = lines.map((line) => integerOf(Number(line.of)))
  const rows = yield* query<{ id: number; name: string }>(
    `select id, ${columns} where id in (${ids.join(', ')})`,
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return lines.map((line) => ({ ...line, name: names.get(Number(line.of)) ?? '' }))
}

/** Sums of rows with `of`, `calls` and `amount`, less what corrections added to them. */
function* linesOf(rows: Fragment, corrected: Fragment): Program<readonly ChargeLine[]> {
  const { sql, parameters } = fragment`select of, ${summed('calls', 'calls')}, ${summed('amount', 'amount')}
    from (${rows} union all ${corrected}) as charges group by of
    having sum(amount) <> 0 or sum(calls) <> 0 order by 3 desc, 1 limit ${maxLines}`
  return yield* query<ChargeLine>(sql, parameters)
}

function corrections(
  subject: Accounts,
  { from, end }: StatementTimes,
  column: 'model' | 'user_id' | 'token_id',
): Fragment {
  const only = column === 'token_id' ? 'and token_id <> 0' : ''
  return fragment`select ${column} as of, 0 as calls, -amount as amount from correction_sums
    where applied = 1 and hour >= ${from} and hour < ${end} and ${isOf(subject, 'user_id')} ${only}`
}

function modelRows(subject: Accounts, times: StatementTimes, known: KnownHours): Fragment {
  const stretch = oneStretch(times.from, times.end)
  const ofUsers = isOf(subject, 'user_id')
  const only = fragment`${consumption} and ${ofUsers}`
  const rows =
    subject.kind === 'group'
      ? rowsByUser(times, ofUsers)
      : rowsOfStretch({
          stretch,
          key: ['model'],
          sums: ['count', 'quota'],
          rows: byHour(stretch, known, 'select model, count, quota', 'usage_hourly', only),
          quarters: 'usage_quarters',
          only,
        })
  return fragment`select model as of, count as calls, quota as amount from ${rows} as usage`
}

function ofAccounts(subject: Accounts, times: StatementTimes, known: KnownHours): Fragment {
  const rows = chargeRows(subject, oneStretch(times.from, times.end), known)
  return fragment`select account_id as of, calls, amount from ${rows} as charged`
}

/** Charges of the keys of these users that were used since the time began. */
function keyRows(userIds: readonly number[], { from, end }: StatementTimes, known: KnownHours): Fragment {
  const stretch = oneStretch(from, end)
  const keys = fragment`select tokens.id from tokens join token_accounts on token_accounts.id = tokens.id
    where ${isOneOf('user_id', userIds)} and accessed_at >= ${from}`
  const rows = rowsOfStretch({
    stretch,
    key: ['account_id'],
    sums: ['amount', 'calls'],
    rows: fragment`select * from (${hoursOf(stretch, ...known)} select account_id, amount, calls from hours cross join (${keys}) as keys_of_user
      cross join ledger_charges as hourly where hourly.hour = hours.hour
      and account_kind = 'token' and account_id = keys_of_user.id) as own`,
    quarters: 'charge_quarters',
    only: fragment`account_kind = 'token' and account_id in (${keys})`,
  })
  return fragment`select account_id as of, calls, amount from ${rows} as charged`
}
