import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import type { StoreConfig } from '../engine/open/open-store.ts'

/** Somewhere a store can be opened, empty at first, with a way to look into it from outside. */
export interface TestStore {
  readonly config: StoreConfig
  /** Runs SQL past the store. */
  sql(query: string): Promise<Readonly<Record<string, unknown>>[]>
  remove(): Promise<void>
}

export interface TestDatabase {
  readonly dialect: 'sqlite' | 'postgres'
  createTestStore(): Promise<TestStore>
}

/** A warning is a failure of the test that caused it. */
const logger: StoreConfig['logger'] = {
  warn: (...said: unknown[]) => {
    throw new Error(`the store warned: ${JSON.stringify(said)}`)
  },
}

export const sqliteForTests: TestDatabase = {
  dialect: 'sqlite',
  async createTestStore() {
    const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-store-'))
    return {
      config: { dataDir, logger },
      async sql(query) {
        const database = new Database(join(dataDir, 'tollgate.db'))
        try {
          database.run('pragma busy_timeout = 5000')
          return database.query<Record<string, unknown>, []>(query).all()
        } finally {
          database.close()
        }
      },
      async remove() {
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  },
}

export function postgresForTests(createDatabase: () => Promise<string>): TestDatabase {
  return {
    dialect: 'postgres',
    async createTestStore() {
      const databaseUrl = await createDatabase()
      return {
        config: { databaseUrl, dataDir: tmpdir(), logger },
        async sql(query) {
          await using sql = new SQL(databaseUrl, { max: 1 })
          return await sql.unsafe(query)
        },
        async remove() {},
      }
    },
  }
}
