import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { chargeOf, manualClock, recordIn, silentLogger } from '../test-support/charges.ts'
import { createMemoryDisk, type MemoryDisk } from '../test-support/memory-disk.ts'
import { createMemoryLedgerRepository } from '../test-support/memory-ledger-repository.ts'
import { replay } from '../write-behind/replay-journal.ts'
import type { JournalMark } from './files.ts'
import { Journal } from './journal.ts'
import type { Settled } from './read-segments.ts'

setDefaultTimeout(deadline(120_000))

/*
 * A small journal is damaged in every way at every byte. Whatever was done: an entry comes once, every entry whose bytes are
 * whole comes, and what does not come is counted.
 */

const segmentBytes = 4096 + 512
const calls = 12
/** The database has so many of them. */
const flushed = 3

const open = (disk: MemoryDisk, node = 'own') =>
  new Journal({
    node,
    files: disk,
    clock: manualClock(),
    logger: silentLogger,
    segmentBytes,
    spareSegments: 1,
  })

const charge = (call: number) => chargeOf({ quota: call, content: 'x'.repeat(100) })

/** A journal that was killed: some segments, the database has the beginning. */
async function killed(node = 'own', database = 'db', isSynced = false) {
  const disk = createMemoryDisk()
  const journal = open(disk, node)
  await journal.claimFor(database)
  await journal.start(0)
  for (let turn = 0; turn < 10; turn += 1) await Bun.sleep(0)
  for (let call = 1; call <= calls; call += 1) recordIn(journal, charge(call))
  if (isSynced) await journal.sync()
  const spans = [{ run: journal.run, first: 1, last: flushed }]
  return { disk, run: journal.run, settled: { position: flushed, spans }, mark: disk.readMark() }
}

/** Finds the file and the byte range of each entry. */
function positionsOf(disk: MemoryDisk) {
  const positions = new Map<number, { readonly file: number; readonly start: number; readonly end: number }>()
  for (const [file, data] of disk.segments.entries()) {
    const bytes = Buffer.from(data.buffer)
    for (let seq = 1; seq <= calls; seq += 1) {
      const at = bytes.indexOf(`1700000000,1,1,1,${seq},`)
      if (at < 0) continue
      const start = at - 17
      positions.set(seq, { file, start, end: start + 16 + bytes.readUInt32LE(start) })
    }
  }
  return positions
}

/** A disk with these files, each a copy. */
function diskOf(files: readonly Uint8Array[], mark?: JournalMark): MemoryDisk {
  const disk = createMemoryDisk()
  disk.segments.push(...files.map((data) => Uint8Array.from(data)))
  disk.writeOwner({ database: 'db' })
  disk.writeMark(mark)
  return disk
}

async function readAgain(disk: MemoryDisk, settled: Settled) {
  const journal = open(disk)
  await journal.claimFor('db')
  const reading = journal.read(settled)
  const seqs = [...reading.entries()].map(({ seq }) => seq)
  return { seqs, ...reading.findings() }
}

type Found = Awaited<ReturnType<typeof readAgain>>

/** Expects each whole entry once, and the losses to cover the missing ones, for any damage. */
function expectSound({ seqs, losses }: Found, intact: readonly number[], what: string): void {
  expect(new Set(seqs).size, `${what}: comes once`).toBe(seqs.length)
  const missing = calls - flushed - seqs.length
  const missed = intact.filter((seq) => seq > flushed && !seqs.includes(seq))
  expect(missed, `${what}: whole entries come`).toEqual([])
  const sum = (bound: 'atLeast' | 'atMost') => losses.reduce((total, loss) => total + loss[bound], 0)
  if (sum('atLeast') > missing || sum('atMost') < missing)
    throw new Error(`${what}: ${missing} are missing, said are ${sum('atLeast')} to ${sum('atMost')}`)
}

const all = Array.from({ length: calls }, (_, index) => index + 1)

