import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { openSqliteConnection, type SqliteConnection } from '../../engine/connections/sqlite-connection.ts'
import { type Program, query } from '../../program.ts'
import { TermCache, termIds } from './terms.ts'

let database: SqliteConnection

beforeEach(() => {
  database = openSqliteConnection({ file: ':memory:', readonly: false })
  const sql =
    'create table log_terms (id integer primary key, dimension integer, text text, unique (dimension, text))'
  database.execute({ sql, parameters: [] })
})

afterEach(() => database.close())

function idsOf(texts: readonly string[], memory: TermCache): readonly number[] {
  return database.run(termIds('token', texts, memory), 'begin immediate')
}

function stored(): readonly unknown[] {
  return database.execute({ sql: 'select id, text from log_terms order by id', parameters: [] }).rows
}

describe('ids of texts', () => {
  it('are assigned once and found again, in the order of the texts', () => {
    const memory = new TermCache()
    const first = idsOf(['a', 'b'], memory)
    expect(idsOf(['b', 'c', 'a'], memory)).toEqual([first[1], 3, first[0]] as number[])
    expect(idsOf(['c', 'b', 'a'], memory)).toEqual([3, first[1], first[0]] as number[])
    expect(stored()).toHaveLength(3)
  })

  it('of a transaction that was rolled back are not used', () => {
    const memory = new TermCache()
    function* undone(): Program<void> {
      yield* termIds('token', ['a', 'b'], memory)
      throw new Error('undone')
    }
    expect(() => database.run(undone(), 'begin immediate')).toThrow('undone')
    expect(idsOf(['b'], memory)).toEqual([1])
    expect(idsOf(['a', 'b'], memory)).toEqual([2, 1])
  })

  it('are read from the database only once', () => {
    const memory = new TermCache()
    idsOf(['a'], memory)
    idsOf(['a'], memory)
    expect(termIds('token', ['a'], memory).next()).toEqual({ done: true, value: [1] })
    expect(memory.get('model', 'a')).toBeUndefined()
  })

  it('are cached up to a limit, beyond which they are read again', () => {
    const memory = new TermCache(2)
    const texts = ['a', 'b', 'c', 'd', 'e']
    const ids = idsOf(texts, memory)
    for (let round = 0; round < 3; round += 1) expect(idsOf(texts, memory)).toEqual(ids)
  })

  it('are all found for more texts than one statement takes', () => {
    const texts = Array.from({ length: 450 }, (_, index) => `key ${index}`)
    const ids = idsOf(texts, new TermCache())
    expect(new Set(ids).size).toBe(450)
    expect(database.run(both(texts), 'begin')).toEqual([...ids, ...ids])
  })
})

function* both(texts: readonly string[]): Program<readonly number[]> {
  const memory = new TermCache()
  yield* query('select 1 as one')
  return [...(yield* termIds('token', texts, memory)), ...(yield* termIds('token', texts, memory))]
}
