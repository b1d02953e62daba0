import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from './postgres.ts'

setDefaultTimeout(deadline(30_000))

describe.skipIf(!hasPostgres())('startPostgres', () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  it('gives databases that do not see each other', async () => {
    await using one = new SQL(await postgres.createDatabase())
    await using other = new SQL(await postgres.createDatabase())
    await one`CREATE TABLE mark (id bigint)`
    expect(await other`SELECT to_regclass('mark') AS found`).toEqual([{ found: null }])
  })

  it('has its committed rows after a kill and a start', async () => {
    const url = await postgres.createDatabase()
    await using before = new SQL(url)
    await before`CREATE TABLE mark AS SELECT 7 AS id`
    await postgres.kill()
    await expect(new SQL(url, { max: 1, connectionTimeout: 2 })`SELECT 1`.execute()).rejects.toThrow()
    await postgres.start()
    await using after = new SQL(url)
    expect(await after`SELECT id FROM mark`).toEqual([{ id: 7 }])
  })
})