describe.each([
  ['killed', false],
  ['synced', true],
])('a journal that was %s', (_, isSynced) => {
  it('gives every whole entry and counts the others, whichever byte is flipped', async () => {
    const { disk, settled, mark } = await killed('own', 'db', isSynced)
    const positions = positionsOf(disk)
    expect(positions.size).toBe(calls)
    for (const [file, data] of disk.segments.entries())
      for (let at = 0; at < data.length; at += 1) {
        const files = disk.segments.map((one) => Uint8Array.from(one))
        files[file]?.fill((data[at] ?? 0) ^ (1 << (at % 8)), at, at + 1)
        const hit = all.filter((seq) => {
          const location = positions.get(seq)
          return location?.file === file && location.start <= at && at < location.end
        })
        const intact = all.filter((seq) => !hit.includes(seq))
        const found = await readAgain(diskOf(files, mark), settled)
        expectSound(found, intact, `file ${file}, byte ${at}`)
        const lost = hit.filter((seq) => seq > flushed)
        // The last entry alone may have been torn, unless it was synced.
        const kind = lost.includes(calls) && !isSynced ? 'torn' : 'damage'
        const kinds = found.losses.filter(({ atLeast }) => atLeast > 0).map((loss) => loss.kind)
        expect([at, ...kinds]).toEqual([at, ...lost.map(() => kind)])
      }
  })

  it('gives every whole entry and counts the others, wherever a file is cut', async () => {
    const { disk, settled, mark } = await killed('own', 'db', isSynced)
    const positions = positionsOf(disk)
    for (const [file, data] of disk.segments.entries())
      for (let length = 0; length < data.length; length += 1) {
        const files = disk.segments.map((one, index) => (index === file ? one.slice(0, length) : one))
        const intact = all.filter((seq) => {
          const location = positions.get(seq)
          return location?.file !== file || (location.end <= length && length >= 256)
        })
        const found = await readAgain(diskOf(files, mark), settled)
        expectSound(found, intact, `file ${file}, cut to ${length}`)
        expect(found.losses.every(({ kind }) => kind === 'damage' || !isSynced)).toBe(true)
      }
  })
})

describe('a journal whose files were moved', () => {
  it('says what is lost with each file that is gone', async () => {
    const { disk, settled, mark } = await killed('own', 'db', true)
    const positions = positionsOf(disk)
    for (const file of disk.segments.keys()) {
      const intact = all.filter((seq) => positions.get(seq)?.file !== file)
      const files = disk.segments.filter((_, index) => index !== file)
      expectSound(await readAgain(diskOf(files, mark), settled), intact, `without file ${file}`)
    }
    expectSound(await readAgain(diskOf([], mark), settled), [], 'without any file')
  })

  it('charges once what is there twice, in any order', async () => {
    const { disk, settled, mark } = await killed()
    for (const file of disk.segments.keys()) {
      const doubled = [...disk.segments, disk.segments[file] ?? new Uint8Array()]
      for (const files of [doubled, doubled.toReversed()])
        expectSound(await readAgain(diskOf(files, mark), settled), all, `file ${file} twice`)
    }
    for (let turn = 1; turn < disk.segments.length; turn += 1) {
      const turned = [...disk.segments.slice(turn), ...disk.segments.slice(0, turn)]
      expectSound(await readAgain(diskOf(turned, mark), settled), all, `turned by ${turn}`)
    }
  })

  it.each([
    ['foreign-node', 'other', 'db'],
    ['foreign-database', 'own', 'elsewhere'],
  ] as const)(
    'keeps a segment aside that is %s, and charges nothing of it',
    async (fault, node, database) => {
      const { disk, settled, mark } = await killed()
      const { disk: other } = await killed(node, database)
      const strangers = other.segments.filter((data) => data[0] !== 0)
      const found = await readAgain(diskOf([...disk.segments, ...strangers], mark), settled)
      expectSound(found, all, fault)
      expect(found.files.map((file) => file.fault)).toEqual(strangers.map(() => fault))
      expect(found.losses).toEqual([])
    },
  )

  it('charges late what was lost and is found again, and nothing twice', async () => {
    const { disk } = await killed('own', 'db', true)
    const mark = disk.readMark()
    const repository = createMemoryLedgerRepository()
    const positions = positionsOf(disk)
    const last = positions.get(calls)?.file ?? 0
    const settle = async (files: readonly Uint8Array[]) => {
      const journal = open(diskOf(files, mark))
      await journal.claimFor('db')
      return await replay(journal, repository, silentLogger)
    }
    const first = await settle(disk.segments.filter((_, index) => index === last))
    expect(first.findings.losses.reduce((sum, { atLeast }) => sum + atLeast, 0)).toBe(calls - first.calls)
    expect((await settle(disk.segments)).calls).toBe(calls - first.calls)
    expect((await settle(disk.segments)).calls).toBe(0)
    expect(repository.settlements.map(({ quota }) => quota).toSorted((a, b) => a - b)).toEqual(all)
    expect((await settle(disk.segments)).findings.losses).toEqual([])
  })
})
