import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '../../../lib/logger.ts'
import type { Store } from '../../store.ts'
import { databaseFile } from '../open/database-file.ts'
import { openStore } from '../open/open-store.ts'
import { requireUsableSchema } from '../upgrade/require-current.ts'
import { readSchemaState } from '../upgrade/schema-state.ts'
import type { CopySource } from './copy-source.ts'
import { openFileSource } from './file-source.ts'
import { openServerSource } from './server-source.ts'
import { stageOlderFile, stageOlderServer } from './stage-older.ts'

interface Installation {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly logger: Logger
}

/** A database as a start of this program would have it, for a look that changes nothing. */
export interface Preview {
  readonly store: Store
  /** Set for a database of an older version: then this is an upgraded copy, and the original is unchanged. */
  readonly isOlder: boolean
  close(): Promise<void>
}

/** @throws StoreOpenError or SchemaTooNewError with one sentence */
export async function openPreview(installation: Installation): Promise<Preview> {
  const { databaseUrl, dataDir, logger } = installation
  const source = await sourceOf(installation)
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-preview-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    const isOlder = await stageOlder(source, installation, directory)
    const location = isOlder ? { dataDir: directory } : { databaseUrl, dataDir }
    const store = await openStore({ ...location, isBeside: true, logger })
    return { store, isOlder, close: () => store.close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  } finally {
    await source.close()
  }
}

async function sourceOf({ databaseUrl, dataDir }: Installation): Promise<CopySource> {
  return databaseUrl === undefined
    ? openFileSource(databaseFile(dataDir))
    : await openServerSource(databaseUrl)
}

async function stageOlder(
  source: CopySource,
  { databaseUrl, dataDir, logger }: Installation,
  directory: string,
): Promise<boolean> {
  const state = await source.read(readSchemaState(source.kind))
  if (requireUsableSchema(state).pending.length === 0) return false
  const stage = { directory, logger }
  if (databaseUrl === undefined) await stageOlderFile(databaseFile(dataDir), stage)
  else await stageOlderServer(source, state?.applied ?? [], stage)
  return true
}
