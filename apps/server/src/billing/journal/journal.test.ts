import { describe, expect, it } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  chargeOf,
  manualClock,
  recordIn,
  recordingLogger,
  settledIn,
  silentLogger,
} from '../test-support/charges.ts'
import { createMemoryDisk, type MemoryDisk } from '../test-support/memory-disk.ts'
import { JournalForeignError } from './errors.ts'
import { Journal, type JournalEntry, type JournalOptions } from './journal.ts'

const segmentBytes = 16 * 1024

function journalOn(disk: MemoryDisk, options: Partial<JournalOptions> = {}) {
  const clock = manualClock()
  return { clock, ...started(disk, { clock, ...options }) }
}

function started(disk: MemoryDisk, options: Partial<JournalOptions>) {
  const journal = new Journal({
    node: 'test',
    files: disk,
    clock: manualClock(),
    logger: silentLogger,
    segmentBytes,
    ...options,
  })
  return { journal }
}

/** Background allocation in memory needs a turn of the event loop, no time. */
const settle = () => sleep(0)

const seqs = (entries: Iterable<JournalEntry>) => [...entries].map(({ seq }) => seq)
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('journal', () => {
  it('gives back every settlement as it was appended, in order', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    const charges = upTo(40).map((quota) => chargeOf({ quota, model: `模型-${quota}` }))
    const provided = charges.map((charge) => recordIn(journal, charge).seq)
    expect(provided).toEqual(upTo(40))
    const expected = charges.map((charge, index) => ({ ...charge, seq: index + 1 }))
    expect(settledIn(journalOn(disk).journal.entriesAfter(0))).toEqual(expected)
  })

  it('gives only what lies past a position', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    for (const _ of upTo(50)) recordIn(journal, chargeOf())
    for (const position of [0, 1, 19, 20, 49, 50]) {
      expect(seqs(journal.entriesAfter(position))).toEqual(upTo(50, position + 1))
    }
  })

  it('ends the replay at a torn entry, whatever part of it reached the disk', async () => {
    for (const bytes of [0, 1, 4, 15, 16, 17, 200]) {
      const disk = createMemoryDisk()
      const { journal } = journalOn(disk)
      await journal.start(0)
      for (const _ of upTo(5)) recordIn(journal, chargeOf())
      disk.tearLastWrite(bytes)
      expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(4))
    }
  })

  it('never mistakes entries of a recycled segment for new ones', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    // Entries of one size: what is written over an old one ends exactly where the next old one begins.
    for (let round = 0; round < 20; round += 1) {
      for (const _ of upTo(7)) recordIn(journal, chargeOf())
      journal.release(journal.lastSeq)
      await settle()
    }
    const position = journal.lastSeq
    for (const _ of upTo(3)) recordIn(journal, chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(position))).toEqual(upTo(position + 3, position + 1))
  })

  it('keeps numbering over restarts, also when the database knows more than the files', async () => {
    const disk = createMemoryDisk()
    for (const position of [0, 10, 20]) {
      const { journal } = journalOn(disk)
      expect(seqs(journal.entriesAfter(position))).toEqual([])
      await journal.start(position)
      for (const _ of upTo(10)) recordIn(journal, chargeOf())
      expect(journal.lastSeq).toBe(position + 10)
    }
    const { journal } = journalOn(disk)
    await journal.start(1000)
    expect(recordIn(journal, chargeOf()).seq).toBe(1001)
    expect(seqs(journalOn(disk).journal.entriesAfter(1000))).toEqual([1001])
  })

  it('finds what was settled after starts in which nothing was', async () => {
    const disk = createMemoryDisk()
    for (let start = 0; start < 5; start += 1) {
      const { journal } = journalOn(disk)
      await journal.start(0)
      await settle()
    }
    for (const last of disk.segments.keys()) {
      const { journal } = journalOn(disk)
      await journal.start(last)
      recordIn(journal, chargeOf())
      expect(seqs(journalOn(disk).journal.entriesAfter(last))).toEqual([last + 1])
    }
  })

  it('still has recent history for a database that went back in time', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    for (const _ of upTo(30)) recordIn(journal, chargeOf())
    journal.release(30)
    expect(seqs(journal.entriesAfter(12))).toEqual(upTo(30, 13))
  })

  it('works in a steady number of files however much passes through', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    for (let round = 0; round < 200; round += 1) {
      for (const _ of upTo(10)) recordIn(journal, chargeOf())
      journal.release(journal.lastSeq)
      expect(journal.canAdmit(1)).toBe(true)
      await settle()
    }
    expect(disk.segments.length).toBeLessThanOrEqual(4)
  })
})

