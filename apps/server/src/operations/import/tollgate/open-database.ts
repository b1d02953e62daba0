import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Logger } from '../../../lib/logger.ts'
import type { CopySource } from '../../../store/engine/copy/copy-source.ts'
import { openFileSource } from '../../../store/engine/copy/file-source.ts'
import { listOtherNodes } from '../../../store/engine/copy/moved-server.ts'
import { openServerSource } from '../../../store/engine/copy/server-source.ts'
import { readSourceState } from '../../../store/engine/copy/source-state.ts'
import { stageOlderFile, stageOlderServer } from '../../../store/engine/copy/stage-older.ts'
import { isServerAddress } from '../../../store/engine/foreign/open-foreign.ts'
import { databaseFile } from '../../../store/engine/open/database-file.ts'
import { isLocked, lockDirectory } from '../../../store/engine/open/directory-lock.ts'
import { refuseMovedFolder } from '../../../store/engine/open/moved-marker.ts'
import { beginAloneOnServer, nameServer } from '../../../store/engine/open/server-connection.ts'
import { readJournalPosition, readJournalSpans } from '../../../store/engine/state.ts'
import { requireUsableSchema } from '../../../store/engine/upgrade/require-current.ts'
import { readSchemaState } from '../../../store/engine/upgrade/schema-state.ts'
import { SchemaTooNewError, StoreOpenError } from '../../../store/errors.ts'
import type { SecretRecord } from '../../../store/installation/database-identity.ts'
import { query } from '../../../store/program.ts'
import { writesStoredForms } from '../../../store/schema/stored-forms.ts'
import { peekAbout } from '../../backup/archive.ts'
import { stageBackup } from '../../backup/stage-backup.ts'
import { countWaiting } from '../../backup/waiting-calls.ts'
import { findVault } from '../../secrets/open-vault.ts'
import { ImportError } from '../import-source.ts'
import { SourceDatabase } from './source-database.ts'
import { findSourceSecrets } from './source-secret.ts'

/** Another installation, to read. */
export interface SourceInstallation {
  readonly database: SourceDatabase
  /** Decides whether its gateway runs: the import reads one moment, and misses what comes later. */
  readonly isRunning: () => Promise<boolean>
  /**
   * Keeps its gateway from being started until it is closed.
   * @throws ImportError while it runs, or while settled calls are missing in its database
   */
  readonly hold: () => Promise<void>
  close(): Promise<void>
}

interface SourceOptions {
  /** A database file, its data directory, a backup of it, or a `postgres://` address. */
  readonly address: string
  /** The secret of the installation, or a file that has it. */
  readonly secret: string | undefined
  readonly logger: Logger
}

/** A database as it was found, and where its data directory is. */
interface Found extends Omit<SourceInstallation, 'database'> {
  readonly source: CopySource
  readonly origin: string
  readonly directory: string | undefined
}

/**
 * Opens another Tollgate, to read: nothing of it changes. A database of an older version is brought up in a copy.
 * @throws ImportError with one sentence
 */
export async function openSourceInstallation(options: SourceOptions): Promise<SourceInstallation> {
  const stage = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
  const removeStage = () => rmSync(stage, { recursive: true, force: true })
  try {
    const found = await find(options, stage)
    try {
      const { database } = await readSourceState(found.source)
      if (database === undefined) throw new ImportError(`${found.origin} holds no installation.`)
      const vault = await openSecrets(found, options)
      return {
        database: new SourceDatabase(found.source, { origin: found.origin, identity: database, vault }),
        isRunning: found.isRunning,
        hold: found.hold,
        async close() {
          await found.close()
          removeStage()
        },
      }
    } catch (error) {
      await found.close()
      throw error
    }
  } catch (error) {
    removeStage()
    if (error instanceof SchemaTooNewError || error instanceof StoreOpenError)
      throw new ImportError(`What is to be imported cannot be read. ${error.message}`, { cause: error })
    throw error
  }
}

function find(options: SourceOptions, stage: string): Promise<Found> {
  if (isServerAddress(options.address)) return findServer(options, stage)
  const path = resolve(options.address)
  if (!existsSync(path)) throw new ImportError(`There is no file or folder ${path} to import.`)
  if (statSync(path).isDirectory()) return findFile(databaseFile(path), path, options, stage)
  if (peekAbout(path) !== undefined) return findBackup(path, options, stage)
  return findFile(path, path === databaseFile(dirname(path)) ? dirname(path) : undefined, options, stage)
}

async function findBackup(file: string, { logger }: SourceOptions, stage: string): Promise<Found> {
  await stageBackup(file, stage, logger)
  const source = openFileSource(databaseFile(stage))
  const unused = { isRunning: async () => false, hold: async () => undefined }
  return { ...unused, source, origin: file, directory: stage, close: () => source.close() }
}

