import { existsSync } from 'node:fs'
import { StoreOpenError } from '../../errors.ts'
import type { Program } from '../../program.ts'
import { type InstallationState, readInstallation } from '../state.ts'
import { wasCommitted } from './committed-transaction.ts'
import { databaseFile } from './database-file.ts'
import { finishLeaving, leavingText, type MovedMarker, readMovedMarker } from './moved-marker.ts'
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
 * gateway. Changes nothing, but that a move which was interrupted when everything had arrived is finished.
 * @throws StoreOpenError with one sentence that says what to do
 */
export async function refuseWrongServer(options: ServerAndFolder): Promise<void> {
  const { databaseUrl, dataDir, journalDatabase } = options
  const marker = readMovedMarker(dataDir)
  const server = await readServerState(databaseUrl, marker)
  if (server.movedTo !== '')
    throw new StoreOpenError(
      `The installation in ${nameServer(databaseUrl)} was moved to ${server.movedTo}: leave DATABASE_URL out and set DATA_DIR to that folder.`,
    )
  if (server.isOriginal) {
    if (marker?.state === 'leaving') finishLeaving(dataDir, marker)
    return
  }
  if (marker?.state === 'leaving') throw new StoreOpenError(leavingText(dataDir, marker))
  const file = readFileState(dataDir)
  if (file === undefined || !file.isUsed) return
  // The node has served this database before: the file is a leftover of an earlier time.
  if (server.isUsed && server.database === journalDatabase && server.database !== file.database) return
  throw new StoreOpenError(refusal(options, file, server))
}

interface ServerState extends InstallationState {
  /** Set for the server whose copy the folder's file is. */
  readonly isOriginal: boolean
}

async function readServerState(url: string, marker: MovedMarker | undefined): Promise<ServerState> {
  const transaction = await beginOnServer(url, 'begin read only')
  try {
    const state = await transaction.run(readInstallation('postgres'))
    const isSame = state.isUsed && state.database === marker?.database
    return { ...state, isOriginal: isSame && (await transaction.run(servesFor(marker))) }
  } finally {
    await transaction.close()
  }
}

/** Decides by the marker of a folder whether a server that has its installation is the one to use. */
function* servesFor(marker: MovedMarker | undefined): Program<boolean> {
  switch (marker?.state) {
    case 'leaving':
      return yield* wasCommitted(marker)
    case 'arriving':
      return marker.from === 'server'
    case 'moved':
      return true
    default:
      return false
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