describe('journal without room', () => {
  it('admits only as many calls as fit into blocks that are there already, each at its largest', async () => {
    const disk = createMemoryDisk(3 * segmentBytes)
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    // 3 segments of 16 KiB, a header in each: three entries of 4 KiB apiece.
    expect(journal.canAdmit(8)).toBe(true)
    expect(journal.canAdmit(9)).toBe(false)
  })

  it('records every admitted call on a full disk, however large its entry', async () => {
    const disk = createMemoryDisk(3 * segmentBytes)
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    disk.capacity = 0
    let admitted = 0
    const largest = chargeOf({ other: 'x'.repeat(3700) })
    while (journal.canAdmit(0)) {
      recordIn(journal, largest)
      admitted += 1
    }
    expect(admitted).toBeGreaterThanOrEqual(9)
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(admitted))
  })

  it('admits again by itself once the database took what was there', async () => {
    const disk = createMemoryDisk(2 * segmentBytes)
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    while (journal.canAdmit(0)) recordIn(journal, chargeOf())
    journal.release(journal.lastSeq)
    expect(journal.canAdmit(0)).toBe(true)
  })

  it('admits again by itself once the disk has room, and says so once', async () => {
    const disk = createMemoryDisk(segmentBytes)
    const { logger, messages } = recordingLogger()
    const { journal, clock } = journalOn(disk, { logger })
    await journal.start(0)
    await settle()
    while (journal.canAdmit(0)) recordIn(journal, chargeOf())
    for (const _ of upTo(20)) {
      clock.advance(1000)
      expect(journal.canAdmit(0)).toBe(false)
      await settle()
    }
    disk.capacity = 10 * segmentBytes
    clock.advance(1000)
    journal.canAdmit(0)
    await settle()
    expect(journal.canAdmit(0)).toBe(true)
    expect(messages).toEqual([
      'journal: no room can be allocated ahead, and calls stop when the rest is used: free space on the disk',
      'journal: room is allocated ahead again',
    ])
  })

  it('starts without admitting when there is no room for a first segment', async () => {
    const disk = createMemoryDisk(0)
    const { journal, clock } = journalOn(disk)
    await journal.start(0)
    expect(journal.canAdmit(0)).toBe(false)
    disk.capacity = segmentBytes
    clock.advance(1000)
    journal.canAdmit(0)
    await settle()
    expect(journal.canAdmit(0)).toBe(true)
    recordIn(journal, chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual([1])
  })

  it('allocates ahead of a growing number of calls in flight', async () => {
    const { journal } = journalOn(createMemoryDisk())
    await journal.start(0)
    await settle()
    let inFlight = 1
    while (inFlight < 100) {
      expect(journal.canAdmit(inFlight)).toBe(true)
      await settle()
      inFlight += 2
    }
  })

  it('takes no more than its share of the disk while the database is away', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk, { maxSegments: 5 })
    await journal.start(0)
    for (let calls = 0; journal.canAdmit(0) && calls < 1000; calls += 1) {
      recordIn(journal, chargeOf())
      await settle()
    }
    expect(disk.segments.length).toBe(5)
    expect(journal.canAdmit(0)).toBe(false)
  })
})

