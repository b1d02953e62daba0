import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { calls } from '@tollgate/api'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import type { Pieces } from '../../lib/async/pieces.ts'
import { postgresForTests, sqliteForTests, type TestStore } from '../../store/contract/place.ts'
import { flushOf, newTopUpOrder, newUser, settlement } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { StoreFault } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import { type ExportName, type Exports, exportsOver } from './exports.ts'
import { startStoreThread } from './threaded-exports.ts'

setDefaultTimeout(deadline(30_000))

/** Texts that an encoder may get wrong, each in rows of its own. */
const texts = [
  '',
  'plain',
  '=1+1',
  '"quoted", with; a comma',
  'two\r\nlines\tand a tab',
  'Ünïcödé 文字 🧮',
  '\u2028 and \uFEFF',
  "'-1",
]
const textAt = (index: number) => texts[index % texts.length] ?? ''

/** More than the batches of each export, and more than a message between threads. */
const rows = 1300
const now = 1_796_000_000
const statementMs = 400

const databases = hasPostgres() ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

describe.each(databases)('exports on %s', (kind) => {
  let postgres: Postgres | undefined
  let testStore: TestStore
  let store: Store
  let userId = 0
  let filled: FilledArguments

  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres()
    const server = postgres
    const database = server ? postgresForTests(() => server) : sqliteForTests
    testStore = await database.createTestStore()
    store = await openStore({ ...testStore.config, statementMs, startThread: startStoreThread })
    userId = await fill(store)
    filled = argumentsFor(userId, testStore)
  })
  afterAll(async () => {
    await store.close()
    await testStore.remove()
    await postgres?.stop()
  })

  const open = <Name extends ExportName>(name: Name) => store.stream({ name, args: filled[name] })

  it.each(names)('have the same bytes in a thread as beside it: %s', async (name) => {
    const make = exportsOver(store)[name] as (args: unknown) => Pieces
    const expected = await bytesOf(make(filled[name]))
    expect(expected.length).toBeGreaterThan(minBytes[name])
    expect(await bytesOf(open(name))).toEqual(expected)
  })

  it('hold no connection while their reader pauses, but for one of one moment, which ends with its reader', async () => {
    if (kind !== 'postgres') return
    for (const name of names) {
      const reader = open(name)[Symbol.asyncIterator]()
      await reader.next()
      if (name !== 'installation') expect(await held(testStore)).toBe(0)
      await reader.return?.()
    }
    await until(async () => ((await held(testStore)) === 0 ? true : undefined))
  })

  it('that nobody takes are made no further', async () => {
    const reader = open('account')[Symbol.asyncIterator]()
    await reader.next()
    await testStore.sql(`update security_events set detail = 'made later'`)
    let rest = ''
    for (let piece = await reader.next(); piece.done !== true; piece = await reader.next())
      rest += Buffer.from(piece.value).toString()
    const events = open('securityEvents')
    expect(Buffer.from(await bytesOf(events)).toString()).toContain('made later')
    expect(rest).toContain('"logs":[')
  })

  it('fail with the fault of the database, at the limit of a statement too', async () => {
    if (kind !== 'postgres') return
    const release = await lockOf(testStore, 'security_events')
    const failure = await bytesOf(open('securityEvents')).catch((error: unknown) => error)
    await release()
    expect(failure).toBeInstanceOf(StoreFault)
    expect((failure as StoreFault).kind).toBe('busy')
    expect((await bytesOf(open('securityEvents'))).length).toBeGreaterThan(1000)
  })

  it('end with the store, also while somebody reads', async () => {
    const other = await openStore({ ...testStore.config, startThread: startStoreThread })
    const reader = other.stream({ name: 'installation', args: filled.installation })[Symbol.asyncIterator]()
    await reader.next()
    await other.close()
    await expect(reader.next()).rejects.toThrow(/closed/)
    await reader.return?.()
  })
})

type FilledArguments = { readonly [Name in ExportName]: Parameters<Exports[Name]>[0] }

/** Each export is filled, and has more than one message between threads unless its rows are few. */
const minBytes = {
  log: 100_000,
  ownLog: 100_000,
  spend: 500,
  securityEvents: 100_000,
  orders: 100_000,
  account: 200_000,
  installation: 50_000,
} as const satisfies Record<ExportName, number>
const names = Object.keys(minBytes) as ExportName[]

function argumentsFor(userId: number, { config }: TestStore): FilledArguments {
  const reader = {
    language: 'zh',
    utc_offset: -210,
    time_zone: 'America/St_Johns',
    quotaPerUnit: 500_000,
  } as const
  const display = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }
  return {
    log: { args: [{}, reader], display, names: new Map([[9, '=channel']]) },
    ownLog: { args: [userId, {}, reader], display },
    spend: {
      range: { from: now - 86_400, end: now + 86_400 },
      userIds: Float64Array.of(userId),
      language: 'en',
      quotaPerUnit: 500_000,
    },
    securityEvents: calls.securityEvents.export.query.parse({}),
    orders: { search: {}, reader },
    account: { ids: [userId], reader: { language: 'en', ...display } },
    installation: {
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      keys: undefined,
      version: '0.0.0',
      now: new Date(now * 1000),
    },
  }
}

/** Returns the user whose rows they are. */
async function fill(store: Store): Promise<number> {
  const { id: userId } = await store.users.create(newUser({ username: '"Ann", =1' }))
  const calls = Array.from({ length: rows }, (_, index) =>
    settlement(index + 1, {
      userId,
      tokenId: 0,
      channelId: 8 + (index % 3),
      model: `model-${textAt(index)}`,
      tokenName: textAt(index),
      quota: index * 7,
      createdAt: now - rows + index,
    }),
  )
  await store.ledger.flush(flushOf('one', 0, calls))
  await store.usage.append(
    calls.slice(0, rows / 2).map((call, index) => ({
      ...call,
      type: index % 2 === 0 ? 'error' : 'system',
      content: textAt(index),
      other:
        index % 3 === 0 ? 'no JSON' : JSON.stringify({ frt: index, admin_info: { use_channel: ['8', '9'] } }),
    })),
  )
  for (let index = 0; index < rows; index += 1) {
    await store.securityEvents.append({
      createdAt: now + index,
      userId,
      username: textAt(index + 1),
      kind: 'login',
      detail: textAt(index),
      address: `10.0.0.${index % 256}`,
      userAgent: `${textAt(index + 2)} browser`.repeat(3),
    })
    await store.topUpOrders.create({
      ...newTopUpOrder({ userId }),
      quota: index,
      method: textAt(index),
    })
  }
  return userId
}

async function bytesOf(pieces: Pieces): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  return new Uint8Array(Buffer.concat(all))
}

/** Connections that are in a transaction and wait for their client. */
async function held(testStore: TestStore): Promise<number> {
  const [row] = await testStore.sql(
    `select count(*) as held from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  return Number(row?.['held'])
}

/** Locks a table past the store. */
async function lockOf({ config }: TestStore, table: string): Promise<() => Promise<void>> {
  const { SQL } = await import('bun')
  const sql = new SQL(config.databaseUrl ?? '', { max: 1 })
  await sql.unsafe('begin')
  await sql.unsafe(`lock table ${table} in access exclusive mode`)
  return async () => {
    await sql.unsafe('rollback')
    await sql.close()
  }
}
