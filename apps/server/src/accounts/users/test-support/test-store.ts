import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../lib/logger.ts'
import { openStore } from '../../../store/engine/open/open-store.ts'
import type { Store } from '../../../store/store.ts'

const opened: { readonly store: Store; readonly dataDir: string }[] = []
let shared: Promise<Store> | undefined

/** A store of its own in a directory of its own. */
export async function openTestStore(): Promise<Store> {
  const dataDir = newFolder()
  cpSync(await emptyDatabase(), dataDir, { recursive: true })
  const store = await openStore({ dataDir, logger })
  opened.push({ store, dataDir })
  return breakable(store)
}

const logger = createLogger('silent')
const newFolder = () => mkdtempSync(join(tmpdir(), 'tollgate-test-'))

let empty: Promise<string> | undefined

/** A directory whose database has the schema and nothing else: a copy of it takes half of the time of all migrations. */
function emptyDatabase(): Promise<string> {
  empty ??= createEmptyDatabase()
  return empty
}

async function createEmptyDatabase(): Promise<string> {
  const dataDir = newFolder()
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  await (await openStore({ dataDir, logger })).close()
  return dataDir
}

/** One store for all tests of a file, for those that look only at rows of their own. It forgets tries at secrets. */
export async function sharedTestStore(): Promise<Store> {
  shared ??= openTestStore()
  const store = await shared
  await store.oneTimeSecrets.deleteExpired(Number.MAX_SAFE_INTEGER)
  return breakable(store)
}

/** Closes every store and removes its files. */
export async function closeTestStores(): Promise<void> {
  shared = undefined
  for (const { store, dataDir } of opened.splice(0)) {
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
}

/** The repositories are copies, so that a test may replace one call by a fault. */
function breakable(store: Store): Store {
  return {
    ...store,
    users: { ...store.users },
    tokens: { ...store.tokens },
    sessions: { ...store.sessions },
    setups: { ...store.setups },
  }
}
