import { basename, dirname, resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { keepingOwner } from '../../lib/service/data-owner.ts'
import { giveUpMove } from '../../operations/backup/interrupted-move.ts'
import { moveToFile } from '../../operations/backup/move-to-file.ts'
import { moveToServer } from '../../operations/backup/move-to-server.ts'
import { describeServer } from '../../store/engine/address/postgres-address.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { openStoreForAudit } from '../../store/engine/open/open-audit.ts'
import { StoreOpenError } from '../../store/errors.ts'
import { requireWrittenWorkers, workerJournals } from '../node-journals.ts'
import { journalDirectory } from '../services.ts'
import { printProgress } from './print-progress.ts'

export const move: Command = {
  name: 'move',
  writesData: true,
  options: {
    to: { value: 'TARGET', isRequired: true, help: 'a postgres:// address, or a folder (see below)' },
    force: { help: 'with a folder: put a database file that is there aside' },
    'give-up': { help: 'with an address: use DATA_DIR as before, where a move to it was interrupted' },
  },
  summary: 'carry everything from SQLite to PostgreSQL, or back; the gateway must be stopped',
  details: `With a postgres:// address: the installation in DATA_DIR, with the settled calls of its journal, goes into that database, which
must be empty. DATA_DIR stays as it is; a start without DATABASE_URL is refused there afterwards.

With a folder, which may be DATA_DIR itself: the installation in the database of DATABASE_URL, with the settled calls of
this node's journal, becomes a file there. Every node must be stopped; no node starts over that database afterwards.

Accounts, keys, sessions, options, orders, tasks, log, statistics and ids are the same at the other side, and so is what
"audit" says. Keys call on with the same secret. A move that is killed has changed nothing: begin it again. Where it was killed at its very end,
neither side of the two serves before the same command has found out which one has everything.`,
  async run({ values, switches }) {
    const target = values['to'] ?? ''
    const config = readConfig(process.env)
    const isServer = /^postgres(ql)?:/.test(target)
    if (isServer && switches.has('give-up')) await giveUp(config, target)
    else if (isServer) await toServer(config, target)
    else await toFile(config, folderOf(target), switches.has('force'))
    return 0
  },
}

/** The folder itself, or that of its database file. */
function folderOf(target: string): string {
  const path = resolve(target)
  return basename(path) === basename(databaseFile('')) ? dirname(path) : path
}

async function toServer(config: Config, url: string): Promise<void> {
  const { dataDir } = config
  const moved = await moveToServer({
    dataDir,
    journalDirectory: journalDirectory(config),
    url,
    progress: printProgress(),
    logger: createLogger('warn'),
    now: new Date(),
  })
  const outcome = `The PostgreSQL database at ${describeServer(url)} has the installation in ${dataDir} now`
  const what =
    moved === undefined
      ? `${outcome}: the interrupted move had brought everything.`
      : `${outcome}: ${moved.rows} rows of ${moved.tables} tables, and
${moved.calls} settled calls of the journal.`
  process.stdout.write(`${what} Give every node this DATABASE_URL, a DATA_DIR of its own, and the same secret:
${config.TOLLGATE_SECRET === undefined ? `TOLLGATE_SECRET is what ${dataDir}/secret.key has.` : 'TOLLGATE_SECRET as it is set here.'}
`)
}

async function giveUp(config: Config, url: string): Promise<void> {
  const { dataDir } = config
  await giveUpMove({ dataDir, journalDirectory: journalDirectory(config), url })
  process.stdout.write(`The installation is in ${dataDir} as before: start it without DATABASE_URL.
`)
}

/** The journal of one node goes along; those of workers must be in the database. */
async function requireWorkersWritten(databaseUrl: string, dataDir: string): Promise<void> {
  if (workerJournals(dataDir).length === 0) return
  const store = await openStoreForAudit({ databaseUrl, dataDir, acceptsOlder: true })
  await requireWrittenWorkers(dataDir, store.ledger, createLogger('warn')).finally(() => store.close())
}

async function toFile(config: Config, target: string, isForced: boolean): Promise<void> {
  const { DATABASE_URL: url, dataDir } = config
  if (url === undefined)
    throw new StoreOpenError(
      'move to a folder takes the database of DATABASE_URL, which is not set; "backup" and "restore" carry a file to another folder.',
    )
  await requireWorkersWritten(url, dataDir)
  const moved = await keepingOwner(target, 'writes', () =>
    moveToFile({
      url,
      dataDir,
      journalDirectory: journalDirectory(config),
      target,
      isForced,
      progress: printProgress(),
      logger: createLogger('warn'),
      now: new Date(),
    }),
  )
  const outcome = `${databaseFile(target)} has the installation of the PostgreSQL database at ${describeServer(url)} now`
  const start = `Start it without DATABASE_URL and with DATA_DIR=${target}.`
  if (moved === undefined) {
    process.stdout.write(`${outcome}: the interrupted move had brought everything.\n${start}\n`)
    return
  }
  const { rows, tables, calls, aside, hasSecret } = moved
  const lines = [
    `${outcome}: ${rows} rows of ${tables} tables, and ${calls} settled calls of the journal.`,
    start,
    ...(aside.length === 0 ? [] : [`What was there is in ${aside.join(' and ')}.`]),
    ...(hasSecret || config.TOLLGATE_SECRET !== undefined
      ? []
      : [`There is no secret: put secret.key into ${target}, or set TOLLGATE_SECRET, before you start.`]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
