import { join } from 'node:path'
import { isOfServer, wasCommitted } from '../../store/engine/open/committed-transaction.ts'
import {
  finishLeaving,
  type LeavingMarker,
  movedMarkerFile,
  readMovedMarker,
  removeMovedMarker,
} from '../../store/engine/open/moved-marker.ts'
import {
  beginAloneOnServer,
  beginOnServer,
  type ServerTransaction,
} from '../../store/engine/open/server-connection.ts'
import { readInstallation } from '../../store/engine/state.ts'
import { claimDirectory } from './claim-directory.ts'
import { BackupError } from './errors.ts'

/**
 * Ends a move of a folder that was interrupted when everything had arrived at the server.
 * @returns whether it had; if not, the move is to begin again
 * @throws BackupError when the move was to another server, StoreOpenError when this one cannot be reached
 */
export async function finishMove(dataDir: string, url: string, marker: LeavingMarker): Promise<boolean> {
  const transaction = await beginOnServer(url, 'begin read only')
  try {
    await refuseOtherServer(transaction, marker)
    const hasArrived = await hasEverything(transaction, marker)
    if (hasArrived) finishLeaving(dataDir, marker)
    return hasArrived
  } finally {
    await transaction.close()
  }
}

/** Refuses another server: the first one may have everything, and two would charge for one installation. */
async function refuseOtherServer({ run }: ServerTransaction, marker: LeavingMarker): Promise<void> {
  if (!(await run(isOfServer(marker))))
    throw new BackupError(
      `An interrupted move was to the PostgreSQL database at ${marker.to}, which may have everything: name that one, or give it up first with tollgate move --to and its address and --give-up.`,
    )
}

interface AbandonedCall {
  readonly dataDir: string
  readonly journalDirectory: string
  /** The PostgreSQL database that the move was to. */
  readonly url: string
}

/**
 * Lets an installation be used in its folder again, whose move to a server was interrupted.
 * @throws BackupError when there was none, or the server has everything; StoreOpenError when that cannot be found out
 */
export async function giveUpMove(call: AbandonedCall): Promise<void> {
  const { dataDir, journalDirectory } = call
  const marker = readMovedMarker(dataDir)
  if (marker?.state !== 'leaving')
    throw new BackupError(`No move of ${dataDir} to a PostgreSQL database was interrupted.`)
  const lock = claimDirectory(dataDir, journalDirectory)
  try {
    await refuseArrived(call, marker)
    removeMovedMarker(dataDir)
  } finally {
    lock.release()
  }
}

async function refuseArrived({ dataDir, url }: AbandonedCall, marker: LeavingMarker): Promise<void> {
  // Nobody is in the middle of the commit when it has the database for itself.
  const transaction = await beginAloneOnServer(url)
  try {
    await refuseOtherServer(transaction, marker)
    if (await hasEverything(transaction, marker))
      throw new BackupError(
        `The PostgreSQL database at ${marker.to} has everything: start with DATABASE_URL set to it, or delete ${join(dataDir, movedMarkerFile)} once it is dropped.`,
      )
  } finally {
    await transaction.close()
  }
}

async function hasEverything({ run }: ServerTransaction, marker: LeavingMarker): Promise<boolean> {
  const { database, isUsed } = await run(readInstallation('postgres'))
  return isUsed && database === marker.database && (await run(wasCommitted(marker)))
}
