import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { parseBound } from '../../../apps/server/src/store/log/partitions/ranges.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const day = 86_400
const now = () => Math.floor(Date.now() / 1000)

/** A gateway whose calls are of long ago: their rows, rollups and charges are moved back in time. */
describe.skipIf(!hasPostgres())('details of old calls', () => {
  let postgres: Postgres
  let sql: SQL
  let upstream: Upstream
  let gateway: Tollgate
  let operator: Operator
  let key: string

  beforeAll(async () => {
    postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'a short answer', usage: { promptTokens: 20, completionTokens: 10 } }))
    gateway = await startTollgate({ env: { DATABASE_URL: databaseUrl } })
    sql = new SQL(databaseUrl, { max: 1 })
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'logs', base_url: upstream.url, models: 'gpt-4o' })
    key = (await operator.addKey()).key
  })
  afterAll(async () => {
    await gateway?.stop()
    await sql?.close()
    await upstream?.stop()
    await postgres?.stop()
  })

  /** Makes calls, and moves all of today so many days back. */
  async function callsOf(daysAgo: number, count: number): Promise<void> {
    const before = await operator.consumed()
    for (let index = 0; index < count; index += 1)
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
      }).then((response) => response.text())
    await operator.consumption(before + count)
    const recently = now() - day
    await sql.begin(async (transaction) => {
      for (const [table, column] of Object.entries({
        logs: 'created_at',
        usage_hourly: 'hour',
        usage_by_model: 'hour',
        ledger_charges: 'hour',
      }))
        await transaction.unsafe(
          `update ${table} set ${column} = ${column} - ${daysAgo * day} where ${column} > ${recently}`,
        )
    })
  }

  /** The next start finds the jobs due, as after a minute. */
  async function letJobsRun(): Promise<void> {
    await gateway.kill('SIGKILL')
    await sql`update leases set ran_ms = 1`
    await gateway.start()
  }

  const rowsIn = async (table: string) =>
    Number((await sql.unsafe(`select count(*) as count from ${table}`))[0].count)
  const partitions = async (): Promise<string[]> =>
    (
      await sql`select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'logs'::regclass`
    ).map(({ relname }: { relname: string }) => relname)
  /** Returns whether a partition other than the default one has the rows of a time: its name depends on the day of the month. */
  const isCovered = async (time: number): Promise<boolean> => {
    const bounds = await sql`select pg_get_expr(relpartbound, oid) as bound
      from pg_inherits join pg_class on oid = inhrelid where inhparent = 'logs'::regclass`
    return bounds.some(({ bound }: { bound: string }) => {
      const range = parseBound(bound)
      return range !== undefined && range.from <= time && time < range.to
    })
  }
  /** Reads the figures of all time at the dashboard and the account. */
  const figures = async () => ({
    charts: await operator.api(
      'GET',
      `/api/data/?start_timestamp=${now() - 100 * day}&end_timestamp=${now() + day}`,
    ),
    account: await operator.api<{ used_quota: number; request_count: number }>('GET', '/api/user/self'),
  })

  it('lie in a default partition when they came too late for one, and go after the days of the setting', async () => {
    await callsOf(40, 3)
    expect(await rowsIn('logs_default')).toBe(3)
    const before = await figures()
    expect(before.account.request_count).toBe(3)
    await operator.option('LogRetentionDays', '30')
    await letJobsRun()
    await until(async () => ((await operator.consumed()) === 0 ? true : undefined))
    expect(await rowsIn('logs_default')).toBe(0)
    expect(gateway.logs()).toContain('old rows of the usage log were deleted')
    expect(await figures()).toEqual(before)
  })

  it('go with their partition, and what is newer stays with its statistics', async () => {
    const midnight = Math.floor(now() / day) * day
    const old = `logs_${new Date((midnight - 10 * day) * 1000).toISOString().slice(0, 10).replaceAll('-', '_')}`
    await sql.unsafe(`create table ${old} (like logs including all)`)
    const months = (await partitions()).filter((name) => name !== 'logs_default')
    // The months that a first start has made, two about the end of one, give way to a day that is over.
    await sql.begin(async (transaction) => {
      for (const month of months) await transaction.unsafe(`alter table logs detach partition ${month}`)
      await transaction.unsafe(
        `alter table logs attach partition ${old} for values from (${midnight - 10 * day}) to (${midnight - 9 * day})`,
      )
      for (const month of months) {
        await transaction.unsafe(`insert into logs select * from ${month}`)
        await transaction.unsafe(`drop table ${month}`)
      }
    })
    await callsOf(10, 4)
    await callsOf(0, 2)
    expect(await rowsIn(old)).toBe(4)
    const before = await figures()
    await operator.option('LogRetentionDays', '7')
    await letJobsRun()
    await until(async () => ((await partitions()).includes(old) ? undefined : true))
    await until(async () => ((await rowsIn('logs_default')) === 0 ? true : undefined))
    expect(await operator.consumed()).toBe(2)
    expect(await figures()).toEqual(before)
    expect(await isCovered(now() + 7 * day)).toBe(true)
  })

  it('are cleared by hand before a time, too, and the books are right after all of it', async () => {
    await callsOf(3, 1)
    await callsOf(0, 2)
    const deleted = await operator.api('DELETE', `/api/log/?target_timestamp=${now() - 2 * day}`)
    expect(deleted).toBe(3)
    expect(await operator.consumed()).toBe(2)
    const { code, output } = await gateway.run('audit')
    expect({ code, output }).toMatchObject({ code: 0 })
  })
})
