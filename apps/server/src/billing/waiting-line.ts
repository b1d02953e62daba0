import type { Settlement } from '../store/store.ts'
import type { Journal } from './journal/journal.ts'

/** Settlements that the database does not have, in order. */
export interface WaitingLine {
  /** The database has everything up to here. */
  readonly position: number
  readonly length: number
  add(settlement: Settlement): void
  /** The next `count` of them. */
  first(count: number): readonly Settlement[]
  /** The database has everything up to `position`; returns what left the line. */
  advance(position: number): readonly Settlement[]
  /** The database is at an earlier `position` again. */
  rewind(position: number): void
  /** What waits now cannot be found any more: wait for new ones. */
  giveUp(): void
}

/** Kept in memory for the next groups; what is beyond them is read back from the journal. */
const maxInMemory = 20_000

export function createWaitingLine(
  journal: Pick<Journal, 'lastSeq' | 'settlementsAfter'>,
  start: number,
  limit = maxInMemory,
): WaitingLine {
  let position = start
  let inMemory: Settlement[] = []
  /** The line goes on in the journal, past what is in memory. */
  let goesOn = false
  let gone = start

  function take(
    settlements: Iterable<Settlement>,
    wanted: (taken: readonly Settlement[], next: Settlement) => boolean,
  ) {
    const taken: Settlement[] = []
    for (const settlement of settlements) {
      if (!wanted(taken, settlement)) break
      taken.push(settlement)
    }
    return taken
  }

  const source = () => (inMemory.length > 0 ? inMemory : journal.settlementsAfter(position))

  return {
    get position() {
      return position
    },
    get length() {
      return Math.max(0, journal.lastSeq - Math.max(position, gone))
    },
    add(settlement) {
      if (goesOn || inMemory.length >= limit) goesOn = true
      else inMemory.push(settlement)
    },
    first: (count) => take(source(), (taken) => taken.length < count),
    advance(to) {
      const left = take(source(), (_, { seq }) => seq <= to)
      inMemory = inMemory.slice(left.length)
      position = to
      if (position >= journal.lastSeq) goesOn = false
      return left
    },
    rewind(to) {
      inMemory = []
      goesOn = true
      position = to
    },
    giveUp() {
      gone = journal.lastSeq
    },
  }
}
