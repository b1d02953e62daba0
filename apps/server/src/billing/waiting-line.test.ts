import { describe, expect, it } from 'bun:test'
import type { Settlement } from '../store/store.ts'
import { settlementOf } from './journal/settlement-text.ts'
import { chargeOf } from './test-support/charges.ts'
import { createWaitingLine } from './waiting-line.ts'

/** A journal that keeps everything, and how often it was read. */
function keptJournal() {
  const kept: Settlement[] = []
  let reads = 0
  return {
    get lastSeq() {
      return kept.length
    },
    get reads() {
      return reads
    },
    append() {
      const settlement = settlementOf(kept.length + 1, chargeOf())
      kept.push(settlement)
      return settlement
    },
    settlementsAfter(position: number) {
      reads += 1
      return kept.slice(position)
    },
  }
}

const seqs = (settlements: readonly Settlement[]) => settlements.map(({ seq }) => seq)

describe('waiting line', () => {
  it('hands out what waits in order, without reading the journal back', () => {
    const journal = keptJournal()
    const line = createWaitingLine(journal, 0)
    for (let call = 0; call < 5; call += 1) line.add(journal.append())
    expect(seqs(line.first(3))).toEqual([1, 2, 3])
    expect(seqs(line.advance(3))).toEqual([1, 2, 3])
    expect(seqs(line.first(10))).toEqual([4, 5])
    expect(line.length).toBe(2)
    expect(journal.reads).toBe(0)
  })

  it('keeps memory bounded and the order whole when more waits than it may hold', () => {
    const journal = keptJournal()
    const line = createWaitingLine(journal, 0, 4)
    const seen: number[] = []
    for (let call = 0; call < 100; call += 1) {
      line.add(journal.append())
      if (call % 7 !== 0) continue
      const group = line.first(3)
      seen.push(...seqs(line.advance(group.at(-1)?.seq ?? 0)))
    }
    while (line.length > 0) seen.push(...seqs(line.advance(line.first(3).at(-1)?.seq ?? 0)))
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
})
