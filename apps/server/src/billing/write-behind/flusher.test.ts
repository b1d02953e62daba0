import { afterEach, describe, expect, it } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settlement } from '../../store/settlement.ts'
import { Journal } from '../journal/journal.ts'
import { chargeOf, manualClock, recordIn, recordingLogger } from '../test-support/charges.ts'
import { createMemoryDisk } from '../test-support/memory-disk.ts'
import { createMemoryLedgerRepository } from '../test-support/memory-ledger-repository.ts'
import { Flusher } from './flusher.ts'
import { UnflushedCharges } from './unflushed.ts'

const flushers: Flusher[] = []
afterEach(() => Promise.all(flushers.splice(0).map((flusher) => flusher.close())))

async function flushing({ delayMs = 1, retryMs = 1 } = {}) {
  const disk = createMemoryDisk()
  const { logger, messages } = recordingLogger()
  const journal = new Journal({
    node: 'n',
    files: disk,
    clock: manualClock(),
    logger,
    segmentBytes: 1024 * 1024,
  })
  await journal.start(0)
  const repository = createMemoryLedgerRepository()
  const reported: number[] = []
  const unflushed = new UnflushedCharges(0)
  const onFlushed = (position: number) => {
    const before = unflushed.position
    unflushed.flushedTo(position)
    for (let seq = before + 1; seq <= unflushed.position; seq += 1) reported.push(seq)
  }
  const flusher = new Flusher({ repository, journal, logger, position: 0, onFlushed, delayMs, retryMs })
  flushers.push(flusher)
  const settle = (count: number) => {
    for (let call = 0; call < count; call += 1) {
      const entry = recordIn(journal, chargeOf())
      unflushed.add(1, 1, 1, entry.seq)
      flusher.add(entry)
    }
  }
  return { disk, flusher, journal, repository, reported, messages, settle }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1)
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const written = ({ settlements }: { settlements: readonly Settlement[] }) => settlements.map(({ seq }) => seq)
const isFlushed = (journal: Journal, reported: readonly number[]) => () => reported.at(-1) === journal.lastSeq

