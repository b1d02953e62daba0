import type { EncodedEntry, Journal } from '../journal/journal.ts'
import { BatchQueue } from './batch-queue.ts'
import { type FlushGroup, groupsOf } from './flush-group.ts'

/** Kept in memory for the next groups; what is beyond them is read back from the journal. */
const maxInMemory = 40_000

type QueuedJournal = Pick<Journal, 'run' | 'lastSeq' | 'entriesAfter'>

/** Settlements that the database does not have, in order: the first of them in memory, the others in the journal. */
export class FlushQueue {
  readonly #journal: QueuedJournal
  readonly #limit: number
  #position: number
  /** Entries without gaps from `position` on. */
  readonly #inMemory = new BatchQueue()
  /** The queue goes on in the journal, past what is in memory. */
  #goesOn = false
  #gone: number

  /** @param position the database has everything up to here */
  constructor(journal: QueuedJournal, position: number, limit: number = maxInMemory) {
    this.#journal = journal
    this.#limit = limit
    this.#position = position
    this.#gone = position
  }

  /** Returns the position up to which the database has everything. */
  get position(): number {
    return this.#position
  }

  get length(): number {
    return Math.max(0, this.#journal.lastSeq - Math.max(this.#position, this.#gone))
  }

  add({ bytes, start, end }: EncodedEntry): void {
    if (this.#goesOn || this.#inMemory.length >= this.#limit) this.#goesOn = true
    else this.#inMemory.add(bytes, start, end)
  }

  /** Returns the next `count` of them, or fewer; `undefined` when none is to be found. Throws when the journal cannot be read. */
  first(count: number): FlushGroup | undefined {
    const inMemory = Math.min(count, this.#inMemory.length)
    if (inMemory > 0) return this.#groupInMemory(inMemory)
    for (const group of groupsOf(this.#journal.entriesAfter(this.#position), count)) return group
    return undefined
  }

  #groupInMemory(count: number): FlushGroup {
    const last = this.#position + count
    const spans = [{ run: this.#journal.run, first: this.#position + 1, last }]
    return { count, last, batches: this.#inMemory.first(count), spans }
  }

  /** Drops the entries up to `position`, which the database has. */
  advance(position: number): void {
    this.#inMemory.drop(position - this.#position)
    this.#position = position
    if (position >= this.#journal.lastSeq) this.#goesOn = false
  }

  /** Returns to an earlier `position`, at which the database is again. */
  rewind(position: number): void {
    this.#inMemory.clear()
    this.#goesOn = true
    this.#position = position
  }

  /** Stops looking for the missing entries, which nothing has any more, and waits for new ones. */
  giveUp(): void {
    this.#gone = this.#journal.lastSeq
  }
}
