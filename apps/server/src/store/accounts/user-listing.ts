import { snakeCase } from '@tollgate/api/snake-case'
import type { IndexHint } from '../dialects/sql-dialect.ts'
import { type Program, query, type Row, type Value } from '../program.ts'
import { containing, foldCase } from '../schema/text.ts'

export interface UserFilter {
  /** Part of the username, e-mail address or display name, in whatever case, or the whole id. Nothing in it is a wildcard. */
  readonly keyword?: string | undefined
  /** Columns of `users` with their required values. */
  readonly columns?: Row | undefined
  /** Only users who are deleted, or only those who are not. */
  readonly deleted?: boolean | undefined
}

export interface UserPageRequest {
  /** A declared field. */
  readonly sort: string
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface StoredUserPage {
  /** Rows as the tables have them, in the requested order. */
  readonly rows: readonly Row[]
  readonly total: number
}

/** Up to this many matches of a keyword stay in memory, so that one pass over the users finds and counts them. */
const fewMatches = 1000

/**
 * Reads a page of the filtered users with the exact total. Users with equal sort values come in the order of their ids. Scans
 * one narrow index completely, and the table only for the rows of the page.
 */
export function* readUserPage(
  filter: UserFilter,
  page: UserPageRequest,
  hint: IndexHint,
): Program<StoredUserPage> {
  const condition = conditionOf(filter)
  const few = filter.keyword === undefined ? undefined : yield* findFew(condition, hint)
  const total = few?.length ?? (yield* count(condition, hint))
  if (page.offset >= total) return { rows: [], total }
  const ids =
    few !== undefined && page.sort === 'id'
      ? pageOf(few, page)
      : yield* findIds(condition, page, total, hintFor(filter, page, hint))
  return { rows: yield* readRows(ids), total }
}

/** The condition that every user meets. */
const everybody = 'true'

interface Condition {
  readonly sql: string
  readonly parameters: readonly Value[]
}

function conditionOf({ keyword, columns = {}, deleted }: UserFilter): Condition {
  const conditions: Condition[] = []
  const add = (sql: string, ...parameters: Value[]) => conditions.push({ sql, parameters })
  for (const [column, value] of Object.entries(columns)) add(`"${column}" = ?`, value)
  if (deleted !== undefined) add(`deleted_at is ${deleted ? 'not ' : ''}null`)
  if (keyword !== undefined)
    add(`(users.id = ? or search_text like ? escape '\\')`, idIn(keyword), searchPattern(keyword))
  return {
    sql: conditions.map(({ sql }) => sql).join(' and ') || everybody,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}

/** Reads a keyword as an id; returns an unused id for any other text. */
function idIn(keyword: string): number {
  const id = /^\d+$/.test(keyword) ? Number(keyword) : 0
  return Number.isSafeInteger(id) ? id : 0
}

/** Newest first; `undefined` when there are too many. */
function* findFew({ sql, parameters }: Condition, hint: IndexHint): Program<readonly number[] | undefined> {
  const found = yield* query<{ id: number }>(
    `select id from ${users(hint, 'users_listed')} where ${sql} order by id desc limit ?`,
    [...parameters, fewMatches + 1],
  )
  return found.length > fewMatches ? undefined : found.map(({ id }) => id)
}

function pageOf(
  newestFirst: readonly number[],
  { descending, offset, limit }: UserPageRequest,
): readonly number[] {
  const ids = descending ? newestFirst : newestFirst.toReversed()
  return ids.slice(offset, offset + limit)
}

function* count({ sql, parameters }: Condition, hint: IndexHint): Program<number> {
  const [counted] = yield* query<{ total: number }>(
    `select count(*) as total from ${users(hint, 'users_listed')} where ${sql}`,
    parameters,
  )
  return counted?.total ?? 0
}

function users(hint: IndexHint, index: string): string {
  return hint === '' ? 'users' : `users ${hint} ${index}`
}

/** Indexes in the order of a field, with the columns of every filter but a keyword. */
const indexes: Readonly<Record<string, string>> = {
  username: 'users_by_name',
  createdAt: 'users_by_creation',
  lastLoginAt: 'users_by_login',
}

function hintFor({ keyword }: UserFilter, { sort }: UserPageRequest, hint: IndexHint): string {
  if (hint === '') return ''
  return `${hint} ${(keyword === undefined ? indexes[sort] : undefined) ?? 'users_listed'}`
}

function orderOf(sort: string): string {
  return sort === 'username' ? 'lower(username)' : sort === 'id' ? 'users.id' : `"${snakeCase(sort)}"`
}

/** Fields of the narrower table of figures. */
const figures: ReadonlySet<string> = new Set(['quota', 'usedQuota', 'requestCount'])

/** Reads from the nearer end: a deep page of a sorted list costs as much as the rows before it. */
function* findIds(
  { sql, parameters }: Condition,
  { sort, descending, offset, limit }: UserPageRequest,
  total: number,
  hint: string,
): Program<readonly number[]> {
  const length = Math.min(limit, total - offset)
  const fromEnd = total - offset - length
  const isNearEnd = fromEnd < offset
  const direction = descending === isNearEnd ? 'asc' : 'desc'
  const { from, joined } = sourceOf(sort, sql, hint)
  const found = yield* query<{ id: number }>(
    `select users.id as id from ${from} where ${joined}${sql}
      order by ${orderOf(sort)} ${direction}, users.id ${direction} limit ? offset ?`,
    [...parameters, length, isNearEnd ? fromEnd : offset],
  )
  const ids = found.map(({ id }) => id)
  return isNearEnd ? ids.reverse() : ids
}

/** Figures are in a table of their own, which suffices without a filter. */
function sourceOf(sort: string, condition: string, hint: string): { from: string; joined: string } {
  if (!figures.has(sort)) return { from: `users ${hint}`, joined: '' }
  if (condition === everybody) return { from: 'user_accounts as users', joined: '' }
  return { from: `users ${hint} cross join user_accounts`, joined: 'user_accounts.id = users.id and ' }
}

/** Reads rows in the order of `ids`. */
function* readRows(ids: readonly number[]): Program<readonly Row[]> {
  const rows = yield* query<Row & { readonly id: number }>(
    `select users.*, quota, used_quota, request_count from users
      join user_accounts on user_accounts.id = users.id
      where users.id in (${ids.map(() => '?').join(', ')})`,
    ids,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Separates fields by a character that no keyword contains, so that no match spans two fields. */
const between = '\n'

/** The text that keywords search: the names of a user, folded, one per line. */
export function searchTextOf(row: {
  readonly username: string
  readonly email: string
  readonly display_name: string
}): string {
  return [row.username, row.email, row.display_name].map(foldCase).join(between)
}

/** A `like … escape '\'` pattern of the search texts that contain the keyword; nothing in it is a wildcard. */
function searchPattern(keyword: string): string {
  return containing(foldCase(keyword.replaceAll(between, ' ')))
}
