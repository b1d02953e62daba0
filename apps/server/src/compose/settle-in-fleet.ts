import { systemClock } from '@tollgate/base'
import { journalDatabase } from '../billing/journal/open.ts'
import { describeFindings, lostCalls, reportFindings } from '../billing/journal-findings.ts'
import { type ClaimableJournal, recoverJournal } from '../billing/recover.ts'
import { upgradeRecord } from '../billing/upgrade-record.ts'
import { connectionNameOf } from '../fleet/fleet.ts'
import { createLogger } from '../lib/logger.ts'
import { claimNode } from '../store/engine/open/claim-node.ts'
import { openStore } from '../store/engine/open/open-store.ts'
import { StoreOpenError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { journalDirectory } from './services.ts'

interface Settling {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly journal: ClaimableJournal
  /** Decides whether a node that has been silent for so long will not write its journal itself. */
  readonly isGone: (silentMs: number) => boolean
  /** A line for the operator; the terminal's by default. */
  readonly print?: (line: string) => void
}

/** Prints a line to the terminal. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * Settles calls of a node that does not run into a database that nodes share, each once, and prints what it wrote.
 * @throws StoreOpenError with one sentence when the node lives
 */
export async function settleInFleet(settling: Settling): Promise<void> {
  const { databaseUrl, dataDir, journal, isGone, print = printLine } = settling
  const logger = createLogger('warn')
  const { node } = journal
  const claim = await claimNode({
    databaseUrl,
    node,
    connectionName: connectionNameOf(node),
    waitMs: 0,
    refusal: `Node ${node} may still live: stop it, or let it write its journal itself.`,
    logger,
  })
  try {
    const store = await openStore({
      databaseUrl,
      dataDir,
      journalDatabase: journalDatabase(journalDirectory({ dataDir })),
      ...upgradeRecord(journal.node, systemClock, logger),
      logger,
    })
    try {
      await refuseLiving(store, node, isGone)
      await settle(store, journal, print)
      await store.transaction(async (tx) => {
        await tx.ledger.shares?.returnAll(node)
        await tx.nodes.remove(node)
      })
    } finally {
      await store.close()
    }
  } finally {
    await claim.release()
  }
}

async function refuseLiving(store: Store, node: string, isGone: Settling['isGone']): Promise<void> {
  const silence = await store.nodes.silenceOf(node)
  if (silence !== undefined && !isGone(silence))
    throw new StoreOpenError(
      `Node ${node} was seen ${Math.round(silence / 1000)} s ago: stop it, or wait until it has been silent for a minute.`,
    )
}

/** Settles a journal into a store, and prints what it wrote. */
export async function settle(
  store: Store,
  journal: ClaimableJournal,
  print: (line: string) => void,
): Promise<void> {
  const { node } = journal
  const logger = createLogger('warn')
  const { calls, quota, findings } = await recoverJournal({ journal, repository: store.ledger, logger })
  const names = findings.files.map(({ file }) => file.name)
  const found = describeFindings(node, findings, names, systemClock)
  await reportFindings(found, { journalFindings: store.journalFindings, logger })
  print(
    calls === 0
      ? `The database has everything that node ${node} settled.`
      : `${calls} settled calls (quota ${quota}) of node ${node} are in the database now.`,
  )
  for (const finding of found.filter(({ atMost }) => atMost > 0))
    print(`${lostCalls(finding)} settled calls are lost: ${finding.kind} ${finding.files}`)
}
