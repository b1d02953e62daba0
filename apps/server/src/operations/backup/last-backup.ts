import { chmodSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceDurableFile } from '../../lib/durable-file.ts'

/** File in the data directory with the time of its last complete backup. */
export const lastBackupFile = 'last-backup.json'

interface LastBackup {
  readonly createdAt: string
  readonly file: string
}

/**
 * Notes a backup that is whole, in the place of the note before, whose owner may be another account. Anybody may read the note: the service
 * may run as another account than the command. Throws what the disk refuses.
 */
export function noteBackup(dataDir: string, backup: LastBackup): void {
  const path = join(dataDir, lastBackupFile)
  replaceDurableFile(path, `${JSON.stringify(backup)}\n`)
  chmodSync(path, 0o644)
}

/** Reads the time of this data directory's last backup, in ms; `undefined` where none is known. */
export async function lastBackupMs(dataDir: string): Promise<number | undefined> {
  try {
    const { createdAt } = JSON.parse(
      await readFile(join(dataDir, lastBackupFile), 'utf8'),
    ) as Partial<LastBackup>
    const ms = Date.parse(createdAt ?? '')
    return Number.isNaN(ms) ? undefined : ms
  } catch {
    return undefined
  }
}