describe('record', () => {
  it('writes once what was appended since the last time, over as many segments as it takes', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    await settle()
    for (const _ of upTo(60)) journal.append(chargeOf())
    // Full segments are written when they are left.
    expect(seqs(journalOn(disk).journal.entriesAfter(0)).length).toBeLessThan(60)
    journal.record()
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(60))
    journal.record()
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(60))
  })

  it('loses what was appended in a crash, and nothing before', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk)
    await journal.start(0)
    for (const _ of upTo(3)) recordIn(journal, chargeOf())
    for (const _ of upTo(3)) journal.append(chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(3))
  })

  it('takes more than its buffer holds', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk, { segmentBytes: 1 << 20 })
    await journal.start(0)
    await settle()
    const large = chargeOf({ other: 'x'.repeat(3000) })
    for (const _ of upTo(200)) journal.append(large)
    journal.record()
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(200))
  })
})

describe('sync', () => {
  it('follows what was recorded within its time, once for many, and rests while nothing is', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk, { syncMs: 20 })
    await journal.start(0)
    await sleep(60)
    const before = disk.syncs
    for (const _ of upTo(5)) recordIn(journal, chargeOf())
    await sleep(60)
    expect(disk.syncs).toBe(before + 1)
    await sleep(60)
    expect(disk.syncs).toBe(before + 1)
    recordIn(journal, chargeOf())
    await sleep(60)
    expect(disk.syncs).toBe(before + 2)
  })

  it('keeps its time while calls never cease', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk, { syncMs: 10 })
    await journal.start(0)
    const start = disk.syncs
    for (let turn = 0; turn < 20; turn += 1) {
      recordIn(journal, chargeOf())
      await sleep(5)
    }
    expect(disk.syncs - start).toBeGreaterThanOrEqual(4)
  })

  it('never happens when it is switched off, but when the journal closes', async () => {
    const disk = createMemoryDisk()
    const { journal } = journalOn(disk, { syncMs: 0 })
    await journal.start(0)
    recordIn(journal, chargeOf())
    await sleep(20)
    expect(disk.syncs).toBe(0)
    await journal.close()
    expect(disk.syncs).toBe(1)
  })

  it('that fails stops admission until another segment can be begun', async () => {
    const disk = createMemoryDisk()
    const { logger, messages } = recordingLogger()
    const { journal, clock } = journalOn(disk, { logger, syncMs: 0 })
    await journal.start(0)
    await settle()
    recordIn(journal, chargeOf())
    disk.unsyncable = true
    await journal.sync()
    expect(journal.canAdmit(0)).toBe(false)
    expect(messages).toEqual([
      'journal: it cannot be written, so this node takes no calls: check the disk, its space and its owner',
    ])
    disk.unsyncable = false
    clock.advance(1000)
    expect(journal.canAdmit(0)).toBe(true)
    recordIn(journal, chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(2))
  })
})

describe('journal that cannot be read', () => {
  it('says so in one line, admits nothing, and goes on when it can', async () => {
    const disk = createMemoryDisk()
    const { logger, messages } = recordingLogger()
    const { journal } = journalOn(disk, { logger })
    await journal.start(0)
    await settle()
    recordIn(journal, chargeOf())
    disk.unreadable = true
    for (const _ of upTo(2))
      expect(() => [...journal.entriesAfter(0)]).toThrow(
        'The journal in memory cannot be read: EIO: i/o error, read',
      )
    expect(journal.canAdmit(0)).toBe(false)
    recordIn(journal, chargeOf())
    disk.unreadable = false
    expect(seqs(journal.entriesAfter(0))).toEqual(upTo(2))
    expect(journal.canAdmit(0)).toBe(true)
    expect(messages).toEqual([
      'journal: it cannot be read, so this node takes no calls: check the disk and the owner of its files',
      'journal: it can be read again, and this node takes calls',
    ])
  })
})

