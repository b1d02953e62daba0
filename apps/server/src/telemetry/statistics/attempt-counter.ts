import { type CountedOutcome, countedOutcomes, otherModels } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { AttemptCount, CountedKind } from '../../store/channels/attempt-counts.ts'
import { countedSteps } from '../../store/channels/read-attempt-counts.ts'
import { quarterOf } from '../../store/log/rows/charge-sums.ts'
import { storableKey } from '../../store/schema/text.ts'
import type { Seconds } from '../../store/units.ts'

/** One attempt that ended, or a call that was refused before any. */
export interface CountedAttempt {
  /** 0 for a call that was refused before any attempt. */
  readonly channelId: number
  readonly model: string
  readonly userId: number
  /** 0 without a key. */
  readonly tokenId: number
  readonly outcome: CountedOutcome
  /** Time to the first event. */
  readonly ms: number
}

/** Names of models that no channel was tried for, which callers make up. */
const maxMadeUpModels = 200
/** Cells of one table; attempts beyond them count among the others. */
const maxCells = 20_000
const others = -1
/** Minutes that are kept while the database is away. */
const maxClosed = 60

/**
 * Counts attempts in memory until they are taken: adding touches three small cells and nothing that grows with calls. Channels
 * count by the minute; users and keys, of whom there are many, by the quarter hour.
 */
export class AttemptCounter {
  readonly #nowSeconds: () => Seconds
  #minute: Seconds = 0
  #hour: Seconds = 0
  #channels = new CountTable()
  #users = new CountTable()
  #tokens = new CountTable()
  #closed: AttemptCount[][] = []
  readonly #madeUpModels = new Set<string>()

  constructor(nowSeconds: () => Seconds) {
    this.#nowSeconds = nowSeconds
  }

  count({ channelId, model, userId, tokenId, outcome, ms }: CountedAttempt): void {
    const now = this.#nowSeconds()
    if (now >= this.#minute + countedSteps.minute || now < this.#minute) this.#advance(now)
    const name = this.#nameOf(channelId, model)
    const index = outcomeIndex[outcome]
    this.#channels.add(channelId, name, index, ms)
    this.#users.add(userId, name, index, ms)
    if (tokenId !== 0) this.#tokens.add(tokenId, '', index, ms)
  }

  /** Returns the counts since the last call, with no two rows of one key in one list. */
  take(): readonly (readonly AttemptCount[])[] {
    this.#close()
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  #advance(now: Seconds): void {
    this.#close()
    this.#minute = now - (now % countedSteps.minute)
    const hour = now - (now % countedSteps.hour)
    if (hour !== this.#hour) this.#madeUpModels.clear()
    this.#hour = hour
  }

  #close(): void {
    const [minute, quarter] = [this.#minute, quarterOf(this.#minute)]
    const rows = [
      ...this.#channels.rows({ step: countedSteps.minute, kind: 'channel', startsAt: minute }),
      ...this.#channels.rows({ step: countedSteps.hour, kind: 'channel', startsAt: quarter }),
      ...this.#users.rows({ step: countedSteps.hour, kind: 'user', startsAt: quarter }),
      ...this.#tokens.rows({ step: countedSteps.hour, kind: 'token', startsAt: quarter }),
    ]
    if (rows.length === 0) return
    this.#closed.push(rows)
    if (this.#closed.length > maxClosed) this.#closed.shift()
    this.#channels = new CountTable()
    this.#users = new CountTable()
    this.#tokens = new CountTable()
  }

  /** Returns the name of a model: those of attempts are the operator's; those of refused calls may be anything. */
  #nameOf(channelId: number, model: string): string {
    if (channelId !== 0) return model
    const name = storableKey(model)
    if (this.#madeUpModels.has(name)) return name
    if (this.#madeUpModels.size >= maxMadeUpModels) return otherModels
    this.#madeUpModels.add(name)
    return name
  }
}

const outcomeIndex = Object.fromEntries(countedOutcomes.map((outcome, index) => [outcome, index])) as Record<
  CountedOutcome,
  number
>

interface CountKey {
  readonly step: number
  readonly kind: CountedKind
  readonly startsAt: Seconds
}

interface Cell {
  /** Counts by the index of the outcome. */
  readonly counts: number[]
  okMs: number
}

const newCells = () => new Map<string, Cell>()

class CountTable {
  readonly #byId = new Map<number, Map<string, Cell>>()
  #size = 0

  add(id: number, model: string, outcome: number, ms: number): void {
    const cell = this.#byId.get(id)?.get(model) ?? this.#open(id, model)
    cell.counts[outcome] = (cell.counts[outcome] ?? 0) + 1
    if (outcome === outcomeIndex.ok) cell.okMs += ms
  }

  *rows(key: CountKey): Generator<AttemptCount> {
    for (const [id, models] of this.#byId)
      for (const [model, cell] of models) yield* rowsOf(cell, { ...key, id, model })
  }

  #open(id: number, model: string): Cell {
    if (this.#size >= maxCells && id !== others) return this.#find(others, otherModels)
    return this.#find(id, model)
  }

  #find(id: number, model: string): Cell {
    return getOrInsert(getOrInsert(this.#byId, id, newCells), model, () => {
      this.#size += 1
      return { counts: countedOutcomes.map(() => 0), okMs: 0 }
    })
  }
}

function rowsOf({ counts, okMs }: Cell, key: CountKey & Pick<AttemptCount, 'id' | 'model'>): AttemptCount[] {
  return countedOutcomes.flatMap((outcome, index) => {
    const count = counts[index] ?? 0
    return count === 0 ? [] : [{ ...key, outcome, count, ms: outcome === 'ok' ? okMs : 0 }]
  })
}
