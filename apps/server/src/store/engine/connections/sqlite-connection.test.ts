import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

let database: SqliteConnection

beforeEach(() => {
  database = openSqliteConnection({ file: ':memory:', readonly: false })
  execute('create table sums (id integer primary key, name text, sum integer) strict')
})

afterEach(() => database.close())

const execute = (sql: string) => database.execute({ sql, parameters: [] }).rows
const columns = { id: 'integer', name: 'text', sum: 'integer' } as const

function add(rows: readonly (readonly [id: number, name: string, sum: number])[]): void {
  const onConflict = 'on conflict (id) do update set sum = sums.sum + excluded.sum'
  database.batch([sqliteDialect.insertRows('sums', columns, rows, onConflict)])
}

describe('rows inserted in a batch', () => {
  it('arrive in their order, however many, and add to existing ones', () => {
    for (const count of [0, 1, 15, 16, 17, 100]) {
      execute('delete from sums')
      const rows = Array.from({ length: count }, (_, id) => [id, `row ${id}`, id * 2 ** 40] as const)
      add(rows)
      add(rows)
      expect(execute('select id, name, sum from sums order by id')).toEqual(
        rows.map(([id, name, sum]) => ({ id, name, sum: sum * 2 })),
      )
    }
  })

  it('are all undone when one of them is refused', () => {
    const rows = Array.from({ length: 40 }, (_, id) => [id, 'row', id] as const)
    expect(() => add([...rows, [40, 'row', 0.5]])).toThrow()
    expect(() => add([...rows.slice(0, 10), [40, 'row', 0.5], ...rows.slice(10)])).toThrow()
    expect(execute('select * from sums')).toEqual([])
  })
})

describe('a commit', () => {
  const level = () => Object.values(execute('pragma synchronous')[0] ?? {})[0]
  const [normal, full] = [1, 2]

  it('is synced, except for work that does not need it', () => {
    expect(level()).toBe(full)
    expect(database.withoutSync(level)).toBe(normal)
    expect(level()).toBe(full)
  })

  it('is synced again after work without that failed', () => {
    expect(() =>
      database.withoutSync(() => {
        throw new Error('no')
      }),
    ).toThrow()
    expect(level()).toBe(full)
  })
})

describe('integers', () => {
  it('beyond the safe ones are refused, not rounded, in every place', () => {
    execute(`insert into sums values (1, 'a', 1), (2, 'b', ${2 ** 53 - 1}), (3, 'c', 9007199254740993)`)
    expect(execute('select sum from sums where id < 3')).toEqual([{ sum: 1 }, { sum: 2 ** 53 - 1 }])
    expect(() => execute('select id, sum from sums')).toThrow('sum in the database is beyond')
    expect(() => execute('select -sum as debt from sums where id = 3')).toThrow(RangeError)
  })
})
