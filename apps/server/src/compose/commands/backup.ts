import { resolve } from 'node:path'
import { systemClock } from '@tollgate/base'
import { journalDatabase } from '../../billing/journal/open.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { thisProgram } from '../../lib/program.ts'
import { createBackup } from '../../operations/backup/create-backup.ts'
import { noteBackup } from '../../operations/backup/last-backup.ts'
import { refuseMovedFolder } from '../../store/engine/open/moved-marker.ts'
import { openStoreForAudit } from '../../store/engine/open/open-audit.ts'
import { refuseWrongServer } from '../../store/engine/open/refuse-wrong-server.ts'
import { requireWrittenWorkers } from '../node-journals.ts'
import { journalDirectory } from '../services.ts'

export const backup: Command = {
  name: 'backup',
  operands: ['FILE'],
  options: {
    'with-secret': { help: 'put the secret of DATA_DIR into the file, which then opens every provider key' },
    'with-database': { help: 'with PostgreSQL: put the whole database into the file, too' },
    force: { help: 'replace FILE' },
  },
  summary: 'back everything up into one file; the gateway may be running or stopped',
  details: `FILE is a tar archive: the database as of one moment, and the settled calls that it did not have yet. It needs
free space for twice the database beside FILE. FILE appears when it is whole. A database of an older version is
copied as it is: make the backup before you start this version over it.

With PostgreSQL, FILE has the settled calls of this node alone. Make it first on each node, then dump the
database: pg_dump --format=custom --file=tollgate.dump "$DATABASE_URL". Or make the file of the last node with
--with-database: it has the database in a form that "restore" brings into PostgreSQL and into SQLite.`,
  async run({ operands: [file = ''], switches }) {
    await runBackup(readConfig(process.env), {
      file: resolve(file),
      withSecret: switches.has('with-secret'),
      withDatabase: switches.has('with-database'),
      isForced: switches.has('force'),
    })
    return 0
  },
}

interface Wish {
  readonly file: string
  readonly withSecret: boolean
  readonly withDatabase: boolean
  readonly isForced: boolean
}

async function runBackup(config: Config, wish: Wish): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  const database = databaseOf(databaseUrl, wish.withDatabase)
  await refuseMovedInstallation(config)
  const store = await openStoreForAudit({ databaseUrl, dataDir, acceptsOlder: true })
  try {
    // The file has one journal, and workers have one each.
    await requireWrittenWorkers(dataDir, store.ledger, createLogger('warn'))
    const createdAt = new Date(systemClock.now()).toISOString()
    const { calls, hasSecret } = await createBackup({
      ...wish,
      dataDir,
      journalDirectory: journalDirectory(config),
      database,
      store,
      withSecret: wish.withSecret && config.TOLLGATE_SECRET === undefined,
      version: thisProgram.version,
      logger: createLogger('warn'),
      clock: systemClock,
    })
    note(dataDir, { createdAt, file: wish.file })
    const content = database === 'none' ? `${calls}` : `the database and ${calls}`
    process.stdout.write(
      `${wish.file} has ${content} settled calls of the journal.\n${secretNote(config, hasSecret)}\n`,
    )
    if (database === 'none') process.stdout.write(dumpNote)
  } finally {
    await store.close()
  }
}

/** Refuses to back up an installation that was moved elsewhere, whatever a schedule demands. */
async function refuseMovedInstallation(config: Config): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  if (databaseUrl === undefined) return refuseMovedFolder(dataDir)
  const journal = journalDirectory(config)
  await refuseWrongServer({ databaseUrl, dataDir, journalDatabase: journalDatabase(journal) })
}

function databaseOf(url: string | undefined, isWhole: boolean) {
  if (url === undefined) return 'file'
  return isWhole ? { url } : 'none'
}

/** Notes a backup, which is complete whether it can be noted or not. */
function note(dataDir: string, made: { readonly createdAt: string; readonly file: string }): void {
  try {
    noteBackup(dataDir, made)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    process.stderr.write(
      `tollgate: ${dataDir} cannot be written (${code}), so the metric of the last backup does not know this one\n`,
    )
  }
}

const dumpNote =
  'Now dump the database: pg_dump --format=custom --file=tollgate.dump "$DATABASE_URL" (after the backup of every node).\n'

function secretNote({ dataDir, TOLLGATE_SECRET: secret }: Config, hasSecret: boolean): string {
  if (hasSecret) return 'It has the secret: anyone with the file can read every provider key.'
  const source = secret === undefined ? `${dataDir}/secret.key` : 'TOLLGATE_SECRET'
  return `It does not have the secret: keep ${source} apart, without which provider keys cannot be read.`
}
