import { mkdirSync } from 'node:fs'
import { workersServe } from '../../billing/journal/open.ts'
import { describeUnusable } from '../../lib/service/describe-unusable.ts'
import { type DirectoryLock, lockDirectory } from '../../store/engine/open/directory-lock.ts'
import { BackupError } from './errors.ts'

/**
 * Takes the lock that a gateway takes: none starts over the directory meanwhile.
 * @throws BackupError with one sentence
 */
export function claimDirectory(dataDir: string, journalDirectory: string): DirectoryLock {
  try {
    mkdirSync(journalDirectory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new BackupError(`${dataDir} ${describeUnusable(dataDir, cause)}.`, { cause })
  }
  const lock = workersServe(dataDir) ? undefined : lockDirectory(journalDirectory)
  if (lock === undefined) throw new BackupError(`A Tollgate process is using ${dataDir}: stop it first.`)
  return lock
}