describe('flusher', () => {
  it('gathers calls for a while and writes them as one group', async () => {
    const { repository, reported, settle, journal } = await flushing({ delayMs: 500 })
    settle(10)
    await sleep(5)
    settle(10)
    expect(repository.flushes).toEqual([])
    await until(isFlushed(journal, reported))
    expect(repository.flushes).toEqual([20])
    expect(written(repository)).toEqual(upTo(20))
  })

  it('does not wait when twenty thousand calls are there, and writes twenty thousand at a time', async () => {
    const { repository, reported, settle, journal } = await flushing({ delayMs: 60_000 })
    settle(45_000)
    await until(() => repository.flushes.length === 3)
    await until(isFlushed(journal, reported))
    expect(repository.flushes).toEqual([20_000, 20_000, 5000])
    expect(reported).toEqual(upTo(45_000))
  })

  it('gathers for longer after a large group', async () => {
    const { repository, reported, settle, journal } = await flushing({ delayMs: 40 })
    settle(600)
    await until(isFlushed(journal, reported))
    settle(10)
    await sleep(80)
    expect(repository.flushes).toEqual([600])
    await until(isFlushed(journal, reported))
    settle(1)
    await until(isFlushed(journal, reported))
    expect(repository.flushes).toEqual([600, 10, 1])
  })

  it('writes nothing and wakes for nothing while nothing is settled', async () => {
    const { repository } = await flushing()
    await sleep(20)
    expect(repository.flushes).toEqual([])
  })

  it('keeps everything while the database is away, says so once, and writes it once when it is back', async () => {
    const { repository, reported, settle, journal, messages } = await flushing()
    repository.down = true
    settle(1500)
    await sleep(30)
    settle(5)
    repository.down = false
    await until(isFlushed(journal, reported))
    expect(written(repository)).toEqual(upTo(1505))
    expect(reported).toEqual(upTo(1505))
    expect(messages).toEqual([
      'flush: the database does not take settled calls, and they wait in the journal: check the database',
      'flush: the database takes settled calls again',
    ])
  })

  it('does not double a group that was written although the response was lost', async () => {
    const { repository, reported, settle, journal } = await flushing()
    repository.faults.push('after', 'before', 'after')
    for (let round = 1; round <= 5; round += 1) {
      settle(7)
      await until(isFlushed(journal, reported))
    }
    expect(written(repository)).toEqual(upTo(35))
    expect(reported).toEqual(upTo(35))
  })

  it('learns of a group that was written when even its position could not be read at once', async () => {
    const { repository, reported, settle, journal } = await flushing()
    settle(3)
    repository.faults.push('after')
    const flushOf = repository.flush
    repository.flush = (batch) =>
      flushOf(batch).finally(() => {
        repository.flush = flushOf
        repository.down = true
      })
    await until(() => repository.down)
    await sleep(5)
    settle(4)
    repository.down = false
    await until(isFlushed(journal, reported))
    expect(written(repository)).toEqual(upTo(7))
    expect(reported).toEqual(upTo(7))
  })

  it('writes all calls but the one that the database refuses, and those after it once it is taken', async () => {
    const { repository, reported, settle, journal, messages } = await flushing()
    repository.refuses = ({ seq }) => seq === 30
    settle(60)
    await until(() => reported.length === 29)
    await until(() =>
      messages.includes(
        'flush: the database refuses this settled call, which stays in the journal and is tried again: see the log of the database for the cause',
      ),
    )
    expect(written(repository)).toEqual(upTo(29))
    repository.refuses = () => false
    await until(isFlushed(journal, reported))
    expect(written(repository)).toEqual(upTo(60))
  })

  it('writes again what a database lost that went back in time, reporting nothing twice', async () => {
    const { repository, reported, settle, journal, messages } = await flushing()
    settle(20)
    await until(isFlushed(journal, reported))
    repository.goBack('n', 12)
    settle(5)
    await until(isFlushed(journal, reported))
    expect(written(repository)).toEqual(upTo(25))
    expect(reported).toEqual(upTo(25))
    expect(messages).toContain(
      'flush: the database is older than the journal, as after a restore, and the calls since then are written again',
    )
  })

  it('waits for a journal that cannot be read, without falling over', async () => {
    const { disk, flusher, repository, reported, settle, journal, messages } = await flushing()
    settle(20)
    await until(isFlushed(journal, reported))
    repository.goBack('n', 12)
    disk.unreadable = true
    settle(5)
    await until(() =>
      messages.includes(
        'journal: it cannot be read, so this node takes no calls: check the disk and the owner of its files',
      ),
    )
    await flusher.flush()
    expect(journal.canAdmit(0)).toBe(false)
    settle(1)
    disk.unreadable = false
    await until(isFlushed(journal, reported))
    expect(written(repository)).toEqual(upTo(26))
    expect(journal.canAdmit(0)).toBe(true)
  })

  it('closes in spite of a journal that cannot be read', async () => {
    const { disk, flusher, repository, settle, messages } = await flushing()
    settle(3)
    await flusher.flush()
    repository.goBack('n', 0)
    settle(1)
    disk.unreadable = true
    await flusher.close()
    expect(messages.at(-1)).toBe(
      'flush: the database did not take these settled calls before the stop; the journal holds them until the next start',
    )
  })

  it('never writes beside work that must be alone', async () => {
    const { flusher, repository, settle } = await flushing()
    let alone = true
    const work = flusher.exclusive(async () => {
      settle(1)
      await sleep(20)
      alone = repository.flushes.length === 0
    })
    await work
    expect(alone).toBe(true)
    await until(() => repository.flushes.length === 1)
  })

  it('writes everything before it closes', async () => {
    const { flusher, repository, settle } = await flushing({ delayMs: 60_000 })
    settle(1200)
    await flusher.close()
    expect(written(repository)).toEqual(upTo(1200))
  })

  it('closes in spite of a database that stays away, leaving its calls in the journal', async () => {
    const { flusher, journal, repository, settle, messages } = await flushing()
    repository.down = true
    settle(3)
    await flusher.close()
    expect(messages.at(-1)).toBe(
      'flush: the database did not take these settled calls before the stop; the journal holds them until the next start',
    )
    expect([...journal.entriesAfter(0)].map(({ seq }) => seq)).toEqual(upTo(3))
  })
})
