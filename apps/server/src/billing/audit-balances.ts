import { monotonicClock } from '@tollgate/base'
import type { Logger } from '../lib/logger.ts'
import type { AuditFinding, ClearedSpan } from '../store/money/audit/find-differences.ts'
import { decodeSettlements } from '../store/settlement.ts'
import type { AuditRepository, LedgerRepository } from '../store/store.ts'
import type { Quota } from '../store/units.ts'
import { JournalInUseError } from './journal/errors.ts'
import type { Journal } from './journal/journal.ts'
import { journalExists, openJournal } from './journal/open.ts'
import type { Settled } from './journal/read-segments.ts'
import { openStoppedJournal } from './journal/stopped-journal.ts'
import { moneyOptions, nearGiftLines } from './near-gift-lines.ts'
import { waitingIn } from './waiting-calls.ts'
import { settledOf } from './write-behind/replay-journal.ts'

export interface AuditOptions {
  readonly audit: AuditRepository
  readonly ledger: Pick<LedgerRepository, 'journalPosition' | 'journalSpans' | 'databaseId'>
  readonly journalDirectory: string
  /** Those of workers, which serve over the same data folder. */
  readonly workerJournals?: readonly string[]
  /** Journals that lie aside, which no start writes. */
  readonly journalsAside: readonly string[]
  readonly logger: Logger
}

export interface AuditReport {
  /** Sentences for the operator; also on what administrators gave to accounts near them. */
  readonly lines: readonly string[]
  /** False when something does not add up. */
  readonly balanced: boolean
}

/**
 * Checks every balance in the database against its parts, and the journal of a stopped gateway against the
 * database. Changes nothing. The books balance while calls wait in the journal: the next start writes them. Those that wait in a
 * journal aside are missing from the books.
 */
export async function auditBalances(options: AuditOptions): Promise<AuditReport> {
  const cleared = clearedLines(await options.audit.clearedSpan())
  const gifts = nearGiftLines(await options.audit.nearGifts(moneyOptions))
  const findings = [...(await options.audit.findings())]
  const aside = await readAside(options)
  findings.push(...aside.findings)
  const backlogs: JournalBacklog[] = []
  for (const directory of [options.journalDirectory, ...(options.workerJournals ?? [])])
    backlogs.push(await readBacklog(options, directory))
  for (const backlog of backlogs)
    if (backlog.kind === 'waiting' && backlog.missing > 0) findings.push(missingCalls(backlog.missing))
  const balanced = findings.length === 0 && backlogs.every(({ kind }) => kind !== 'foreign')
  return {
    balanced,
    lines: [
      ...findings.map(sentenceOf),
      ...gifts,
      ...aside.notes,
      ...cleared,
      ...notesOn(backlogs),
      ...(balanced ? [allBalanced] : []),
    ],
  }
}

const allBalanced = 'Everything adds up.'

/** Calls that wait where nobody writes them. */
async function readAside({ ledger, journalsAside }: AuditOptions) {
  const database = await ledger.databaseId()
  const findings: AuditFinding[] = []
  const notes: string[] = []
  for (const directory of journalsAside) {
    const journal = openStoppedJournal(directory)
    if (journal === undefined) continue
    try {
      const { calls, quota } = await waitingIn(journal.of(database), ledger)
      if (calls > 0) {
        findings.push({ what: `settled calls that wait in ${directory}`, expected: 0, found: calls })
        notes.push(
          `${calls} settled calls (quota ${quota}) are missing: tollgate recover --journal ${directory} writes them.`,
        )
      }
      const others = journal.databases.filter((name) => name !== database)
      if (others.length > 0) notes.push(`${directory} has settled calls of another database.`)
    } finally {
      journal.close()
    }
  }
  return { findings, notes }
}

type JournalBacklog =
  | { readonly kind: 'none' }
  /** The gateway is running: what it settled last is on its way. */
  | { readonly kind: 'in-use' }
  /** Charges that wait belong to another database. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'waiting'; readonly calls: number; readonly quota: Quota; readonly missing: number }

async function readBacklog(
  { ledger, logger }: AuditOptions,
  journalDirectory: string,
): Promise<JournalBacklog> {
  if (!journalExists(journalDirectory)) return { kind: 'none' }
  const journal = openUnused(journalDirectory, logger)
  if (journal === undefined) return { kind: 'in-use' }
  try {
    if (journal.isForeignTo(await ledger.databaseId())) return { kind: 'foreign' }
    return backlogOf(journal, await settledOf(journal, ledger))
  } finally {
    await journal.close()
  }
}

function backlogOf(journal: Journal, settled: Settled): JournalBacklog {
  let calls = 0
  let quota = 0
  const reading = journal.read(settled)
  for (const { bytes } of reading.entries()) {
    calls += 1
    for (const settlement of decodeSettlements(bytes)) quota += settlement.quota
  }
  // What a power cut tore is no difference, and a start has told what it went past.
  const lost = reading.findings().losses.filter(({ kind, isPassed }) => kind === 'damage' && !isPassed)
  const missing = lost.reduce((sum, { atLeast }) => sum + atLeast, 0)
  return { kind: 'waiting', calls, quota, missing }
}

function openUnused(directory: string, logger: Logger): Journal | undefined {
  try {
    return openJournal({ directory, clock: monotonicClock, logger })
  } catch (error) {
    if (error instanceof JournalInUseError) return undefined
    throw error
  }
}

function missingCalls(missing: number): AuditFinding {
  return {
    what: 'settled calls missing from the journal, which is damaged, or newer than the database',
    expected: 0,
    found: missing,
  }
}

function sentenceOf({ what, expected, found }: AuditFinding): string {
  return `${what}: expected ${expected}, found ${found}`
}

/** Returns the lines about charges that only sums can be compared with, as their rows were cleared. */
function clearedLines(span: ClearedSpan | undefined): string[] {
  if (span === undefined) return []
  const [from, to, sumsFrom] = [span.from, span.to, span.sumsFrom].map((at) =>
    new Date(at * 1000).toISOString(),
  )
  const keys = span.sumsFrom > span.from ? `; those of keys and channels have none before ${sumsFrom}` : ''
  return [`The log was cleared from ${from} to ${to}: charges of that time rest on sums alone${keys}.`]
}

function notesOn(backlogs: readonly JournalBacklog[]): string[] {
  const has = (kind: JournalBacklog['kind']) => backlogs.some((backlog) => backlog.kind === kind)
  const waiting = backlogs.filter((backlog) => backlog.kind === 'waiting')
  const calls = waiting.reduce((sum, backlog) => sum + backlog.calls, 0)
  const quota = waiting.reduce((sum, backlog) => sum + backlog.quota, 0)
  return [
    ...(has('in-use')
      ? ['The gateway is running: calls that ended just now are not in the database yet.']
      : []),
    ...(has('foreign')
      ? ['The journal has charges of another database: the gateway does not start over this one with it.']
      : []),
    ...(calls > 0
      ? [`${calls} settled calls (quota ${quota}) wait in the journal: the next start writes them.`]
      : []),
  ]
}
