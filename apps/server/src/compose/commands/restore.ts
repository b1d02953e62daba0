import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unpackArchive } from '../../backup/archive.ts'
import { journalOfBackup } from '../../backup/backup-journal.ts'
import { BackupError } from '../../backup/errors.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import type { FoundCalls } from '../../backup/settle-found.ts'
import { lostCalls } from '../../billing/journal-findings.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { journalDirectory } from '../services.ts'
import { settleInFleet } from './recover.ts'

export const restore: Command = {
  name: 'restore',
  writesData: true,
  operands: ['FILE'],
  options: {
    force: { help: 'put what is in DATA_DIR aside, into a folder "replaced-..." there' },
    'leave-calls': { help: 'go on where settled calls that lie there cannot be written: they stay aside' },
  },
  summary: 'make DATA_DIR of a backup; the gateway must be stopped',
  details: `The file is proven whole before anything changes: checksums, version, integrity of the database. Settled calls that
the database of the backup lacks are written into it, each once: those of the backup, and those of the journal in DATA_DIR,
which are later. Calls of another database than the backup's cannot be: then nothing changes without --leave-calls.

With PostgreSQL, restore the dump first, into an empty database:
pg_restore --no-owner --dbname="$DATABASE_URL" tollgate.dump
Then restore the file of each node, with DATABASE_URL set: its settled calls are written into that database.`,
  async run({ operands: [file = ''], switches }) {
    const config = readConfig(process.env)
    const words = { isForced: switches.has('force'), leavesCalls: switches.has('leave-calls') }
    if (config.DATABASE_URL === undefined) await restoreFiles(config, resolve(file), words)
    else await restoreCalls(config.DATABASE_URL, config, resolve(file))
    return 0
  },
}

interface Words {
  readonly isForced: boolean
  readonly leavesCalls: boolean
}

async function restoreFiles(config: Config, file: string, words: Words): Promise<void> {
  const { dataDir } = config
  const journal = journalDirectory(config)
  const { about, calls, aside, found, hasSecret } = await restoreBackup({
    file,
    dataDir,
    journalDirectory: journal,
    ...words,
    logger: createLogger('warn'),
    now: new Date(),
  })
  const lines = [
    `${dataDir} is as of ${about.createdAt} (Tollgate ${about.version}); ${calls} settled calls of the journal were written.`,
    ...(aside === undefined ? [] : [`What was there is in ${aside}.`]),
    ...foundLines(found, (directory) =>
      directory === journal && aside !== undefined ? join(aside, 'journal') : directory,
    ),
    ...(hasSecret || config.TOLLGATE_SECRET !== undefined
      ? []
      : [
          `The backup has no secret: put secret.key into ${dataDir}, or set TOLLGATE_SECRET, before you start.`,
        ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** @param placeOf says where a journal is now */
function foundLines(
  { calls, quota, unknownAccounts, lost, left }: FoundCalls,
  placeOf: (directory: string) => string,
) {
  const lines: string[] = []
  if (calls > 0)
    lines.push(
      `${calls} settled calls (quota ${quota}) of the journal that was there were written, too, each once.`,
    )
  if (unknownAccounts > 0)
    lines.push(
      `${unknownAccounts} accounts of these calls came after the backup: the log has the calls, and nobody's balance changes.`,
    )
  if (lost.atMost > 0)
    lines.push(
      `${lostCalls(lost)} settled calls between the backup and that journal are in the replaced database alone: where it is damaged, tollgate repair over a copy of it counts what can be saved.`,
    )
  for (const { directory, calls: waiting, reason } of left)
    lines.push(
      `${waiting === undefined ? 'The calls' : `${waiting} settled calls`} in ${placeOf(directory)} were left, because ${reason.replace(/\.$/, '')}: tollgate recover --journal ${placeOf(directory)} writes them, with the DATA_DIR of their database.`,
    )
  return lines
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
