import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { monotonicClock, systemClock } from '@tollgate/base'
import { JournalInUseError } from '../../billing/journal/errors.ts'
import { journalExists, openJournal } from '../../billing/journal/open.ts'
import { upgradeRecord } from '../../billing/upgrade-record.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { lockDirectory } from '../../store/engine/open/directory-lock.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { StoreOpenError } from '../../store/errors.ts'
import { journalDirectory } from '../services.ts'
import { printLine, settle, settleInFleet } from '../settle-in-fleet.ts'

export const recover: Command = {
  name: 'recover',
  writesData: true,
  options: {
    journal: {
      value: 'DIR',
      isRequired: true,
      help: 'the folder "journal" of a node that is gone, or of a DATA_DIR that a restore put aside',
    },
  },
  summary: 'settle a journal that no gateway writes any more, from its disk',
  details: `Each call is charged once, however often it runs. Into a database that nodes share (DATABASE_URL) it goes while they
serve. Into the file of DATA_DIR it goes while its gateway is stopped.`,
  async run({ values }) {
    await runRecover(readConfig(process.env), resolve(values['journal'] ?? ''))
    return undefined
  },
}

/** A node that was seen within it may come back and write its journal itself. */
const silentMs = 60_000

/**
 * Settles a journal that no gateway writes, from its disk or a copy of it, and prints what it wrote. However often it runs, each
 * call is charged once.
 * @throws StoreOpenError with one sentence when there is nothing to settle it into, or its gateway lives
 */
async function runRecover(config: Config, directory: string): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !existsSync(databaseFile(dataDir)))
    throw new StoreOpenError(
      `There is no database ${databaseFile(dataDir)} to settle the journal into: set DATABASE_URL to that of the fleet, or DATA_DIR to the folder of the file.`,
    )
  if (!journalExists(directory))
    throw new StoreOpenError(
      `There is no journal in ${directory}: name the folder "journal" of the DATA_DIR of a node that is gone, or of what a restore put aside.`,
    )
  if (databaseUrl === undefined) return await recoverIntoFile(config, directory)
  const journal = openJournal({
    directory,
    isBesideWorkers: true,
    clock: monotonicClock,
    logger: createLogger('warn'),
  })
  try {
    await settleInFleet({ databaseUrl, dataDir, journal, isGone: (silence) => silence >= silentMs })
  } finally {
    await journal.close()
  }
}

/** Recovers into a file whose gateway must not run meanwhile: it holds the balances in memory. */
async function recoverIntoFile(config: Config, directory: string): Promise<void> {
  const { dataDir } = config
  const logger = createLogger('warn')
  const isOwn = realpathSync(directory) === realpathOf(journalDirectory(config))
  const lock = isOwn ? undefined : lockFolder(config)
  try {
    const journal = openUnused(directory, dataDir)
    try {
      const store = await openStore({ dataDir, ...upgradeRecord(journal.node, systemClock, logger), logger })
      await settle(store, journal, printLine).finally(() => store.close())
    } finally {
      await journal.close()
    }
  } finally {
    lock?.release()
  }
}

function realpathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** Locks the journal as a gateway does; no gateway ever ran over a folder without one. */
function lockFolder(config: Config) {
  const own = journalDirectory(config)
  if (!existsSync(own)) return undefined
  const lock = lockDirectory(own)
  if (lock === undefined) throw inUse(config.dataDir)
  return lock
}

function openUnused(directory: string, dataDir: string) {
  try {
    return openJournal({ directory, clock: monotonicClock, logger: createLogger('warn') })
  } catch (error) {
    throw error instanceof JournalInUseError ? inUse(dataDir) : error
  }
}

function inUse(dataDir: string): StoreOpenError {
  return new StoreOpenError(
    `A Tollgate process is using ${dataDir}: stop it, and settle the journal before it starts again.`,
  )
}
