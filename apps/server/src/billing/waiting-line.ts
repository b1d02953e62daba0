import type { SettlementPack } from '../store/settlement.ts'
import { packTexts } from '../store/settlement-pack.ts'
import type { Journal, JournalEntry } from './journal/journal.ts'
import { PackedQueue } from './packed-queue.ts'

/** Settlements that are written into the database together. */
export interface WaitingGroup {
  readonly count: number
  /** Number of the last one. */
  readonly last: number
  readonly packs: readonly SettlementPack[]
}

/** Settlements that the database does not have, in order. */
export interface WaitingLine {
  /** The database has everything up to here. */
  readonly position: number
  readonly length: number
  add(entry: JournalEntry): void
  /** The next `count` of them, or fewer; `undefined` when none is to be found. */
  first(count: number): WaitingGroup | undefined
  /** The database has everything up to `position`. */
  advance(position: number): void
  /** The database is at an earlier `position` again. */
  rewind(position: number): void
  /** What waits now cannot be found any more: wait for new ones. */
  giveUp(): void
}

/** Kept in memory for the next groups; what is beyond them is read back from the journal. */
const maxInMemory = 40_000

export function createWaitingLine(
  journal: Pick<Journal, 'lastSeq' | 'entriesAfter'>,
  start: number,
  limit = maxInMemory,
): WaitingLine {
  let position = start
  /** Without holes from `position` on. */
  const inMemory = new PackedQueue()
  /** The line goes on in the journal, past what is in memory. */
  let goesOn = false
  let gone = start

  function firstInJournal(count: number): WaitingGroup | undefined {
    const entries: JournalEntry[] = []
    for (const entry of journal.entriesAfter(position)) {
      entries.push(entry)
      if (entries.length === count) break
    }
    const last = entries.at(-1)?.seq
    if (last === undefined) return undefined
    return { count: entries.length, last, packs: packTexts(entries.map(({ text }) => text)) }
  }

  return {
    get position() {
      return position
    },
    get length() {
      return Math.max(0, journal.lastSeq - Math.max(position, gone))
    },
    add({ text }) {
      if (goesOn || inMemory.length >= limit) goesOn = true
      else inMemory.add(text)
    },
    first(wanted) {
      const count = Math.min(wanted, inMemory.length)
      return count === 0
        ? firstInJournal(wanted)
        : { count, last: position + count, packs: inMemory.first(count) }
    },
    advance(to) {
      inMemory.drop(to - position)
      position = to
      if (position >= journal.lastSeq) goesOn = false
    },
    rewind(to) {
      inMemory.clear()
      goesOn = true
      position = to
    },
    giveUp() {
      gone = journal.lastSeq
    },
  }
}
