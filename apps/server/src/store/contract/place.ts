import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import type { Postgres } from '../../../../../tests/support/postgres.ts'
import { openBeside } from '../../../../../tests/support/processes/open-beside.ts'
import type { StoreConfig } from '../engine/open/open-store.ts'

/** Somewhere a store can be opened, empty at first, with a way to look into it from outside. */
export interface TestStore {
  readonly config: StoreConfig
  /** Runs SQL past the store. */
  sql(query: string): Promise<Readonly<Record<string, unknown>>[]>
  /** Makes a place with the same contents, in less time than it takes to fill one. No store may be open here. */
  copy(): Promise<TestStore>
  remove(): Promise<void>
}

export interface TestDatabase {
  readonly dialect: 'sqlite' | 'postgres'
  createTestStore(): Promise<TestStore>
}

/** A warning is a failure of the test that caused it. */
const logger: StoreConfig['logger'] = {
  warn: (...stated: unknown[]) => {
    throw new Error(`the store warned: ${JSON.stringify(stated)}`)
  },
}

export const sqliteForTests: TestDatabase = {
  dialect: 'sqlite',
  createTestStore: async () => sqliteIn(newFolder()),
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'tollgate-store-'))

function sqliteIn(dataDir: string): TestStore {
  return {
    config: { dataDir, logger },
    async sql(query) {
      const database = openBeside(dataDir)
      try {
        return database.query<Record<string, unknown>, []>(query).all()
      } finally {
        database.close()
      }
    },
    async copy() {
      const folder = newFolder()
      cpSync(dataDir, folder, { recursive: true })
      return sqliteIn(folder)
    },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Server = Pick<Postgres, 'createDatabase'>

/** @param server is started when the first place is made */
export function postgresForTests(server: () => Server): TestDatabase {
  return {
    dialect: 'postgres',
    createTestStore: async () => postgresAt(await server().createDatabase(), server()),
  }
}

function postgresAt(databaseUrl: string, server: Server): TestStore {
  return {
    config: { databaseUrl, dataDir: tmpdir(), logger },
    async sql(query) {
      await using sql = new SQL(databaseUrl, { max: 1 })
      return await sql.unsafe(query)
    },
    copy: async () => postgresAt(await server.createDatabase(databaseUrl), server),
    async remove() {},
  }
}
