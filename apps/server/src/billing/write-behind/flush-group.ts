import type { JournalSpan, SettlementBatch } from '../../store/settlement.ts'
import { bufferOver } from '../../store/settlement.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { addToSpans } from '../journal/spans.ts'
import { BatchQueue } from './batch-queue.ts'

/** Settlements that are written into the database in one transaction. */
export interface FlushGroup {
  readonly count: number
  /** Number of the last one. */
  readonly last: number
  readonly batches: readonly SettlementBatch[]
  /** Spans of its entries, as far as their journal has them. */
  readonly spans: readonly JournalSpan[]
}

/** Yields the entries of the journal, in groups of at most `size`. */
export function* groupsOf(entries: Iterable<JournalEntry>, size: number): Generator<FlushGroup> {
  let queue = new BatchQueue()
  let spans: JournalSpan[] = []
  let last = 0
  const group = () => ({ count: queue.length, last, batches: queue.first(queue.length), spans })
  for (const { seq, run, bytes } of entries) {
    queue.add(bufferOver(bytes), 0, bytes.length)
    addToSpans(spans, run, seq)
    last = seq
    if (queue.length < size) continue
    yield group()
    queue = new BatchQueue()
    spans = []
  }
  if (queue.length > 0) yield group()
}
