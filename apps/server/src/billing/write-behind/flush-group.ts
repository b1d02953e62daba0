import type { SettlementBatch } from '../../store/settlement.ts'
import { bufferOver } from '../../store/settlement.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { BatchQueue } from './batch-queue.ts'

/** Settlements that are written into the database in one transaction. */
export interface FlushGroup {
  readonly count: number
  /** Number of the last one. */
  readonly last: number
  readonly batches: readonly SettlementBatch[]
}

/** What the journal gives back, in groups of at most `size`. */
export function* groupsOf(entries: Iterable<JournalEntry>, size: number): Generator<FlushGroup> {
  let queue = new BatchQueue()
  let last = 0
  const group = () => ({ count: queue.length, last, batches: queue.first(queue.length) })
  for (const { seq, bytes } of entries) {
    queue.add(bufferOver(bytes), 0, bytes.length)
    last = seq
    if (queue.length < size) continue
    yield group()
    queue = new BatchQueue()
  }
  if (queue.length > 0) yield group()
}
