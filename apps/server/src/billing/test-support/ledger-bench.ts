import { setTimeout as sleep } from 'node:timers/promises'
import { Journal, type JournalOptions } from '../journal/journal.ts'
import { createLedger, type LedgerOptions } from '../ledger/ledger.ts'
import type { Ledger, Reservation, ReserveRequest, ReserveResult } from '../ledger-types.ts'
import { chargeOf, manualClock, recordingLogger } from './charges.ts'
import { createMemoryDisk } from './memory-disk.ts'
import { createMemoryLedgerRepository } from './memory-ledger-repository.ts'

export interface LedgerBenchOptions extends Partial<Omit<LedgerOptions, 'repository'>> {
  readonly journalOptions?: Partial<JournalOptions>
}

/** A ledger over a database and a disk in memory that outlive it, and the words its tests use. */
export async function ledgerBench(options: LedgerBenchOptions = {}) {
  const repository = createMemoryLedgerRepository()
  const disk = createMemoryDisk()
  const clock = manualClock()
  const { logger, messages } = recordingLogger()

  const openJournal = (): Journal =>
    new Journal({
      node: 'n',
      files: disk,
      clock,
      logger,
      segmentBytes: 256 * 1024,
      ...options.journalOptions,
    })

  const openLedger = (): Promise<Ledger> =>
    createLedger({
      repository,
      journal: openJournal(),
      clock,
      logger,
      flushDelayMs: 1,
      flushRetryMs: 1,
      ...options,
    })

  return { repository, disk, clock, messages, ledger: await openLedger(), openLedger, openJournal }
}

/** A request of user 1 with token 1. */
export function requestOf(change: Partial<ReserveRequest> = {}): ReserveRequest {
  return { userId: 1, token: { id: 1, unlimited: true }, estimate: 100, model: 'm', ...change }
}

export function admitted(result: ReserveResult): Reservation {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.reservation
}

/** Settles for `quota` in the names of the reservation, and records it. */
export function settleFor(ledger: Ledger, reservation: Reservation, quota: number): void {
  const { userId, tokenId } = reservation
  ledger.settle(reservation, chargeOf({ userId, tokenId, quota }))
  ledger.record()
}

export async function flushed(ledger: Ledger, userId = 1): Promise<void> {
  while (ledger.unflushed('user', userId).calls > 0) await sleep(1)
}
