import { decodeSettlements } from '../store/settlement.ts'
import type { LedgerRepository } from '../store/store.ts'
import type { Quota } from '../store/units.ts'
import type { Settled } from './journal/read-segments.ts'
import type { JournalPart } from './journal/stopped-journal.ts'
import { settledOf } from './write-behind/replay-journal.ts'

/** Settled calls that a database lacks. */
export interface WaitingCalls {
  readonly calls: number
  readonly quota: Quota
  /** Time in seconds when the oldest of them ended; absent without any. */
  readonly since?: number
}

/** Position of a database whose record cannot be read: every call may wait. */
export const nothingSettled: Settled = { position: 0, spans: [] }

/** Counts the calls of a journal that its database lacks. */
export async function waitingIn(
  part: JournalPart,
  ledger: Pick<LedgerRepository, 'journalPosition' | 'journalSpans'>,
): Promise<WaitingCalls> {
  return countWaiting(part, await settledOf(part, ledger))
}

/** Counts the calls of a journal beyond what is settled. */
export function countWaiting(part: JournalPart, settled: Settled): WaitingCalls {
  let calls = 0
  let quota: Quota = 0
  let since = Number.POSITIVE_INFINITY
  for (const { bytes } of part.read(settled).entries()) {
    calls += 1
    for (const settlement of decodeSettlements(bytes)) {
      quota += settlement.quota
      since = Math.min(since, settlement.createdAt)
    }
  }
  return calls === 0 ? { calls, quota } : { calls, quota, since }
}
