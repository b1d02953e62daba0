import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejection } from '../../contract/rejection.ts'
import { BatchRefusedError, StoreFault } from '../../errors.ts'
import type { Value } from '../../program.ts'
import { fromSqlite } from './sqlite-connection.ts'
import { lazyWorker, startWorker, type WorkerClient } from './worker-client.ts'
import type { Executed } from './worker-messages.ts'

describe('the workers of a store', () => {
  it.each([
    ['sqlite-worker', /\/zod\/|\/kysely\/|packages\/api\/src\/calls\//],
    ['postgres-worker', /\/zod\/|packages\/api\/src\/calls\//],
  ])('%s loads no contract and no parser of it: every store starts one', async (name, unused) => {
    const entrypoint = join(import.meta.dir, `${name}.ts`)
    const { outputs } = await Bun.build({ entrypoints: [entrypoint], target: 'bun' })
    expect(outputs).toHaveLength(1)
    const code = (await outputs[0]?.text()) ?? ''
    const foreign = code.split('\n').filter((line) => line.startsWith('// ') && unused.test(line))
    expect(foreign).toEqual([])
  })
})

describe('the SQLite worker', () => {
  let folder: string
  let worker: Worker
  let link: WorkerClient

  const start = (readonly = false) => {
    worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url))
    return startWorker(() => worker, { file: join(folder, 'test.db'), readonly }, fromSqlite)
  }
  const execute = (sql: string, ...parameters: Value[]) =>
    link.call<Executed>({ op: 'execute', statement: { sql, parameters } })
  const faultOf = async (call: Promise<unknown>) => {
    const fault = await rejection(call)
    return fault instanceof StoreFault ? fault.kind : fault
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-worker-'))
    link = await start()
    await execute('create table numbers (id integer primary key, value integer, text text) strict')
  })
  afterEach(async () => {
    await link.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('stores integers exactly, and refuses those it would round', async () => {
    await execute('insert into numbers (value) values (?), (?)', 5_000_000_000, Number.MIN_SAFE_INTEGER)
    const { rows } = await execute('select value, typeof(value + ?) as type from numbers', 2 ** 40)
    expect(rows.map((row) => row['value'])).toEqual([5_000_000_000, Number.MIN_SAFE_INTEGER])
    expect(rows.map((row) => row['type'])).toEqual(['integer', 'integer'])
    expect(await rejection(execute('select ?', 2 ** 60))).toBeInstanceOf(RangeError)
    expect(await rejection(execute('select value * 1000 as value from numbers where id = 2'))).toBeInstanceOf(
      RangeError,
    )
  })

  it('undoes a batch that did not change the expected rows, or failed half way', async () => {
    const insert = { sql: 'insert into numbers (value) values (?)', parameters: [1] }
    const nothing = { sql: 'update numbers set value = 2 where id = 99', parameters: [], expectedChanges: 1 }
    const wrong = { sql: 'insert into numbers (value) values (?)', parameters: ['text'] }
    expect(await rejection(link.call({ op: 'batch', statements: [insert, nothing] }))).toBeInstanceOf(
      BatchRefusedError,
    )
    expect(await faultOf(link.call({ op: 'batch', statements: [insert, wrong] }))).toBe('failed')
    expect((await execute('select count(*) as count from numbers')).rows).toEqual([{ count: 0 }])
  })

  it('runs a statement once for each given row', async () => {
    const sql = 'insert into numbers (value, text) values (?, ?)'
    const rows = [
      [1, 'a'],
      [2, 'b'],
    ]
    await link.call({ op: 'batch', statements: [{ sql, parameters: [], rows }] })
    expect((await execute('select value, text from numbers')).rows).toEqual([
      { value: 1, text: 'a' },
      { value: 2, text: 'b' },
    ])
  })

  it('reports a full disk, and works again when there is space', async () => {
    const [pages] = (await execute('pragma page_count')).rows
    await execute(`pragma max_page_count = ${pages?.['page_count']}`)
    const insert = { sql: 'insert into numbers (text) values (?)', parameters: ['x'.repeat(50_000)] }
    expect(await faultOf(link.call({ op: 'batch', statements: [insert] }))).toBe('full')
    expect(await faultOf(link.call({ op: 'execute', statement: insert }))).toBe('full')
    expect((await execute('select count(*) as count from numbers')).rows).toEqual([{ count: 0 }])
    await execute('pragma max_page_count = 100000')
    await link.call({ op: 'batch', statements: [insert] })
    expect((await execute('select count(*) as count from numbers')).rows).toEqual([{ count: 1 }])
  })

  it('cannot write through the reader', async () => {
    const reader = await start(true)
    const insert = { sql: 'insert into numbers (value) values (1)', parameters: [] }
    expect(await faultOf(reader.call({ op: 'execute', statement: insert }))).toBe('read-only')
    await reader.close()
  })

  it('rejects every call made before or after it ended', async () => {
    const lateCall = execute('select 1')
    worker.terminate()
    const outcome = await Promise.race([rejection(lateCall).then(() => 'settled'), Bun.sleep(2000)])
    expect(outcome).toBe('settled')
    while (link.alive) await Bun.sleep(1)
    expect(await faultOf(execute('select 1'))).toBe('unavailable')
  })

  it('is started again by the next call', async () => {
    const lazy = lazyWorker(() => start(true))
    const first = await lazy.link()
    worker.terminate()
    while (first.alive) await Bun.sleep(1)
    const second = await lazy.link()
    expect(second).not.toBe(first)
    const statement = { sql: 'select count(*) as count from numbers', parameters: [] }
    expect((await second.call<Executed>({ op: 'execute', statement })).rows).toEqual([{ count: 0 }])
    await lazy.close()
    expect(await faultOf(lazy.link())).toBe('unavailable')
  })

  it('rejects an invalid statement', async () => {
    expect(await faultOf(execute('select nonsense from nowhere'))).toBe('failed')
  })
})
