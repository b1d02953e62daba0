import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unpackArchive } from '../../backup/archive.ts'
import { journalOfBackup } from '../../backup/backup-journal.ts'
import { BackupError } from '../../backup/errors.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { journalDirectory } from '../services.ts'
import { settleInFleet } from './recover.ts'

export const restore: Command = {
  name: 'restore',
  operands: ['FILE'],
  options: { force: { help: 'put what is in DATA_DIR aside, into a folder "replaced-..." there' } },
  summary: 'make DATA_DIR of a backup; the gateway must be stopped',
  details: `The file is proven whole before anything changes: checksums, version, integrity of the database. Settled calls that
the database of the backup lacks are written into it, each once.

With PostgreSQL, restore the dump first, into an empty database:
pg_restore --no-owner --dbname="$DATABASE_URL" tollgate.dump
Then restore the file of each node, with DATABASE_URL set: its settled calls are written into that database.`,
  async run({ operands: [file = ''], switches }) {
    const config = readConfig(process.env)
    if (config.DATABASE_URL === undefined) await restoreFiles(config, resolve(file), switches.has('force'))
    else await restoreCalls(config.DATABASE_URL, config, resolve(file))
    return 0
  },
}

async function restoreFiles(config: Config, file: string, isForced: boolean): Promise<void> {
  const { dataDir } = config
  const { about, calls, aside, hasSecret } = await restoreBackup({
    file,
    dataDir,
    journalDirectory: journalDirectory(config),
    isForced,
    logger: createLogger('warn'),
    now: new Date(),
  })
  const lines = [
    `${dataDir} is as of ${about.createdAt} (Tollgate ${about.version}); ${calls} settled calls of the journal were written.`,
    ...(aside === undefined ? [] : [`What was there is in ${aside}.`]),
    ...(hasSecret || config.TOLLGATE_SECRET !== undefined
      ? []
      : [
          `The backup has no secret: put secret.key into ${dataDir}, or set TOLLGATE_SECRET, before you start.`,
        ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function restoreCalls(databaseUrl: string, { dataDir }: Config, file: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-restore-'))
  try {
    const about = await unpackArchive(file, directory)
    if (about.content !== 'journal')
      throw new BackupError(`${file} has a SQLite database: leave DATABASE_URL out to restore it.`)
    const journal = journalOfBackup(about, directory)
    if (journal === undefined) process.stdout.write(`${file} has no settled calls that a dump could lack.\n`)
    else await settleInFleet({ databaseUrl, dataDir, journal, isGone: () => true })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
