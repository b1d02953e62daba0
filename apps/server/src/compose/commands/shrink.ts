import { existsSync, mkdirSync } from 'node:fs'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { lockDirectory } from '../../store/engine/open/directory-lock.ts'
import { shrinkDatabase } from '../../store/engine/open/shrink-database.ts'
import { StoreOpenError } from '../../store/errors.ts'
import { journalDirectory } from '../services.ts'

export const shrink: Command = {
  name: 'shrink',
  summary:
    'give the room that a cleared log left in tollgate.db back to the disk; the gateway must be stopped',
  details: `New entries take that room, so a database that stays as large needs none of this. It needs free space for the database as it
will be, twice. PostgreSQL gives the room of old log entries back by itself.`,
  async run() {
    process.stdout.write(`${shrinkStopped(readConfig(process.env))}\n`)
    return 0
  },
}

const megabyte = 1e6

function shrinkStopped(config: Config): string {
  if (config.DATABASE_URL !== undefined)
    throw new StoreOpenError(
      'DATABASE_URL names a PostgreSQL, which gives the room of old log entries back by itself.',
    )
  const file = databaseFile(config.dataDir)
  // A wrong DATA_DIR gets no folder with a journal, which a start would take for an installation.
  if (!existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
  const directory = journalDirectory(config)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const lock = lockDirectory(directory)
  if (lock === undefined)
    throw new StoreOpenError(`A Tollgate process is using ${config.dataDir}: stop it first.`)
  try {
    const { before, after } = shrinkDatabase(file)
    const [from, to] = [before, after].map((bytes) => (bytes / megabyte).toFixed(1))
    return `${file} has ${to} MB, and had ${from} MB.`
  } finally {
    lock.release()
  }
}
