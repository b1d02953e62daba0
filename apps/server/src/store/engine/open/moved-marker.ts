import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceDurableFile, syncDirectory } from '../../../lib/durable-file.ts'
import { StoreOpenError } from '../../errors.ts'

/** The file of a data directory that says where the installation in its database file lives, or is on its way to. */
export const movedMarkerFile = 'moved.json'

const always = {
  /** Identity of the installation, the same on both sides. */
  database: z.string(),
  at: z.string(),
}
/** Host, port and name of a database, without credentials. */
const address = z.string()

const leaving = z.object({
  ...always,
  state: z.literal('leaving'),
  to: address,
  /** Names that database, whatever address leads there. */
  server: z.string(),
  /** Its transaction which has everything, if it was committed. */
  transaction: z.string(),
})

const arriving = z.object({
  ...always,
  state: z.literal('arriving'),
  /** A server goes on serving until it says that it was left. */
  from: z.enum(['server', 'backup', 'repair']),
  /** The command that finishes it, as an operator writes it. */
  command: z.string(),
  /** Folders that have what was in the data directory. */
  aside: z.array(z.string()),
})

const moved = z.object({ ...always, state: z.literal('moved').default('moved'), to: address })

const marker = z.union([leaving, arriving, moved])
export type MovedMarker = z.output<typeof marker>
export type LeavingMarker = z.output<typeof leaving>
export type ArrivingMarker = z.output<typeof arriving>

/** Says in the data directory where its installation lives now, or is on its way to. The database file stays as it is. */
export function writeMovedMarker(dataDir: string, content: MovedMarker): void {
  replaceDurableFile(join(dataDir, movedMarkerFile), `${JSON.stringify(content, undefined, 2)}\n`)
}

/** Lets the installation of a data directory be used there. */
export function removeMovedMarker(dataDir: string): void {
  rmSync(join(dataDir, movedMarkerFile), { force: true })
  syncDirectory(dataDir)
}

/** Says that everything has arrived where it was on its way to. */
export function finishLeaving(dataDir: string, { to, database, at }: LeavingMarker): void {
  writeMovedMarker(dataDir, { state: 'moved', to, database, at })
}

/**
 * Reads the target to which the installation of a data directory was moved, or is on its way; `undefined` when it is there.
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
 * Refuses a data directory whose installation lives elsewhere, or whose database has not taken its place: what it would charge is
 * charged elsewhere too, or is lost.
 * @throws StoreOpenError with one sentence that says how to go on
 */
export function refuseMovedFolder(dataDir: string): void {
  const found = readMovedMarker(dataDir)
  if (found !== undefined) throw new StoreOpenError(refusalOf(found, dataDir))
}

function refusalOf(found: MovedMarker, dataDir: string): string {
  switch (found.state) {
    case 'moved':
      return `The installation in ${dataDir} was moved to the PostgreSQL database at ${found.to} on ${found.at}: set DATABASE_URL to it, or delete ${join(dataDir, movedMarkerFile)} to go on with what was here before.`
    case 'leaving':
      return leavingText(dataDir, found)
    case 'arriving':
      return `${dataDir} was to get another database on ${found.at}, and that was interrupted: run ${found.command} again, which finishes it.${asideText(found)}`
  }
}

/** Says that it is not known whether a database has everything, and how to know. */
export function leavingText(dataDir: string, { to, at }: Pick<LeavingMarker, 'to' | 'at'>): string {
  return `The move of ${dataDir} to the PostgreSQL database at ${to} was interrupted on ${at}, when that may have had everything: run tollgate move --to with its address again, which finishes it, or add --give-up to go on here.`
}

function asideText({ aside }: ArrivingMarker): string {
  return aside.length === 0 ? '' : ` What was there is in ${aside.join(' and ')}.`
}
