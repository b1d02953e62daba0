import { Database } from 'bun:sqlite'
import path from 'node:path'

/** Held by this process alone, until it lets go or ends in whatever way. */
export interface DirectoryLock {
  release(): void
}

/** A handle that nobody refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<Database>()

/** Time for a process that was just killed to disappear. */
const busyTimeoutMs = 1000

/**
 * Claims a directory for this process; `undefined` when another living process holds it. The claim is a lock of the
 * operating system, taken through SQLite, which knows how to lock a file on every system: nothing stale is left
 * behind by a crash, and process numbers, which containers share, play no part.
 */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  const database = new Database(path.join(directory, 'lock'), { create: true })
  try {
    database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
}
