import { resolve } from 'node:path'
import { monotonicClock, systemClock } from '@tollgate/base'
import { journalDatabase, journalExists, openJournal } from '../../billing/journal/open.ts'
import { describeFindings, lostCalls, reportFindings } from '../../billing/journal-findings.ts'
import { type ClaimableJournal, recoverJournal } from '../../billing/recover.ts'
import { type Config, readConfig } from '../../config.ts'
import { connectionNameOf } from '../../fleet/fleet.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { StoreOpenError } from '../../store/errors.ts'
import { claimNode } from '../../store/open/claim-node.ts'
import { openStore } from '../../store/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { journalDirectory } from '../services.ts'

export const recover: Command = {
  name: 'recover',
  options: {
    journal: { value: 'DIR', isRequired: true, help: 'the folder "journal" of the DATA_DIR of that node' },
  },
  summary: 'settle the journal of a node that is gone, from its disk',
  details: 'Each call is charged once, however often it runs. It is for a database that nodes share.',
  async run({ values }) {
    await runRecover(readConfig(process.env), resolve(values['journal'] ?? ''))
    return undefined
  },
}

/** A node that was seen within it may come back and write its journal itself. */
const silentMs = 60_000

/**
 * Settles the journal of a node that is gone, from its disk or a copy of it, and prints what it wrote. However often it runs,
 * each call is charged once.
 * @throws StoreOpenError with one sentence when there is nothing to settle it into, or the node lives
 */
async function runRecover(config: Config, directory: string): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  if (databaseUrl === undefined)
    throw new StoreOpenError(
      'recover settles a journal of a fleet: set DATABASE_URL. With SQLite the next start writes what is in the journal.',
    )
  if (!journalExists(directory))
    throw new StoreOpenError(
      `There is no journal in ${directory}: name the folder "journal" of the DATA_DIR of the node that is gone.`,
    )
  const journal = openJournal({ directory, clock: monotonicClock, logger: createLogger('warn') })
  try {
    await settleInFleet({ databaseUrl, dataDir, journal, isGone: (silence) => silence >= silentMs })
  } finally {
    await journal.close()
  }
}

interface Settling {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly journal: ClaimableJournal
  /** Whether a node that has been silent for so long will not write its journal itself. */
  readonly isGone: (silentMs: number) => boolean
}

/**
 * Settles calls of a node that does not run into a database that nodes share, each once, and prints what it wrote.
 * @throws StoreOpenError with one sentence when the node lives
 */
export async function settleInFleet({ databaseUrl, dataDir, journal, isGone }: Settling): Promise<void> {
  const logger = createLogger('warn')
  const claim = await claimNode({
    databaseUrl,
    node: journal.node,
    connectionName: connectionNameOf(journal.node),
    waitMs: 0,
    refusal: `Node ${journal.node} may still live: stop it, or let it write its journal itself.`,
    logger,
  })
  try {
    const ownJournal = journalDatabase(journalDirectory({ dataDir }))
    const store = await openStore({ databaseUrl, dataDir, journalDatabase: ownJournal, logger })
    await settle(store, journal, isGone).finally(() => store.close())
  } finally {
    await claim.release()
  }
}

async function settle(store: Store, journal: Settling['journal'], isGone: Settling['isGone']): Promise<void> {
  const { node } = journal
  const silence = await store.nodes.silenceOf(node)
  if (silence !== undefined && !isGone(silence))
    throw new StoreOpenError(
      `Node ${node} was seen ${Math.round(silence / 1000)} s ago: stop it, or wait until it has been silent for a minute.`,
    )
  const logger = createLogger('warn')
  const { calls, quota, findings } = await recoverJournal({ journal, repository: store.ledger, logger })
  const names = findings.files.map(({ file }) => file.name)
  const found = describeFindings(node, findings, names, systemClock)
  await reportFindings(found, { journalFindings: store.journalFindings, logger })
  await store.transaction(async (tx) => {
    await tx.ledger.shares?.returnAll(node)
    await tx.nodes.remove(node)
  })
  process.stdout.write(
    calls === 0
      ? `The database has everything that node ${node} settled.\n`
      : `${calls} settled calls (quota ${quota}) of node ${node} are in the database now.\n`,
  )
  for (const finding of found.filter(({ atMost }) => atMost > 0))
    process.stdout.write(`${lostCalls(finding)} settled calls are lost: ${finding.kind} ${finding.files}\n`)
}
