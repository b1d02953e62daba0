import pino from 'pino'
import type { SettledCall, Settlement } from '../../store/settlement.ts'
import { decodeSettlements } from '../../store/settlement.ts'
import type { EncodedEntry, Journal, JournalEntry } from '../journal/journal.ts'

/** A charge with everything filled in; tests say what matters to them. */
export function chargeOf(change: Partial<SettledCall> = {}): SettledCall {
  return {
    kind: 'consumption',
    createdAt: 1_700_000_000,
    userId: 1,
    username: 'alice',
    tokenId: 1,
    tokenName: 'default',
    model: 'gpt-4o-mini',
    channelId: 1,
    group: 'default',
    quota: 100,
    promptTokens: 10,
    completionTokens: 20,
    useTimeSeconds: 1,
    isStream: true,
    content: '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00',
    requestId: '20250101000000abcdefgh',
    other: JSON.stringify({ model_ratio: 1.25, admin_info: { use_channel: ['1'] } }),
    logged: true,
    ...change,
  }
}

export const silentLogger = pino({ level: 'silent' })

/** A logger that keeps its messages, for guarantees about what an operator reads. */
export function recordingLogger() {
  const messages: string[] = []
  const logger = pino({ base: null }, { write: (line) => void messages.push(JSON.parse(line).msg) })
  return { logger, messages }
}

/** A clock that stands until it is moved. */
export function manualClock(start = 1_700_000_000_000) {
  let now = start
  return {
    now: () => now,
    advance(ms: number) {
      now += ms
    },
  }
}

/** Appends a charge and records it at once. */
export function recordIn(journal: Pick<Journal, 'append' | 'record'>, charge: SettledCall): EncodedEntry {
  const entry = journal.append(charge)
  journal.record()
  return entry
}

/** Decodes the settlements of entries. */
export function settledIn(entries: Iterable<JournalEntry>): Settlement[] {
  return Array.from(entries, ({ bytes }) => bytes).flatMap(decodeSettlements)
}
