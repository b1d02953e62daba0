import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Operator, operate } from '../operator.ts'
import type { Tollgate } from '../server.ts'
import type { EpayProvider } from '../services/epay-provider.ts'

/** Belongings of people in an installation that is upgraded: each must work on, at every node of either version. */
export interface Belongings {
  readonly operator: Operator
  /** An API key. */
  readonly key: string
  /** A system access token, of the version that made the installation. */
  readonly accessToken: string
}

/** Sets an installation up with a channel, a key, a token and the secrets of a payment provider. */
export async function furnish(gateway: Tollgate, upstream: string, merchant: Merchant): Promise<Belongings> {
  const operator = await operate(gateway.url)
  for (const [name, value] of Object.entries(optionsOf(gateway, merchant))) await operator.option(name, value)
  await operator.addChannel({ name: 'before', base_url: upstream, models: 'gpt-4o' })
  const { key } = await operator.addKey()
  const accessToken = await operator.api<string>('POST', '/api/user/token')
  return { operator, key, accessToken }
}

export interface Merchant {
  readonly provider: EpayProvider
  readonly pid: string
  readonly key: string
}

function optionsOf({ url }: Tollgate, { provider, pid, key }: Merchant): Readonly<Record<string, string>> {
  return { ServerAddress: url, PayAddress: provider.url, EpayId: pid, EpayKey: key }
}

/** Calls once; returns the status of the response, with its text where it is a refusal. */
export async function chat(url: string, key: string, model = 'gpt-4o'): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const text = await response.text()
  return response.ok ? '200' : `${response.status} ${text}`
}

/** Decides whether an access token opens the account of its owner. */
export async function opens(url: string, accessToken: string, { userId }: Operator): Promise<boolean> {
  const response = await fetch(`${url}/api/user/self`, {
    headers: { authorization: `Bearer ${accessToken}`, 'New-Api-User': String(userId) },
  })
  const { success } = (await response.json()) as { success: boolean }
  return success
}

/** Orders at one node and gives the notice of the payment to another; returns its response. */
export async function pay(operator: Operator, { provider }: Merchant, noticed: string): Promise<string> {
  const placed = (await operator.call('POST', '/api/user/pay', {
    amount: 1,
    payment_method: 'zfb',
  })) as unknown as { url: string; data: Record<string, string>; trade_no?: string }
  await fetch(placed.url, { method: 'POST', body: new URLSearchParams(placed.data) })
  const tradeNo = placed.trade_no ?? placed.data['out_trade_no'] ?? ''
  const body = provider.notice(tradeNo)
  const response = await fetch(`${noticed}/api/user/epay/notify?${body}`)
  return await response.text()
}

/** The schema of a SQLite installation that is stopped, part by part. */
export function sqliteSchema(dataDir: string): readonly string[] {
  using database = new Database(join(dataDir, 'tollgate.db'), { readonly: true })
  return database
    .query<{ part: string }, []>(
      `select coalesce(sql, name) as part from sqlite_schema where name not like 'sqlite\\_%' escape '\\'`,
    )
    .all()
    .map(({ part }) => part)
    .toSorted()
}

/** The same of a PostgreSQL database: its columns, indexes and triggers. */
export async function postgresSchema(url: string): Promise<readonly string[]> {
  await using sql = new SQL(url, { max: 1 })
  const rows: { part: string }[] = await sql`
    select concat_ws(' ', table_name, column_name, ordinal_position, data_type, is_nullable, column_default) as part
      from information_schema.columns where table_schema = 'public' and table_name not like 'logs\\_2%'
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'logs\\_2%'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`
  return rows.map(({ part }) => part).toSorted()
}
