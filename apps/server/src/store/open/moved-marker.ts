import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceDurableFile } from '../../lib/durable-file.ts'
import { StoreOpenError } from '../errors.ts'

/** The file of a data directory that says where the installation in its database file was moved to. */
export const movedMarkerFile = 'moved.json'

const marker = z.object({
  /** Host, port and name of the database, without credentials. */
  to: z.string(),
  /** Identity of the installation, the same on both sides. */
  database: z.string(),
  at: z.string(),
})
export type MovedMarker = z.output<typeof marker>

/** Says in the data directory that its installation lives elsewhere now. The database file stays as it is. */
export function writeMovedMarker(dataDir: string, moved: MovedMarker): void {
  replaceDurableFile(join(dataDir, movedMarkerFile), `${JSON.stringify(moved, undefined, 2)}\n`)
}

/**
 * Where the installation of a data directory was moved to; `undefined` when it was not.
 * @throws StoreOpenError when the file that says so cannot be read
 */
export function readMovedMarker(dataDir: string): MovedMarker | undefined {
  const file = join(dataDir, movedMarkerFile)
  if (!existsSync(file)) return undefined
  try {
    return marker.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new StoreOpenError(
      `${file} says that the installation was moved, and cannot be read: put it back, or delete it to use ${dataDir} as it is.`,
      { cause },
    )
  }
}

/**
 * Refuses a data directory whose installation lives elsewhere: what it would charge is charged there too.
 * @throws StoreOpenError with one sentence
 */
export function refuseMovedFolder(dataDir: string): void {
  const moved = readMovedMarker(dataDir)
  if (moved === undefined) return
  throw new StoreOpenError(
    `The installation in ${dataDir} was moved to the PostgreSQL database at ${moved.to} on ${moved.at}: set DATABASE_URL to it, or delete ${join(dataDir, movedMarkerFile)} to go on with what was here before.`,
  )
}
