import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { JournalEntry } from '../../billing/journal/journal.ts'
import type { Settled } from '../../billing/journal/read-segments.ts'
import { addToSpans, NumberSet } from '../../billing/journal/spans.ts'
import type { ClaimableJournal } from '../../billing/recover.ts'
import {
  bufferOver,
  entryEndAt,
  entrySeqAt,
  entryStartsIn,
  type JournalSpan,
} from '../../store/settlement.ts'
import { type About, entriesFile, spansFile } from './archive.ts'
import { BackupError } from './errors.ts'

const spans = z.array(z.object({ run: z.string(), first: z.int(), last: z.int() }))

/** Groups entries, in their order, into ranges of numbers that one run of the node wrote. The former layout has no run: its name is empty. */
export function spansOf(entries: readonly JournalEntry[]): JournalSpan[] {
  const found: JournalSpan[] = []
  for (const { run = '', seq } of entries) addToSpans(found, run, seq)
  return found
}

/** The settled calls of a backup as a journal that is read to its end. */
export function journalOfBackup({ node, database }: About, directory: string): ClaimableJournal | undefined {
  const path = join(directory, entriesFile)
  if (node === undefined || !existsSync(path)) return undefined
  const bytes = readFileSync(path)
  const known = readSpans(directory)
  return {
    node,
    runs: [...new Set(known.map(({ run }) => run))],
    async claimFor(owner) {
      if (owner !== database)
        throw new BackupError(
          'The backup has the settled calls of another database: restore the dump that was made with it first.',
        )
    },
    read: (settled) => ({
      entries: () => entriesIn(bytes, known, settled),
      findings: () => ({ losses: [], files: [] }),
    }),
  }
}

function readSpans(directory: string): JournalSpan[] {
  const path = join(directory, spansFile)
  return existsSync(path) ? spans.parse(JSON.parse(readFileSync(path, 'utf8'))) : []
}

/** The entries that are not settled: by their runs, or, where they have none, by the position. */
function* entriesIn(
  bytes: Uint8Array,
  known: readonly JournalSpan[],
  settled: Settled,
): Generator<JournalEntry> {
  const runs = runsOf(known)
  const taken = new Map<string, NumberSet>()
  for (const { run, first, last } of settled.spans) {
    const numbers = taken.get(run) ?? new NumberSet()
    numbers.add(first, last)
    taken.set(run, numbers)
  }
  for (const start of entryStartsIn(bufferOver(bytes))) {
    const seq = entrySeqAt(bufferOver(bytes), start)
    const run = runs.next().value
    const isTaken = run === undefined ? seq <= settled.position : taken.get(run)?.has(seq)
    if (!isTaken)
      yield {
        seq,
        ...(run !== undefined && { run }),
        bytes: bytes.subarray(start, entryEndAt(bufferOver(bytes), start)),
      }
  }
}

/** The run of each entry in their order; `undefined` for those without. */
function* runsOf(known: readonly JournalSpan[]): Generator<string | undefined, undefined> {
  for (const { run, first, last } of known)
    for (let seq = first; seq <= last; seq += 1) yield run === '' ? undefined : run
}
