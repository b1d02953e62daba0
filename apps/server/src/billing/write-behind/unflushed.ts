import { getOrInsert } from '@tollgate/base'
import type { AccountKind } from '../../store/settlement.ts'
import type { Quota } from '../../store/units.ts'

export interface UnflushedSum {
  readonly quota: Quota
  readonly calls: number
}

const nothing: UnflushedSum = { quota: 0, calls: 0 }

interface RunningSum {
  quota: Quota
  calls: number
}

type Sums = Readonly<Record<AccountKind, Map<number, RunningSum>>>

/** Numbers per charge. */
const width = 4

/**
 * Charges that the database lacks, in the order of their sequence numbers. Stored as plain numbers, because thousands wait at
 * a time and every garbage collection would traverse objects.
 */
export class UnflushedCharges {
  /** A ring of `width` numbers per charge. */
  #ring = new Float64Array(1024 * width)
  #first: number
  #length = 0
  /** Sums of all accounts, computed on the first read: pages of accounts read one after the other. */
  #sums: Sums | undefined

  /** @param position the database has everything up to here */
  constructor(position: number) {
    this.#first = position + 1
  }

  /** Returns the position up to which the database has everything. */
  get position(): number {
    return this.#first - 1
  }

  /** The charge with the next number. */
  add(userId: number, tokenId: number, channelId: number, quota: Quota): void {
    if ((this.#length + 1) * width > this.#ring.length) this.#grow()
    const at = this.#positionOf(this.#length)
    this.#ring[at] = userId
    this.#ring[at + 1] = tokenId
    this.#ring[at + 2] = channelId
    this.#ring[at + 3] = quota
    this.#length += 1
    this.#sums = undefined
  }

  /** Adds an entry with the next number that charges no account. */
  addNothing(): void {
    this.add(0, 0, 0, 0)
  }

  /** Users whom the charges up to `position` cost something. */
  payersUpTo(position: number): ReadonlySet<number> {
    const payers = new Set<number>()
    const end = Math.min(position - this.position, this.#length)
    for (let index = 0; index < end; index += 1) {
      const at = this.#positionOf(index)
      if ((this.#ring[at + 3] ?? 0) > 0) payers.add(this.#ring[at] ?? 0)
    }
    return payers
  }

  /** Drops the entries up to `position`, which the database has; nothing changes when that goes back. */
  flushedTo(position: number): void {
    const flushed = Math.min(Math.max(0, position - this.position), this.#length)
    this.#first += flushed
    this.#length -= flushed
    this.#sums = undefined
  }

  /** Sums an account's waiting charges. Scans all of them: for readers, not for the path of a call. */
  of(kind: AccountKind, id: number): UnflushedSum {
    this.#sums ??= this.#sumUp()
    return this.#sums[kind].get(id) ?? nothing
  }

  /** Sums an account's charges behind `position`, which the database may be at without this being known here. */
  after(position: number, kind: 'user' | 'token', id: number): Quota {
    const payer = kind === 'user' ? 0 : 1
    let sum = 0
    for (let index = Math.max(0, position - this.position); index < this.#length; index += 1) {
      const at = this.#positionOf(index)
      if (this.#ring[at + payer] === id) sum += this.#ring[at + 3] ?? 0
    }
    return sum
  }

  #sumUp(): Sums {
    const sums: Sums = { user: new Map(), token: new Map(), channel: new Map() }
    for (let index = 0; index < this.#length; index += 1) {
      const at = this.#positionOf(index)
      const quota = this.#ring[at + 3] ?? 0
      addTo(sums.user, this.#ring[at] ?? 0, quota)
      addTo(sums.token, this.#ring[at + 1] ?? 0, quota)
      addTo(sums.channel, this.#ring[at + 2] ?? 0, quota)
    }
    return sums
  }

  #positionOf(index: number): number {
    return ((this.#first + index) * width) % this.#ring.length
  }

  #grow(): void {
    const former = this.#ring
    this.#ring = new Float64Array(former.length * 2)
    for (let index = 0; index < this.#length; index += 1) {
      const at = ((this.#first + index) * width) % former.length
      this.#ring.set(former.subarray(at, at + width), this.#positionOf(index))
    }
  }
}

const noSum = (): RunningSum => ({ quota: 0, calls: 0 })

function addTo(sums: Map<number, RunningSum>, id: number, quota: Quota): void {
  const sum = getOrInsert(sums, id, noSum)
  sum.quota += quota
  sum.calls += 1
}
