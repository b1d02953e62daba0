import { DuplicateError, JournalPositionError } from '../../store/errors.ts'
import type { Hold, LedgerEntry } from '../../store/money/ledger.ts'
import type { AccountKind, JournalSpan, Settlement } from '../../store/settlement.ts'
import { decodeSettlements, type FlushRequest } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'

/** Fault of the database's next call. */
export type Fault =
  /** Nothing happened. */
  | 'before'
  /** It happened, but the answer never came. */
  | 'after'

/** The ledger's tables in memory, with the atomicity of a real database and the failures of one. */
export interface MemoryLedgerRepository extends LedgerRepository {
  /** Opens an account with a balance that has no entry. */
  open(kind: AccountKind, id: number, balance: Quota): void
  stored(kind: AccountKind, id: number): Quota | undefined
  readonly settlements: readonly Settlement[]
  readonly entries: readonly LedgerEntry[]
  /** Everything fails while set. */
  down: boolean
  /** Faults of the calls to come, one each, for whatever writes. */
  readonly faults: Fault[]
  /** Settlements that the database refuses for good. */
  refuses: (settlement: Settlement) => boolean
  /** Sizes of the groups flushed so far. */
  readonly flushes: readonly number[]
  readonly holds: ReadonlyMap<string, Hold>
  /** Puts a node's position back and forgets what came after, as a fail-over to an older copy does. */
  goBack(node: string, position: number): void
}

export function createMemoryLedgerRepository(): MemoryLedgerRepository {
  const balances = new Map<string, Quota>()
  const positions = new Map<string, number>()
  const flushes: number[] = []
  const holds = new Map<string, Hold>()
  let settlements: Settlement[] = []
  let takenSpans: JournalSpan[] = []
  const entries: LedgerEntry[] = []

  const keyOf = (kind: AccountKind, id: number) => `${kind}:${id}`
  const add = (kind: AccountKind, id: number, amount: Quota) => {
    const key = keyOf(kind, id)
    balances.set(key, (balances.get(key) ?? 0) + amount)
  }

  const apply = (settlement: Settlement, sign: 1 | -1) => {
    const { kind, quota, userId, tokenId, channelId } = settlement
    if (kind === 'error') return
    add('user', userId, -sign * quota)
    if (tokenId !== 0) add('token', tokenId, -sign * quota)
    add('channel', channelId, -sign * quota)
  }

  const enter = (entry: Omit<LedgerEntry, 'id'>) => {
    add(entry.accountKind, entry.accountId, entry.amount)
    entries.push({ ...entry, id: entries.length + 1 })
  }

  const moveHold = (hold: Hold, cause: 'hold' | 'hold-release', amount: Quota, createdAt: number) => {
    for (const { kind, id } of hold.accounts)
      enter({ accountKind: kind, accountId: id, cause, amount, createdAt, actorId: 0, note: hold.id })
  }

  /** One turn of the event loop, then `work` at once and whole, as a transaction does. */
  async function transaction<T>(work: () => T): Promise<T> {
    await Promise.resolve()
    if (repository.down) throw new Error('the database is down')
    const fault = repository.faults.shift()
    if (fault === 'before') throw new Error('the connection was lost')
    const result = work()
    if (fault === 'after') throw new Error('the connection was lost')
    return result
  }

  async function read<T>(work: () => T): Promise<T> {
    await Promise.resolve()
    if (repository.down) throw new Error('the database is down')
    return work()
  }

  function applyFlush({ node, after, last, batches, spans = [] }: FlushRequest): void {
    const batch = batches.flatMap(decodeSettlements)
    flushes.push(batch.length)
    const stored = positions.get(node) ?? 0
    if (stored !== after) throw new JournalPositionError(`position is ${stored}, not ${after}`)
    if (batch.some(repository.refuses)) throw new Error('value out of range')
    if (spans.some((span) => takenSpans.some((one) => overlap(one, span))))
      throw new JournalPositionError('some of the calls are there')
    for (const settlement of batch) apply(settlement, 1)
    settlements.push(...batch)
    takenSpans.push(...spans)
    positions.set(node, last)
  }

  const repository: MemoryLedgerRepository = {
    down: false,
    faults: [],
    refuses: () => false,
    flushes,
    holds,
    entries,
    get settlements() {
      return settlements
    },
    open: (kind, id, balance) => void balances.set(keyOf(kind, id), balance),
    stored: (kind, id) => balances.get(keyOf(kind, id)),
    goBack(node, position) {
      for (const settlement of settlements) if (settlement.seq > position) apply(settlement, -1)
      settlements = settlements.filter(({ seq }) => seq <= position)
      takenSpans = takenSpans
        .filter(({ first }) => first <= position)
        .map((span) => ({ ...span, last: Math.min(span.last, position) }))
      positions.set(node, position)
    },
    balanceOf: (kind, id) => read(() => balances.get(keyOf(kind, id))),
    balancesOf: (kind, ids) =>
      read(
        () =>
          new Map(
            ids.flatMap((id) => {
              const balance = balances.get(keyOf(kind, id))
              return balance === undefined ? [] : [[id, balance] as const]
            }),
          ),
      ),
    credit: async (entry, cause) => {
      // Nothing here has tables that a cause could write.
      await cause?.(undefined as never)
      return await transaction(() => {
        enter(entry)
        return balances.get(keyOf(entry.accountKind, entry.accountId)) ?? 0
      })
    },
    setBalance: async (entry, { node, balanceAt }, cause) => {
      await cause?.(undefined as never)
      return await transaction(() => {
        const key = keyOf(entry.accountKind, entry.accountId)
        const balance = balanceAt(positions.get(node) ?? 0)
        enter({ ...entry, amount: balance - (balances.get(key) ?? 0) })
        return balance
      })
    },
    list: (kind, id, limit) =>
      read(() =>
        entries
          .filter(({ accountKind, accountId }) => accountKind === kind && accountId === id)
          .reverse()
          .slice(0, limit),
      ),
    journalPosition: (node) => read(() => positions.get(node) ?? 0),
    journalSpans: (runs) => read(() => takenSpans.filter(({ run }) => runs.includes(run))),
    passAccountIds: () => read(() => 0),
    flush: (request) => transaction(() => applyFlush(request)),
    databaseId: () => read(() => 'memory'),
    hold: (hold) =>
      transaction(() => {
        if (holds.has(hold.id)) throw new DuplicateError(`there is a hold ${hold.id}`)
        holds.set(hold.id, hold)
        moveHold(hold, 'hold', -hold.amount, hold.createdAt)
      }),
    findHold: (id) => read(() => holds.get(id)),
    endHold: async (id, at, call, inTransaction) => {
      if (holds.has(id)) await inTransaction?.(undefined as never)
      return await transaction(() => {
        const hold = holds.get(id)
        if (hold === undefined) return false
        holds.delete(id)
        moveHold(hold, 'hold-release', hold.amount, at)
        if (call !== undefined) {
          apply({ ...call, seq: 0 }, 1)
          settlements.push({ ...call, seq: 0 })
        }
        return true
      })
    },
  }
  return repository
}

function overlap(a: JournalSpan, b: JournalSpan): boolean {
  return a.run === b.run && a.first <= b.last && b.first <= a.last
}
