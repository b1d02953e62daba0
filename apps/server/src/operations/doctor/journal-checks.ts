import { existsSync, readdirSync } from 'node:fs'
import { type Clock, unixSeconds } from '@tollgate/base'
import { lostCalls, visibleSeconds } from '../../billing/journal-findings.ts'
import type { JournalFinding } from '../../store/money/journal-findings.ts'
import type { Store } from '../../store/store.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Checks for losses and damages that starts have found in journals, and for files set aside here. */
export async function checkJournals(
  { journalFindings }: Pick<Store, 'journalFindings'>,
  directories: readonly string[],
  clock: Clock,
): Promise<readonly Finding[]> {
  const found = await journalFindings.listSince(unixSeconds(clock) - visibleSeconds)
  const files = directories.flatMap((directory) =>
    filesAside(directory).map((name) =>
      warn('journal', `${directory}/${name} is kept aside: delete it when it is of no use`),
    ),
  )
  const findings = [...found.map(findingOf), ...files]
  return findings.length > 0 ? findings : [ok('journal', 'nothing was found damaged or lost')]
}

/** Segments under a name that says why they are none any more. */
function filesAside(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory).filter((name) => name.includes('.journal.'))
}

function findingOf(finding: JournalFinding): Finding {
  const day = new Date(finding.foundAt * 1000).toISOString().slice(0, 10)
  const calls = `${lostCalls(finding)} settled calls`
  const where = `of node ${finding.node}, found ${day} (UTC)`
  switch (finding.kind) {
    case 'torn':
      return warn('journal', `${calls} are lost at its end (${where}), as a power cut does`)
    case 'damage':
      return finding.atMost === 0
        ? warn('journal', `a file was damaged (${where}), nothing is lost: look after the disk`)
        : fail(
            'journal',
            `${calls} are lost (${where}): a file was damaged or gone; with a whole copy of it in its place, the next start charges them`,
          )
    default:
      return warn('journal', `${finding.files} was there, of ${finding.kind.replace('-', ' ')} (${where})`)
  }
}
