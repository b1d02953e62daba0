/**
 * The log pages of the console over a large log on PostgreSQL: every filter over every stretch of time that the page offers, by HTTP
 * calls to the real gateway. Fills an empty database first. Prints a table in the form of docs/performance.md.
 *
 *   npm run bench:log-pages -- <database url> [--rows 100000000] [--days 90] [--users 20000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { fillPostgresLog } from './fill-log-postgres.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { median, stopAll } from './processes.ts'

const repetitions = 7
const limitMs = 100
const day = 86_400

interface Page {
  readonly total: number
  readonly items: readonly { readonly request_id: string; readonly created_at: number }[]
}

interface Envelope<T> {
  readonly success: boolean
  readonly message: string
  readonly data: T
}

/** Reads with one person's session. */
type Read = <T>(path: string) => Promise<T>

/** Filters that the console sends beside the times. Users and models with small numbers make most calls. */
const everyones: Readonly<Record<string, string>> = {
  'no filter': '',
  'type: consumption': 'type=2',
  'type: error': 'type=5',
  'type: top-up': 'type=1',
  'user with most calls': 'username=filled-user-100',
  'user with few calls': 'username=filled-user-20000',
  'key name': 'token_name=filled-token-107',
  'model, a fourth of calls': 'model_name=filled-model-0',
  'model, rare': 'model_name=filled-model-59',
  'model, pattern': 'model_name=%25el-1%25',
  group: 'group=filled-group-0',
  channel: 'channel=3',
  'consumption of a model': 'type=2&model_name=filled-model-0',
  'model and group': 'model_name=filled-model-0&group=filled-group-0',
  'model and channel': 'model_name=filled-model-0&channel=100',
  'user and model': 'username=filled-user-100&model_name=filled-model-0',
  'user with few calls, and model': 'username=filled-user-20000&model_name=filled-model-0',
  'errors of a channel': 'type=5&channel=3',
  'type, model, group and channel': 'type=2&model_name=filled-model-0&group=filled-group-0&channel=100',
}

const own: Readonly<Record<string, string>> = {
  'own: no filter': '',
  'own: type': 'type=2',
  'own: model': 'model_name=filled-model-0',
  'own: key name': 'token_name=filled-token-100',
}

const ranges = ['24h', '7d', '30d', 'all'] as const

function timesOf(range: (typeof ranges)[number], newest: number): string {
  if (range === 'all') return ''
  const days = { '24h': 1, '7d': 7, '30d': 30 }[range]
  return `&start_timestamp=${newest - days * day}&end_timestamp=${newest + 3600}`
}

/** A reading as slow as this is measured twice. */
const slowMs = 1000

/** Median and least time. Where other programs use the processors, the least says more about this one. */
async function timed(read: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  while (times.length < repetitions && !(times.length > 1 && (times.at(-1) ?? 0) > slowMs)) {
    const start = performance.now()
    await read()
    times.push(performance.now() - start)
  }
  const [standard, lowerBound] = [median(times), Math.min(...times)]
  return `${standard.toFixed(0)}${standard > limitMs ? '!' : ''} (${lowerBound.toFixed(0)})`
}

async function rowsOf(
  paths: readonly [list: string, sums: string],
  filters: Readonly<Record<string, string>>,
  newest: number,
  read: Read,
): Promise<void> {
  for (const [name, filter] of Object.entries(filters)) {
    const cells: string[] = []
    for (const path of paths)
      for (const range of ranges)
        cells.push(await timed(() => read(`${path}?p=1&page_size=100&${filter}${timesOf(range, newest)}`)))
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}

async function others(newest: number, read: Read): Promise<void> {
  const { total, items } = await read<Page>('/api/log/?p=5000&page_size=100')
  const last = Math.ceil(total / 100)
  const single = {
    'request id': `/api/log/?request_id=${items[0]?.request_id}&p=1&page_size=10`,
    'request id that no row has': '/api/log/?request_id=20261125120000000000000none0000&p=1&page_size=10',
    'page in the middle of all': `/api/log/?p=${Math.floor(last / 2)}&page_size=100`,
    'last page of all': `/api/log/?p=${last}&page_size=100`,
    'middle page of a model': `/api/log/?p=${Math.floor(last / 8)}&page_size=100&model_name=filled-model-0`,
    'middle page of 30 days': `/api/log/?p=${Math.floor(last / 6)}&page_size=100${timesOf('30d', newest)}`,
    'search for a content': '/api/log/search?keyword=refund',
  }
  for (const [name, path] of Object.entries(single))
    console.log(`| ${name} | ${await timed(() => read(path))} |`)
}

async function logIn({ url }: Gateway, username: string): Promise<Read> {
  const body = JSON.stringify({ username, password: 'bench-password' })
  const reply = await fetch(`${url}/api/user/login`, { method: 'POST', body })
  const { success, message, data } = (await reply.json()) as Envelope<{ id: number }>
  if (!success) throw new Error(message)
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return async (path) => {
    const response = await fetch(url + path, { headers: { cookie, 'New-Api-User': String(data.id) } })
    const envelope = (await response.json()) as Envelope<never>
    if (!envelope.success) throw new Error(`${path}: ${envelope.message}`)
    return envelope.data
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string' }, days: { type: 'string' }, users: { type: 'string' } },
})
const [databaseUrl] = positionals
if (databaseUrl === undefined) throw new Error('which database?')
const directory = mkdtempSync(join(tmpdir(), 'tollgate-log-pages-'))
await using sql = new SQL(databaseUrl, { max: 1 })
try {
  const [log] = await sql`select to_regclass('logs') is not null as filled`
  if (!log.filled)
    await fillPostgresLog(databaseUrl, {
      rows: Number(values.rows ?? 100_000_000),
      days: Number(values.days ?? 90),
      users: Number(values.users ?? 20_000),
      until: Math.floor(Date.now() / 1000),
    })
  const gateway = await startGateway(directory, {
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: 'one secret for every run over this database',
  })
  await sql`update users set password_hash = (select password_hash from users where username = 'root')
    where username = 'filled-user-100'`
  const read: Read = (path) => gateway.api('GET', path)
  const newest = (await read<Page>('/api/log/?p=1&page_size=1&type=2')).items[0]?.created_at ?? 0
  console.log(`| | ${[...ranges, ...ranges.map((range) => `sums, ${range}`)].join(' | ')} |`)
  console.log(`|${' --- |'.repeat(1 + 2 * ranges.length)}`)
  await rowsOf(['/api/log/', '/api/log/stat'], everyones, newest, read)
  await rowsOf(['/api/log/self', '/api/log/self/stat'], own, newest, await logIn(gateway, 'filled-user-100'))
  console.log('\n| | ms |\n| --- | --- |')
  await others(newest, read)
  await gateway.stop()
} finally {
  stopAll()
  rmSync(directory, { recursive: true, force: true })
}
