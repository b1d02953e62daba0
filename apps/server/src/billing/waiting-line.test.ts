import { describe, expect, it } from 'bun:test'
import { settlementsIn } from '../store/settlement-pack.ts'
import { encodeSettlement } from '../store/settlement-text.ts'
import type { JournalEntry } from './journal/journal.ts'
import { chargeOf } from './test-support/charges.ts'
import { createWaitingLine, type WaitingGroup } from './waiting-line.ts'

/** A journal that keeps everything, and how often it was read. */
function keptJournal() {
  const kept: JournalEntry[] = []
  let reads = 0
  return {
    get lastSeq() {
      return kept.length
    },
    get reads() {
      return reads
    },
    append() {
      const seq = kept.length + 1
      const entry = { seq, text: encodeSettlement(seq, chargeOf()) }
      kept.push(entry)
      return entry
    },
    entriesAfter(position: number) {
      reads += 1
      return kept.slice(position)
    },
  }
}

/** What the group holds; it says the same of itself. */
function seqs(group: WaitingGroup | undefined): number[] {
  const found = (group?.packs ?? []).flatMap(settlementsIn).map(({ seq }) => seq)
  expect(group?.count ?? 0).toBe(found.length)
  expect(group?.last).toBe(found.at(-1) as number)
  return found
}

describe('waiting line', () => {
  it('hands out what waits in order, without reading the journal back', () => {
    const journal = keptJournal()
    const line = createWaitingLine(journal, 0)
    for (let call = 0; call < 5; call += 1) line.add(journal.append())
    expect(seqs(line.first(3))).toEqual([1, 2, 3])
    line.advance(2)
    expect(seqs(line.first(10))).toEqual([3, 4, 5])
    expect(line.length).toBe(3)
    line.add(journal.append())
    expect(seqs(line.first(2))).toEqual([3, 4])
    expect(seqs(line.first(10))).toEqual([3, 4, 5, 6])
    expect(journal.reads).toBe(0)
  })

  it('keeps memory bounded and the order whole when more waits than it may hold', () => {
    const journal = keptJournal()
    const line = createWaitingLine(journal, 0, 4)
    const seen: number[] = []
    const take = () => {
      const group = line.first(3)
      seen.push(...seqs(group))
      line.advance(group?.last ?? 0)
    }
    for (let call = 0; call < 100; call += 1) {
      line.add(journal.append())
      if (call % 7 === 0) take()
    }
    while (line.length > 0) take()
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    const reads = journal.reads
    line.add(journal.append())
    expect(seqs(line.first(3))).toEqual([101])
    expect(journal.reads).toBe(reads)
  })

  it('starts again from an earlier position', () => {
    const journal = keptJournal()
    const line = createWaitingLine(journal, 0)
    for (let call = 0; call < 6; call += 1) line.add(journal.append())
    line.advance(4)
    line.rewind(1)
    line.add(journal.append())
    expect(line.length).toBe(6)
    expect(seqs(line.first(10))).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('says so when what waits is not to be found', () => {
    const journal = keptJournal()
    const line = createWaitingLine({ ...journal, lastSeq: 3, entriesAfter: () => [] }, 0)
    expect(line.length).toBe(3)
    expect(line.first(10)).toBeUndefined()
    line.giveUp()
    expect(line.length).toBe(0)
  })
})
