import { afterEach, beforeEach, expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../lib/logger.ts'
import { migrationNames, statementsOf } from '../../schema/migrate.ts'
import { openStore } from '../open/open-store.ts'
import { openPreview } from './open-preview.ts'
import { Database, dialects } from './test-support/raw-database.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-preview-test-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const installation = () => ({ databaseUrl: undefined, dataDir, logger: createLogger('error') })

it('looks at a database of an older version in a copy, and changes no byte of it', async () => {
  const file = join(dataDir, 'tollgate.db')
  {
    using database = new Database(file, { create: true })
    database.run('create table kysely_migration (name text not null primary key, timestamp text not null)')
    for (const name of migrationNames.slice(0, 7)) {
      for (const statement of statementsOf(name, dialects.sqlite)) database.run(statement)
      database.run('insert into kysely_migration values (?, ?)', [name, '2026-11-25T00:00:00.000Z'])
    }
  }
  const before = readFileSync(file)
  const { store, isOlder, close } = await openPreview(installation())
  expect(isOlder).toBe(true)
  expect(await store.users.findFirstRoot()).toBeUndefined()
  await close()
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(dataDir)).toEqual(['tollgate.db'])
})

it('looks at one of this version where it is', async () => {
  await (await openStore(installation())).close()
  const { store, isOlder, close } = await openPreview(installation())
  expect([isOlder, await store.users.findFirstRoot()]).toEqual([false, undefined])
  await close()
})
