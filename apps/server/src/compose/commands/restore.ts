import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { lostCalls } from '../../billing/journal-findings.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { peekAbout, unpackArchive } from '../../operations/backup/archive.ts'
import { journalOfBackup } from '../../operations/backup/backup-journal.ts'
import { restoreBackup } from '../../operations/backup/restore-backup.ts'
import { restoreIntoServer, type Unpacked } from '../../operations/backup/restore-into-server.ts'
import { restoreNodeCalls } from '../../operations/backup/restore-node-calls.ts'
import type { FoundCalls } from '../../operations/backup/settle-found.ts'
import { describeServer } from '../../store/engine/address/postgres-address.ts'
import { journalDirectory } from '../services.ts'
import { settleInFleet } from '../settle-in-fleet.ts'
import { printProgress } from './print-progress.ts'

export const restore: Command = {
  name: 'restore',
  writesData: true,
  operands: ['FILE'],
  options: {
    force: { help: 'put what is in DATA_DIR aside, into a folder "replaced-..." there' },
    'leave-calls': { help: 'go on where settled calls that lie there cannot be written: they stay aside' },
  },
  summary: 'make DATA_DIR, or the database of DATABASE_URL, of a backup; the gateway must be stopped',
  details: `The file is proven whole before anything changes: checksums, version, integrity of the database. Settled calls that
the database of the backup lacks are written into it, each once: those of the backup, and those of the journal in DATA_DIR,
which are later. Calls of another database than the backup's cannot be: then nothing changes without --leave-calls.

With DATABASE_URL set, a file that has the database, of SQLite or of PostgreSQL, goes into that database, which must be empty.

Where the database is in a dump instead, restore that first: pg_restore --no-owner --dbname="$DATABASE_URL" tollgate.dump
Then restore the file of each node, with DATABASE_URL set: its settled calls are written into that database. Without
DATABASE_URL they are written into the file of DATA_DIR, where the fleet's database was restored or moved to.`,
  async run({ operands: [file = ''], switches }) {
    const config = readConfig(process.env)
    const path = resolve(file)
    const words = { isForced: switches.has('force'), leavesCalls: switches.has('leave-calls') }
    if (config.DATABASE_URL !== undefined) await restoreCalls(config.DATABASE_URL, config, path)
    else if (peekAbout(path)?.content === 'journal') await restoreNode(config, path)
    else await restoreFiles(config, path, words)
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
  const lastAside = aside.at(-1)
  const lines = [
    `${dataDir} is as of ${about.createdAt} (Tollgate ${about.version}); ${calls} settled calls of the journal were written.`,
    ...(aside.length === 0 ? [] : [`What was there is in ${aside.join(' and ')}.`]),
    ...foundLines(found, (directory) =>
      directory === journal && lastAside !== undefined ? join(lastAside, 'journal') : directory,
    ),
    ...(hasSecret || config.TOLLGATE_SECRET !== undefined
      ? []
      : [
          `The backup has no secret: put secret.key into ${dataDir}, or set TOLLGATE_SECRET, before you start.`,
        ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** @param positionOf says where a journal is now */
function foundLines(
  { calls, quota, unknownAccounts, lost, left }: FoundCalls,
  positionOf: (directory: string) => string,
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
      `${waiting === undefined ? 'The calls' : `${waiting} settled calls`} in ${positionOf(directory)} were left, because ${reason.replace(/\.$/, '')}: tollgate recover --journal ${positionOf(directory)} writes them, with the DATA_DIR of their database.`,
    )
  return lines
}

/** Settled calls of a node of a fleet, into the file that the fleet's database has become. */
async function restoreNode(config: Config, file: string): Promise<void> {
  const { dataDir } = config
  const calls = await restoreNodeCalls({
    file,
    dataDir,
    journalDirectory: journalDirectory(config),
    logger: createLogger('warn'),
  })
  process.stdout.write(`${calls} settled calls of ${file} were written into ${dataDir}.\n`)
}

async function restoreCalls(databaseUrl: string, config: Config, file: string): Promise<void> {
  const { dataDir } = config
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-restore-'))
  try {
    const about = await unpackArchive(file, directory)
    if (about.content === 'database') {
      await restoreDatabase(databaseUrl, config, { file, directory, about })
      return
    }
    const journal = journalOfBackup(about, directory)
    if (journal === undefined) process.stdout.write(`${file} has no settled calls that a dump could lack.\n`)
    else await settleInFleet({ databaseUrl, dataDir, journal, isGone: () => true })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function restoreDatabase(url: string, config: Config, unpacked: Unpacked): Promise<void> {
  const { about } = unpacked
  const { rows, calls, hasSecret } = await restoreIntoServer({
    ...unpacked,
    url,
    dataDir: config.dataDir,
    progress: printProgress(),
    logger: createLogger('warn'),
  })
  process.stdout.write(
    `The PostgreSQL database at ${describeServer(url)} is as of ${about.createdAt} (Tollgate ${about.version}): ${rows} rows, and ${calls} settled calls of the journal.\n`,
  )
  if (!hasSecret && config.TOLLGATE_SECRET === undefined)
    process.stdout.write(
      `The backup has no secret: put secret.key into ${config.dataDir}, or set TOLLGATE_SECRET, before you start.\n`,
    )
}
