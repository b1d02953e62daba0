import { existsSync, linkSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from '../../lib/durable-file.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'

/** Makes the folder of a data directory into which something is put aside at a moment. */
export function makeAside(dataDir: string, kind: 'replaced' | 'damaged', now: Date): string {
  const aside = join(dataDir, `${kind}-${now.toISOString().replace(/[:.]/g, '-')}`)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  return aside
}

/** Puts a database aside with its write-ahead log. Its file keeps its name, too, until another one takes its place. */
export function putDatabaseAside(dataDir: string, aside: string): void {
  const database = databaseFile(dataDir)
  if (existsSync(database)) linkSync(database, databaseFile(aside))
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(database + suffix)) renameSync(database + suffix, databaseFile(aside) + suffix)
  syncDirectory(aside)
  syncDirectory(dataDir)
}

/** The lock of a journal's folder stays with whoever holds it. */
export const journalLockName = 'lock'

/** Puts a journal that nobody writes aside. */
export function putJournalAside(journalDirectory: string, aside: string): void {
  mkdirSync(join(aside, 'journal'), { recursive: true, mode: 0o700 })
  for (const name of readdirSync(journalDirectory))
    if (!name.startsWith(journalLockName))
      renameSync(join(journalDirectory, name), join(aside, 'journal', name))
  syncDirectory(journalDirectory)
}