async function findFile(
  file: string,
  directory: string | undefined,
  { logger }: SourceOptions,
  stage: string,
): Promise<Found> {
  if (!existsSync(file)) throw new ImportError(`There is no database ${file} to import.`)
  if (directory !== undefined) refuseMovedFolder(directory)
  const journal = directory === undefined ? undefined : join(directory, 'journal')
  const source = await currentFile(file, stage, logger)
  const locks: { release(): void }[] = []
  return {
    source,
    origin: file,
    directory,
    isRunning: async () => journal !== undefined && isLocked(journal),
    async hold() {
      if (journal === undefined || !existsSync(journal)) return
      const lock = existsSync(join(journal, 'lock')) ? lockDirectory(journal) : { release: () => undefined }
      if (lock === undefined)
        throw new ImportError(
          `A gateway is using ${directory}: stop it first, so that nothing is charged there afterwards.`,
        )
      locks.push(lock)
      await refuseWaitingCalls(source, journal, logger)
    },
    async close() {
      for (const lock of locks) lock.release()
      await source.close()
    },
  }
}

/** The file, or a copy of it that was brought up to this program. */
async function currentFile(file: string, stage: string, logger: Logger): Promise<CopySource> {
  const source = openFileSource(file)
  try {
    const { pending } = requireUsableSchema(await source.read(readSchemaState('sqlite')))
    if (pending.length === 0) return source
  } catch (error) {
    await source.close()
    throw error
  }
  await source.close()
  await stageOlderFile(file, { directory: stage, logger })
  return openFileSource(databaseFile(stage))
}

/** Calls that were settled and are in no balance yet. */
async function refuseWaitingCalls(source: CopySource, journal: string, logger: Logger): Promise<void> {
  const ledger = {
    journalPosition: (node: string) => source.read(readJournalPosition(node)),
    journalSpans: (runs: readonly string[]) => source.read(readJournalSpans(runs)),
  }
  const waiting = await countWaiting(journal, ledger, logger)
  if (waiting > 0)
    throw new ImportError(
      `${waiting} settled calls wait in ${journal} and are in no balance yet: start that gateway and stop it again, which writes them, then import.`,
    )
}

async function findServer({ address, logger }: SourceOptions, stage: string): Promise<Found> {
  const server = await openServerSource(address)
  const origin = nameServer(address)
  const source = await currentServer(server, stage, logger)
  const alone: { close(): Promise<void> }[] = []
  return {
    source,
    origin,
    directory: undefined,
    isRunning: async () => (await server.read(listOtherNodes(''))).length > 0,
    async hold() {
      alone.push(await beginAloneOnServer(address))
      const [node] = await server.read(listOtherNodes(''))
      if (node !== undefined)
        throw new ImportError(
          `Node ${node} of ${origin} did not end in good order, and its disk may have settled calls: start and stop it, or settle its journal with tollgate recover --journal DIR, then import.`,
        )
    },
    async close() {
      for (const one of alone) await one.close()
      if (source !== server) await source.close()
      await server.close()
    },
  }
}

async function currentServer(server: CopySource, stage: string, logger: Logger): Promise<CopySource> {
  try {
    const state = await server.read(readSchemaState('postgres'))
    const { pending } = requireUsableSchema(state)
    if (pending.length === 0) return server
    await stageOlderServer(server, state?.applied ?? [], { directory: stage, logger })
    return openFileSource(databaseFile(stage))
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Opens the secrets of the installation. */
async function openSecrets({ source, origin, directory }: Found, { secret }: SourceOptions) {
  const secrets = findSourceSecrets({ argument: secret, directory })
  if (secrets === undefined)
    throw new ImportError(
      `The keys in ${origin} are sealed with the secret of that installation: give it with --source-secret FILE, its secret.key or its environment file, or in TOLLGATE_SOURCE_SECRET.`,
    )
  const [record] = await source.read(
    query<Omit<SecretRecord, 'namesKeys'> & { readonly oldest: string }>(
      `select secret_fingerprint as "fingerprint", hash_key_sealed as "hashKeySealed", resealed_key as "resealedKey",
        oldest_program as "oldest" from database_identity`,
    ),
  )
  const vault =
    record &&
    findVault({ ...secrets, source: 'file' }, { ...record, namesKeys: writesStoredForms(record.oldest) })
  if (vault !== undefined) return vault
  const secretName = secret === undefined ? `The secret.key in ${directory}` : 'The secret of --source-secret'
  throw new ImportError(
    `${secretName} is not that of ${origin}: give the TOLLGATE_SECRET of that installation, or its secret.key, with --source-secret FILE.`,
  )
}
