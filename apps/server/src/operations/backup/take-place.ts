import { copyFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncDirectory, syncFile } from '../../lib/durable-file.ts'
import { secretFiles } from '../../lib/master-secret.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import {
  type ArrivingMarker,
  movedMarkerFile,
  readMovedMarker,
  removeMovedMarker,
  writeMovedMarker,
} from '../../store/engine/open/moved-marker.ts'
import { makeAside, putDatabaseAside, putJournalAside } from './put-aside.ts'

/** A database, whole in a directory of its own, that is to take the place of what a data directory has. */
export interface Arrival {
  readonly dataDir: string
  /** Has the database, and secrets where they come with it. */
  readonly staging: string
  readonly from: ArrivingMarker['from']
  /** The command that brings it. */
  readonly command: string
  /** Identity of the database. */
  readonly database: string
  /** Name of the folder for the former files, which are put aside; absent where there were none. */
  readonly aside?: 'replaced' | 'damaged'
  /** Put aside too; absent where it belongs to the database that comes. */
  readonly journalDirectory?: string
  readonly now: Date
}

interface Step {
  readonly name: string
  run(arrival: Arrival, aside: string | undefined): void
}

/**
 * The steps, each of which a kill may follow: the first makes the data directory refuse to be used, and only what comes after the last
 * allows it again. Begun again, they lose nothing: a folder of its own has what each beginning found.
 */
export const arrivalSteps: readonly Step[] = [
  { name: 'mark the folder', run: markArriving },
  {
    name: 'put the journal aside',
    run({ journalDirectory }, aside) {
      if (journalDirectory !== undefined && aside !== undefined) putJournalAside(journalDirectory, aside)
    },
  },
  {
    name: 'put the database aside',
    run({ dataDir }, aside) {
      if (aside !== undefined) putDatabaseAside(dataDir, aside)
    },
  },
  { name: 'exchange the secret', run: exchangeSecrets },
  {
    name: 'put the database in place',
    run({ dataDir, staging }) {
      syncFile(databaseFile(staging))
      renameSync(databaseFile(staging), databaseFile(dataDir))
      syncDirectory(dataDir)
      syncDirectory(dirname(dataDir))
    },
  },
]

/**
 * Puts what was there aside and the database in its place. The data directory refuses to be used until `endArrival`.
 * @returns the folders that have what was there: more than one where it was begun again
 */
export function runArrival(arrival: Arrival): readonly string[] {
  const { dataDir, aside: kind, now } = arrival
  const aside = kind === undefined ? undefined : makeAside(dataDir, kind, now)
  for (const { run } of arrivalSteps) run(arrival, aside)
  return interruptedArrival(dataDir)?.aside ?? []
}

/** Lets the data directory be used. */
export function endArrival(dataDir: string): void {
  removeMovedMarker(dataDir)
}

/** The arrival that a killed command left unfinished in a data directory: the next command finishes it without asking. */
export function interruptedArrival(dataDir: string): ArrivingMarker | undefined {
  const marker = readMovedMarker(dataDir)
  return marker?.state === 'arriving' ? marker : undefined
}

function markArriving({ dataDir, from, command, database, now }: Arrival, aside: string | undefined): void {
  const former = interruptedArrival(dataDir)
  const marker = join(dataDir, movedMarkerFile)
  // The former file is not whole without its write-ahead log.
  if (former === undefined && aside !== undefined && existsSync(marker))
    copyFileSync(marker, join(aside, movedMarkerFile))
  writeMovedMarker(dataDir, {
    state: 'arriving',
    from,
    command,
    database,
    aside: [...(former?.aside ?? []), ...(aside === undefined ? [] : [aside])],
    at: now.toISOString(),
  })
}

/**
 * Puts the write-ahead log back beside its database where another one was to take that one's place and has not: without it, the
 * database lacks what it was last told.
 */
export function putLogBack(dataDir: string): void {
  const file = databaseFile(dataDir)
  for (const aside of interruptedArrival(dataDir)?.aside ?? []) {
    const former = databaseFile(aside)
    if (!existsSync(file) || !existsSync(former) || statSync(former).ino !== statSync(file).ino) continue
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(former + suffix) && !existsSync(file + suffix))
        renameSync(former + suffix, file + suffix)
  }
}

/** Secrets that come with the database take the place of those that are there. */
function exchangeSecrets({ dataDir, staging }: Arrival, aside: string | undefined): void {
  const secrets = secretFiles(staging)
  if (secrets.length > 0 && aside !== undefined)
    for (const name of secretFiles(dataDir)) renameSync(join(dataDir, name), join(aside, name))
  for (const name of secrets) renameSync(join(staging, name), join(dataDir, name))
}