describe('the database of a journal', () => {
  async function run(disk: MemoryDisk, database: string, { calls = 0, position = 0, flushed = true } = {}) {
    const { journal } = journalOn(disk)
    await journal.claimFor(database)
    await journal.start(position)
    for (let call = 0; call < calls; call += 1) recordIn(journal, chargeOf())
    if (flushed) journal.release(journal.lastSeq)
    await journal.close()
  }
  const foreign = /^The journal in memory has charges of another database: [^\n]+$/

  it('is the one that it was first opened for', async () => {
    const disk = createMemoryDisk()
    await run(disk, 'first', { calls: 3, flushed: false })
    const { journal } = journalOn(disk)
    expect(journal.isForeignTo('second')).toBe(true)
    await expect(journal.claimFor('second')).rejects.toThrow(foreign)
    await expect(journal.claimFor('second')).rejects.toBeInstanceOf(JournalForeignError)
    await journal.claimFor('first')
    expect(seqs(journal.entriesAfter(0))).toEqual(upTo(3))
  })

  it('may change when the former has everything: nothing of it is replayed into the new one', async () => {
    const disk = createMemoryDisk()
    await run(disk, 'first', { calls: 30 })
    const { journal } = journalOn(disk)
    expect(journal.isForeignTo('second')).toBe(false)
    await journal.claimFor('second')
    expect(seqs(journal.entriesAfter(0))).toEqual([])
    await journal.start(0)
    recordIn(journal, chargeOf())
    await journal.close()
    await expect(journalOn(disk).journal.claimFor('first')).rejects.toThrow(foreign)
  })

  it('keeps what a process left that was killed after one that stopped in good order', async () => {
    const disk = createMemoryDisk()
    await run(disk, 'first', { calls: 3 })
    const { journal } = journalOn(disk)
    await journal.claimFor('first')
    await journal.start(3)
    await expect(journalOn(disk).journal.claimFor('second')).resolves.toBeUndefined()
    const killed = createMemoryDisk()
    await run(killed, 'first', { calls: 3 })
    const next = journalOn(killed).journal
    await next.claimFor('first')
    await next.start(3)
    recordIn(next, chargeOf())
    await expect(journalOn(killed).journal.claimFor('second')).rejects.toThrow(foreign)
  })
})

describe('journal on a disk that fails', () => {
  it('keeps calls that were appended together when their write fails, in order', async () => {
    const disk = createMemoryDisk()
    const { journal, clock } = journalOn(disk)
    await journal.start(0)
    await settle()
    recordIn(journal, chargeOf())
    for (const _ of upTo(3)) journal.append(chargeOf())
    disk.broken = true
    journal.record()
    journal.append(chargeOf())
    expect(journal.canAdmit(0)).toBe(false)
    expect(seqs(journal.entriesAfter(0))).toEqual(upTo(5))
    disk.broken = false
    clock.advance(1000)
    expect(journal.canAdmit(0)).toBe(true)
    recordIn(journal, chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(6))
  })

  it('loses nothing: what was refused is written, in order, once the disk is back', async () => {
    const disk = createMemoryDisk()
    const { journal, clock } = journalOn(disk)
    await journal.start(0)
    await settle()
    recordIn(journal, chargeOf())
    disk.broken = true
    for (const _ of upTo(3)) recordIn(journal, chargeOf())
    expect(journal.canAdmit(0)).toBe(false)
    expect(seqs(journal.entriesAfter(0))).toEqual(upTo(4))
    disk.broken = false
    clock.advance(1000)
    expect(journal.canAdmit(0)).toBe(true)
    recordIn(journal, chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(0))).toEqual(upTo(5))
  })

  it('does not admit merely because the database took what the disk refused', async () => {
    const disk = createMemoryDisk()
    const { journal, clock } = journalOn(disk)
    await journal.start(0)
    await settle()
    disk.broken = true
    recordIn(journal, chargeOf())
    journal.release(1)
    clock.advance(1000)
    expect(journal.canAdmit(0)).toBe(false)
    disk.broken = false
    clock.advance(1000)
    expect(journal.canAdmit(0)).toBe(true)
    recordIn(journal, chargeOf())
    expect(seqs(journalOn(disk).journal.entriesAfter(1))).toEqual([2])
  })
})
