import { existsSync } from 'node:fs'
import { StoreOpenError } from '../errors.ts'
import { type InstallationState, readInstallation } from '../state.ts'
import { databaseFile } from './database-file.ts'
import { readMovedMarker } from './moved-marker.ts'
import { openReadingFile } from './reading-file.ts'
import { beginOnServer, nameServer } from './server-connection.ts'

export interface ServerAndFolder {
  readonly databaseUrl: string
  readonly dataDir: string
  /** The database that the journal of the data directory belongs to. */
  readonly journalDatabase?: string | undefined
}

/**
 * Refuses a PostgreSQL database that is not the one to use: its installation was moved to a file, or the data directory holds an
 * installation in a file that this database does not have. Whoever sets `DATABASE_URL` over a folder in use would see an empty
 * gateway. Changes nothing.
 * @throws StoreOpenError with one sentence that says what to do
 */
export async function refuseWrongServer(given: ServerAndFolder): Promise<void> {
  const { databaseUrl, dataDir, journalDatabase } = given
  const server = await readServerState(databaseUrl)
  if (server.movedTo !== '')
    throw new StoreOpenError(
      `The installation in ${nameServer(databaseUrl)} was moved to ${server.movedTo}: leave DATABASE_URL out and set DATA_DIR to that folder.`,
    )
  const file = readFileState(dataDir)
  if (file === undefined || !file.isUsed) return
  // The node has served this database before: the file is a leftover of an earlier time.
  if (server.isUsed && server.database === journalDatabase && server.database !== file.database) return
  if (server.isUsed && server.database === readMovedMarker(dataDir)?.database) return
  throw new StoreOpenError(refusal(given, file, server))
}

async function readServerState(url: string): Promise<InstallationState> {
  const transaction = await beginOnServer(url, 'begin read only')
  try {
    return await transaction.run(readInstallation('postgres'))
  } finally {
    await transaction.close()
  }
}

function readFileState(dataDir: string): InstallationState | undefined {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return undefined
  try {
    const reading = openReadingFile(file)
    try {
      return reading.run(readInstallation('sqlite'))
    } finally {
      reading.close()
    }
  } catch (cause) {
    throw new StoreOpenError(
      `DATABASE_URL is set, and ${file} is there too and cannot be read: move it away if nothing in it is needed.`,
      { cause },
    )
  }
}

const command = 'tollgate move --to "$DATABASE_URL"'

function refusal(
  { databaseUrl, dataDir }: ServerAndFolder,
  file: InstallationState,
  server: InstallationState,
): string {
  const what = `${dataDir} holds an installation (tollgate.db), and ${nameServer(databaseUrl)}`
  if (!server.isUsed)
    return `${what} has none: carry it over with ${command}, or choose another folder with DATA_DIR.`
  if (server.database === file.database)
    return `${what} has a copy that was not moved from here: carry the one in the folder to an empty database with ${command}, or move tollgate.db away to use the copy.`
  return `${what} has another one: carry the one in the folder to an empty database with ${command}, or choose another folder with DATA_DIR.`
}
