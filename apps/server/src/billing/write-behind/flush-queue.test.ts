import { describe, expect, it } from 'bun:test'
import { bufferOver, decodeSettlements, encodeSettlements } from '../../store/settlement.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { chargeOf } from '../test-support/charges.ts'
import type { FlushGroup } from './flush-group.ts'
import { FlushQueue } from './flush-queue.ts'

/** A journal that keeps everything, and how often it was read. */
function journalOnDisk() {
  const retained: JournalEntry[] = []
  let reads = 0
  return {
    run: 'run',
    get lastSeq() {
      return retained.length
    },
    get reads() {
      return reads
    },
    append() {
      const seq = retained.length + 1
      const bytes = bufferOver(encodeSettlements([{ ...chargeOf(), seq }]))
      retained.push({ seq, bytes })
      return { seq, bytes, start: 0, end: bytes.length }
    },
    entriesAfter(position: number) {
      reads += 1
      return retained.slice(position)
    },
  }
}

/** Returns the numbers in the group, and checks those that it states itself. */
function seqs(group: FlushGroup | undefined): number[] {
  const found = (group?.batches ?? []).flatMap(decodeSettlements).map(({ seq }) => seq)
  expect(group?.count ?? 0).toBe(found.length)
  expect(group?.last).toBe(found.at(-1) as number)
  return found
}

describe('FlushQueue', () => {
  it('hands out what waits in order, without reading the journal back', () => {
    const journal = journalOnDisk()
    const queue = new FlushQueue(journal, 0)
    for (let call = 0; call < 5; call += 1) queue.add(journal.append())
    expect(seqs(queue.first(3))).toEqual([1, 2, 3])
    queue.advance(2)
    expect(seqs(queue.first(10))).toEqual([3, 4, 5])
    expect(queue.length).toBe(3)
    queue.add(journal.append())
    expect(seqs(queue.first(2))).toEqual([3, 4])
    expect(seqs(queue.first(10))).toEqual([3, 4, 5, 6])
    expect(journal.reads).toBe(0)
  })

  it('keeps memory bounded and the order whole when more waits than it may hold', () => {
    const journal = journalOnDisk()
    const queue = new FlushQueue(journal, 0, 4)
    const seen: number[] = []
    const take = () => {
      const group = queue.first(3)
      seen.push(...seqs(group))
      queue.advance(group?.last ?? 0)
    }
    for (let call = 0; call < 100; call += 1) {
      queue.add(journal.append())
      if (call % 7 === 0) take()
    }
    while (queue.length > 0) take()
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    const reads = journal.reads
    queue.add(journal.append())
    expect(seqs(queue.first(3))).toEqual([101])
    expect(journal.reads).toBe(reads)
  })

  it('starts again from an earlier position', () => {
    const journal = journalOnDisk()
    const queue = new FlushQueue(journal, 0)
    for (let call = 0; call < 6; call += 1) queue.add(journal.append())
    queue.advance(4)
    queue.rewind(1)
    queue.add(journal.append())
    expect(queue.length).toBe(6)
    expect(seqs(queue.first(10))).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('says so when what waits is not to be found', () => {
    const journal = journalOnDisk()
    const queue = new FlushQueue({ ...journal, lastSeq: 3, entriesAfter: () => [] }, 0)
    expect(queue.length).toBe(3)
    expect(queue.first(10)).toBeUndefined()
    queue.giveUp()
    expect(queue.length).toBe(0)
  })
})
