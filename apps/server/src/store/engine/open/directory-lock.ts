import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Held by this process alone, until it releases it or ends. */
export interface DirectoryLock {
  release(): void
}

/** The garbage collector closes an unreferenced handle, and so releases its lock. */
const held = new Set<Database>()

/** Time for a process that was just killed to disappear. */
const defaultWaitMs = 1000

/**
 * Claims a directory for this process; `undefined` when another living process holds it. The claim is a lock of the
 * operating system, taken through SQLite, which can lock a file on every system: a crash leaves nothing stale, and
 * process ids, which containers share, do not matter.
 * @param waitMs longest wait for the other process to release it, during which this one does nothing else
 */
export function lockDirectory(directory: string, waitMs = defaultWaitMs): DirectoryLock | undefined {
  const database = new Database(path.join(directory, 'lock'), { create: true })
  try {
    database.run(`PRAGMA busy_timeout = ${waitMs}`)
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
  held.add(database)
  return {
    release() {
      held.delete(database)
      database.close()
    },
  }
}

/** Decides whether a living process holds the directory, for all of `waitMs`. Creates nothing. */
export function isLocked(directory: string, waitMs = defaultWaitMs): boolean {
  if (!existsSync(path.join(directory, 'lock'))) return false
  const lock = lockDirectory(directory, waitMs)
  lock?.release()
  return lock === undefined
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
}
