import { createHash, randomBytes } from 'node:crypto'
import { SQL } from 'bun'
import { contractCalls } from '../../../packages/api/src/test-support/call-of.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import type { Operator } from '../operator.ts'
import { openBeside } from '../processes/open-beside.ts'

type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

/** The database under the gateways, for what a test prepares and looks at. */
export interface Rows {
  /** Rows of a statement without parameters. */
  select(statement: string): Promise<Row[]>
  close(): Promise<void>
}

export function rowsOfSqlite(dataDir: string): Rows {
  const database = openBeside(dataDir)
  return {
    select: async (statement) => database.query(statement).all() as Row[],
    close: async () => database.close(),
  }
}

export function rowsOfPostgres(url: string): Rows {
  const sql = new SQL(url, { max: 4 })
  return {
    select: async (statement) => [...(await sql.unsafe(statement))].map(withNumbers),
    close: () => sql.close(),
  }
}

/** Integers of 64 bits come as texts; no text here is one. */
function withNumbers(row: Row): Row {
  const isInteger = (value: Value) => typeof value === 'string' && /^-?\d{1,15}$/.test(value)
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isInteger(value) ? Number(value) : value]),
  )
}

/** One database, the nodes over it, and root's session at each. */
export interface World {
  readonly rows: Rows
  readonly roots: readonly Operator[]
  /** A name that nothing else in this world has. */
  fresh(word: string): string
}

export function worldOf(rows: Rows, roots: readonly Operator[]): World {
  let made = 0
  return { rows, roots, fresh: (word) => `${word}-${++made}` }
}

/** Arguments of a call of the contract. */
export interface Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
  /** Headers of a session other than root's. */
  readonly by?: Readonly<Record<string, string>>
}

/** Outcome of a call: success with the number that it responded with, or a refusal, of which nothing else is compared. */
export type Outcome = 'refused' | `done ${string}`

interface Envelope {
  readonly success?: boolean
  readonly message?: string
  readonly data?: unknown
  readonly outcomes?: readonly { readonly success: boolean }[]
}

/** Makes a call of the contract at a node. */
export async function make(at: Operator, name: string, sent: Sent): Promise<Outcome> {
  const found = contractCalls.find((each) => each.name === name)
  if (found === undefined) throw new Error(`the contract has no call ${name}`)
  const { method, path } = found.call
  const target = path.replace(/:(\w+)/g, (_, slot: string) => String(sent.params?.[slot]))
  const reply = await fetch(at.url + target + (sent.query ?? ''), {
    method,
    headers: sent.by ?? { cookie: at.cookie, 'new-api-user': String(at.userId) },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    signal: AbortSignal.timeout(deadline(20_000)),
  })
  const text = await reply.text()
  if (reply.status >= 500) throw new Error(`${name}: ${reply.status} ${text}`)
  const envelope = JSON.parse(text) as Envelope
  // Wallet calls say it in their message.
  const isAccepted = envelope.success === true || envelope.message === 'success'
  const isDone = isAccepted && envelope.outcomes?.some(({ success }) => !success) !== true
  return isDone ? `done ${typeof envelope.data === 'number' ? envelope.data : ''}` : 'refused'
}

export const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/** Adds a row, and returns the column that the database chose. */
export async function insert(rows: Rows, table: string, row: Row, returning = ''): Promise<number> {
  const names = Object.keys(row).map((name) => `"${name}"`)
  const values = Object.values(row).map(literal)
  const suffix = returning === '' ? '' : ` returning ${returning}`
  const [made] = await rows.select(
    `insert into ${table} (${names.join()}) values (${values.join()})${suffix}`,
  )
  return Number(made?.[returning] ?? 0)
}

/** A row like the first that matches, with other values in some columns; without the columns named null by `undefined`. */
export async function insertLike(
  rows: Rows,
  table: string,
  where: string,
  changed: Readonly<Record<string, Value | undefined>>,
  returning = '',
): Promise<number> {
  const [model] = await rows.select(`select * from ${table} where ${where} limit 1`)
  const row = Object.entries({ ...model, ...changed }).filter(([, value]) => value !== undefined)
  return await insert(rows, table, Object.fromEntries(row) as Row, returning)
}

/** An account with a balance and a session, written straight into the database: passwords take long to hash. */
export async function addPerson(
  { rows, fresh }: World,
  more: Row = {},
): Promise<{ readonly id: number; readonly headers: Readonly<Record<string, string>> }> {
  const username = fresh('person')
  const identities = Object.fromEntries(
    ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'].map((name) => [name, '']),
  )
  const names = { username, display_name: username, aff_code: username, search_text: username }
  const changed = { ...identities, ...names, id: undefined, role: 1, ...more }
  const id = await insertLike(rows, 'users', 'id = 1', changed, 'id')
  await insert(rows, 'user_accounts', { id, quota: startQuota })
  await insertLike(rows, 'ledger_entries', "cause = 'initial' and account_kind = 'user'", {
    id: undefined,
    account_kind: 'user',
    account_id: id,
    cause: 'initial',
    amount: startQuota,
    created_at: 1,
    actor_id: 0,
    note: '',
  })
  return { id, headers: (await addSession(rows, id)).headers }
}

const startQuota = 1_000_000

/** A session as a log-in opens it, with the headers of its browser. */
export async function addSession(
  rows: Rows,
  userId: number,
): Promise<{ readonly hash: string; readonly headers: Readonly<Record<string, string>> }> {
  const session = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(session).digest('hex')
  await insertLike(rows, 'sessions', '1 = 1', { id_hash: hash, user_id: userId })
  return { hash, headers: { cookie: `session=${session}`, 'new-api-user': String(userId) } }
}
