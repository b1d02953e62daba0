import { type CallOutcome, type CountedOutcome, callOutcomes, otherModels } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { AttemptCount } from '../../store/channels/attempt-counts.ts'
import { countedSteps } from '../../store/channels/read-attempt-counts.ts'
import type { CountedKind } from '../../store/log/quarters/counted-kinds.ts'
import { quarterOf } from '../../store/log/rows/charge-sums.ts'
import { storableKey } from '../../store/schema/text.ts'
import type { Seconds } from '../../store/units.ts'

/** One attempt that ended. */
export interface CountedAttempt {
  readonly channelId: number
  readonly model: string
  readonly outcome: CountedOutcome
  /** Time to the first event. */
  readonly ms: number
}

/** One call that ended, as its caller received it. */
export interface CountedCall {
  readonly model: string
  readonly userId: number
  /** 0 without a key. */
  readonly tokenId: number
  readonly outcome: CallOutcome
  /** Whether any channel was tried. */
  readonly isTried: boolean
}

/** Everybody's calls have one place. */
const everybody = 0

/** Names of models that no channel was tried for, which callers make up. */
const maxMadeUpModels = 200
/** Cells of one table; what is beyond them count among the others. */
const maxCells = 20_000
const others = -1
/** Minutes that are kept while the database is away. */
const maxClosed = 60

/**
 * Counts attempts and calls in memory until they are taken: adding touches a few small cells and nothing that grows with calls.
 * Attempts belong to channels, which count by the minute; calls to users and keys, of whom there are many, by the quarter hour.
 */
export class AttemptCounter {
  readonly #nowSeconds: () => Seconds
  #minute: Seconds = 0
  #hour: Seconds = 0
  #channels = new CountTable()
  #calls = new CountTable()
  #users = new CountTable()
  #tokens = new CountTable()
  #closed: AttemptCount[][] = []
  readonly #madeUpModels = new Set<string>()

  constructor(nowSeconds: () => Seconds) {
    this.#nowSeconds = nowSeconds
  }

  countAttempt({ channelId, model, outcome, ms }: CountedAttempt): void {
    this.#tick()
    this.#channels.add(channelId, model, outcomeIndex[outcome], ms)
  }

  countCall({ model, userId, tokenId, outcome, isTried }: CountedCall): void {
    this.#tick()
    const name = isTried ? model : this.#nameOf(model)
    const index = outcomeIndex[outcome]
    this.#calls.add(everybody, name, index, 0)
    this.#users.add(userId, name, index, 0)
    if (tokenId !== 0) this.#tokens.add(tokenId, '', index, 0)
  }

  /** Returns the counts since the last call, with no two rows of one key in one list. */
  take(): readonly (readonly AttemptCount[])[] {
    this.#close()
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  #tick(): void {
    const now = this.#nowSeconds()
    if (now >= this.#minute + countedSteps.minute || now < this.#minute) this.#advance(now)
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
      ...this.#calls.rows({ step: countedSteps.hour, kind: 'calls', startsAt: quarter }),
      ...this.#users.rows({ step: countedSteps.hour, kind: 'user-calls', startsAt: quarter }),
      ...this.#tokens.rows({ step: countedSteps.hour, kind: 'token-calls', startsAt: quarter }),
    ]
    if (rows.length === 0) return
    this.#closed.push(rows)
    if (this.#closed.length > maxClosed) this.#closed.shift()
    this.#channels = new CountTable()
    this.#calls = new CountTable()
    this.#users = new CountTable()
    this.#tokens = new CountTable()
  }

  /** The names of models that were tried are the operator's; those of refused calls may be anything. */
  #nameOf(model: string): string {
    const name = storableKey(model)
    if (this.#madeUpModels.has(name)) return name
    if (this.#madeUpModels.size >= maxMadeUpModels) return otherModels
    this.#madeUpModels.add(name)
    return name
  }
}

const outcomeIndex = Object.fromEntries(callOutcomes.map((outcome, index) => [outcome, index])) as Record<
  CallOutcome,
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
      return { counts: callOutcomes.map(() => 0), okMs: 0 }
    })
  }
}

function rowsOf({ counts, okMs }: Cell, key: CountKey & Pick<AttemptCount, 'id' | 'model'>): AttemptCount[] {
  return callOutcomes.flatMap((outcome, index) => {
    const count = counts[index] ?? 0
    return count === 0 ? [] : [{ ...key, outcome, count, ms: outcome === 'ok' ? okMs : 0 }]
  })
}
