import { type Clock, unixSeconds } from '@tollgate/base'
import type { Logger } from '../lib/logger.ts'
import type { JournalFinding, JournalFindingRepository } from '../store/money/journal-findings.ts'
import type { FileFault, JournalFindings } from './journal/read-segments.ts'

/** The doctor and the console show a finding for so long. */
export const visibleSeconds = 30 * 86_400

const kindOf: Readonly<Record<FileFault, JournalFinding['kind']>> = {
  damaged: 'damage',
  unreadable: 'damage',
  'foreign-node': 'foreign-node',
  'foreign-database': 'foreign-database',
}

/**
 * Findings as they are stored and shown: each loss, and each file of which nothing is lost.
 * @param names of the files, as they are now
 */
export function describeFindings(
  node: string,
  { losses, files }: JournalFindings,
  names: readonly string[],
  clock: Clock,
): JournalFinding[] {
  const foundAt = unixSeconds(clock)
  const damaged = names.filter((_, index) => kindOf[files[index]?.fault ?? 'damaged'] === 'damage').join(' ')
  const lost = losses.map(({ kind, id, atLeast, atMost }) => ({
    id,
    node,
    kind,
    files: kind === 'damage' ? damaged : '',
    atLeast,
    atMost,
    foundAt,
  }))
  const isExplained = lost.some(({ kind }) => kind === 'damage')
  const others = files.flatMap(({ fault }, index) => {
    const name = names[index] ?? ''
    const kind = kindOf[fault]
    if (kind === 'damage' && isExplained) return []
    return [{ id: `${node} ${name} ${foundAt}`, node, kind, files: name, atLeast: 0, atMost: 0, foundAt }]
  })
  return [...lost, ...others]
}

/** A number of calls of which bounds are known. */
export function lostCalls({ atLeast, atMost }: Pick<JournalFinding, 'atLeast' | 'atMost'>): string {
  return atLeast === atMost ? String(atLeast) : `${atLeast} to ${atMost}`
}

const texts: Readonly<Record<JournalFinding['kind'], string>> = {
  torn: 'journal: its end is torn, as after a power cut: the last settled calls had not reached the disk',
  damage:
    'journal: a file is damaged or gone, or the database is older than the journal: see "lost" and what was kept aside; restore the file from a copy, if there is one, and start again',
  'foreign-node':
    'journal: a segment of another node was among its own and was kept aside: settle it with tollgate recover if that node is gone',
  'foreign-database':
    'journal: a segment of another database was among its own and was kept aside: give it back to its gateway',
}

/** Logs what was found. */
export function logFindings(logger: Logger, findings: readonly JournalFinding[]): void {
  for (const finding of findings) {
    const level = finding.kind === 'torn' ? 'warn' : 'error'
    logger[level]({ lost: lostCalls(finding), files: finding.files, id: finding.id }, texts[finding.kind])
  }
}

/** Stores findings, and logs those that no start before has logged. */
export async function reportFindings(
  findings: readonly JournalFinding[],
  {
    journalFindings,
    logger,
  }: { readonly journalFindings: JournalFindingRepository; readonly logger: Logger },
): Promise<void> {
  logFindings(logger, await journalFindings.add(findings))
}
