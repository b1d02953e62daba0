import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal, JournalEntry } from '../billing/journal/journal.ts'
import { bufferOver, entryEndAt, entrySeqAt, entryStartsIn } from '../store/settlement.ts'
import { type About, entriesFile } from './archive.ts'
import { BackupError } from './errors.ts'

/** The settled calls of a backup as a journal that is read to its end. */
export function journalOfBackup(
  { node, database }: About,
  directory: string,
): Pick<Journal, 'node' | 'claimFor' | 'entriesAfter'> | undefined {
  const path = join(directory, entriesFile)
  if (node === undefined || !existsSync(path)) return undefined
  const bytes = readFileSync(path)
  return {
    node,
    async claimFor(given) {
      if (given !== database)
        throw new BackupError(
          'The backup has the settled calls of another database: restore the dump that was made with it first.',
        )
    },
    *entriesAfter(position): Iterable<JournalEntry> {
      for (const start of entryStartsIn(bufferOver(bytes))) {
        const seq = entrySeqAt(bytes, start)
        if (seq > position) yield { seq, bytes: bytes.subarray(start, entryEndAt(bytes, start)) }
      }
    },
  }
}
