import { expect } from 'bun:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { AccountKind } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Journal } from '../journal/journal.ts'
import { createLedger } from '../ledger/ledger.ts'
import type { Ledger, Reservation } from '../ledger-types.ts'
import { chargeOf, silentLogger } from './charges.ts'
import { createMemoryLedgerRepository, type Fault } from './memory-ledger-repository.ts'

/** One thing that happens to a gateway. Numbers pick among what there is. */
export type Step =
  | { readonly do: 'reserve'; readonly user: number; readonly token: number; readonly estimate: number }
  | { readonly do: 'settle'; readonly pick: number; readonly quota: number }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'extend'; readonly pick: number; readonly amount: number }
  | { readonly do: 'fail'; readonly pick: number }
  | { readonly do: 'end-again'; readonly quota: number }
  | { readonly do: 'credit'; readonly kind: 'user' | 'token'; readonly id: number; readonly amount: number }
  | {
      readonly do: 'set-balance'
      readonly kind: 'user' | 'token'
      readonly id: number
      readonly balance: number
    }
  | { readonly do: 'hold'; readonly user: number; readonly token: number; readonly amount: number }
  | { readonly do: 'settle-hold'; readonly pick: number; readonly quota: number }
  | { readonly do: 'release-hold'; readonly pick: number }
  | { readonly do: 'credit-and-go-on'; readonly id: number; readonly amount: number }
  | { readonly do: 'fault'; readonly fault: Fault }
  | { readonly do: 'database'; readonly down: boolean }
  | { readonly do: 'wait'; readonly turns: number }
  | { readonly do: 'crash' }
  /** Killed inside `settle`: of its entry only so many bytes reached the disk. */
  | { readonly do: 'crash-in-settle'; readonly pick: number; readonly bytes: number }
  | { readonly do: 'restart' }

type StepOf<Deed extends Step['do']> = Extract<Step, { do: Deed }>

export interface WorldOptions {
  readonly openJournal: () => Journal
  /** Undoes the last write but for its first bytes; absent where that cannot be done. */
  readonly tearLastWrite?: (bytes: number) => void
}

export const userIds = [1, 2]
export const tokenIds = [1, 2]
const initialBalance = 1000

interface Life {
  readonly ledger: Ledger
  readonly journal: Journal
  alive: boolean
}

/**
 * A ledger beside the simplest model of it: a balance is what it began with, plus the entries of credits in
 * the database, minus the charges of settled calls. After every step memory must say so, at the end the database.
 */
export function createLedgerWorld({ openJournal, tearLastWrite }: WorldOptions) {
  const repository = createMemoryLedgerRepository()
  const settled = new Map<string, { userId: number; tokenId: number; quota: number }>()
  let open: Reservation[] = []
  let ended: Reservation[] = []
  let creditsUnderWay = 0
  /** A credit failed and the database could not be asked whether it was written: memory may lack it for a while. */
  let unsure = false
  let outages = 0
  let calls = 0
  let life: Life

  for (const id of userIds) repository.open('user', id, initialBalance)
  for (const id of tokenIds) repository.open('token', id, initialBalance)

  /** Returns a view whose requests are never answered once its process is dead. */
  function viewOf(owner: { alive: boolean }): LedgerRepository {
    const never = new Promise<never>(() => undefined)
    const ifAlive =
      <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
      (...args: Args) =>
        owner.alive ? call(...args).then((result) => (owner.alive ? result : never)) : never
    return {
      balanceOf: ifAlive(repository.balanceOf),
      balancesOf: ifAlive(repository.balancesOf),
      credit: ifAlive(repository.credit),
      setBalance: ifAlive(repository.setBalance),
      list: ifAlive(repository.list),
      journalPosition: ifAlive(repository.journalPosition),
      journalSpans: ifAlive(repository.journalSpans),
      passAccountIds: ifAlive(repository.passAccountIds),
      flush: ifAlive(repository.flush),
      databaseId: ifAlive(repository.databaseId),
      hold: ifAlive(repository.hold),
      findHold: ifAlive(repository.findHold),
      endHold: ifAlive(repository.endHold),
    }
  }

  async function start(): Promise<void> {
    repository.down = false
    repository.faults.length = 0
    const owner = { alive: true }
    const journal = openJournal()
    const clock = { now: Date.now }
    const timing = { flushDelayMs: 0, flushRetryMs: 1 }
    const ledger = await createLedger({
      repository: viewOf(owner),
      journal,
      clock,
      logger: silentLogger,
      ...timing,
    })
    life = Object.assign(owner, { ledger, journal })
    for (const id of userIds) await ledger.load(id, id)
  }

  async function crash(): Promise<void> {
    life.alive = false
    open = []
    ended = []
    creditsUnderWay = 0
    unsure = false
    await life.journal.close()
    await start()
  }

  function balanceOf(kind: 'user' | 'token', id: number): number {
    const credits = repository.entries.filter((entry) => entry.accountKind === kind && entry.accountId === id)
    const charges = [...settled.values(), ...holdCharges()].filter(
      ({ userId, tokenId }) => (kind === 'user' ? userId : tokenId) === id,
    )
    const credited = credits.reduce((sum, { amount }) => sum + amount, initialBalance)
    return charges.reduce((balance, { quota }) => balance - quota, credited)
  }

  /** Charges that ended holds are in the database at once; each is there once. */
  function holdCharges() {
    const charges = repository.settlements.filter(({ requestId }) => requestId.startsWith('hold'))
    expect(new Set(charges.map(({ requestId }) => requestId)).size).toBe(charges.length)
    return charges
  }

  function openHold(pick: number) {
    return [...repository.holds.values()][pick % Math.max(1, repository.holds.size)]
  }

  function take(pick: number): Reservation | undefined {
    return open.splice(pick % Math.max(1, open.length), 1)[0]
  }

  function settle(reservation: Reservation, quota: number): string {
    calls += 1
    const { userId, tokenId } = reservation
    const requestId = `call-${calls}`
    life.ledger.settle(reservation, chargeOf({ userId, tokenId, quota, requestId }))
    life.ledger.record()
    return requestId
  }

  function reserve(user: number, token: number, estimate: number): void {
    const paying = token === 0 ? null : { id: token, unlimited: false }
    const result = life.ledger.reserve({ userId: user, token: paying, estimate, model: 'm' })
    if (!result.ok) return
    open.push(result.reservation)
    // A debit on its way is in the database a moment before it counts for new calls.
    if (estimate === 0 || unsure || creditsUnderWay > 0) return
    const reserved = open
      .filter(({ userId }) => userId === user)
      .reduce((sum, other) => sum + other.reserved, 0)
    expect(reserved).toBeGreaterThanOrEqual(estimate)
    expect(reserved).toBeLessThanOrEqual(balanceOf('user', user))
  }

  async function moving<T>(credit: Promise<T>): Promise<T | undefined> {
    const owner = life
    const outagesBefore = repository.down ? outages - 1 : outages
    creditsUnderWay += 1
    const balance = await credit.catch(() => undefined)
    if (!owner.alive) return undefined
    creditsUnderWay -= 1
    // The database may be back by now: memory asks it again only some time after it could not.
    unsure ||= balance === undefined && outages > outagesBefore
    return balance
  }

  function end(pick: number, how: (reservation: Reservation) => void): void {
    const reservation = take(pick)
    if (reservation === undefined) return
    how(reservation)
    ended.push(reservation)
  }

  const deeds: { readonly [Deed in Step['do']]: (step: StepOf<Deed>) => Promise<unknown> | unknown } = {
    reserve: ({ user, token, estimate }) => reserve(user, token, estimate),
    settle: ({ pick, quota }) =>
      end(pick, (reservation) => {
        const { userId, tokenId } = reservation
        settled.set(settle(reservation, quota), { userId, tokenId, quota })
      }),
    release: ({ pick }) => end(pick, (reservation) => life.ledger.release(reservation)),
    extend({ pick, amount }) {
      const reservation = open[pick % Math.max(1, open.length)]
      if (reservation === undefined) return
      const { reserved } = reservation
      const affordable = life.ledger.affordable(reservation)
      const extended = life.ledger.extend(reservation, amount)
      expect(reservation.reserved).toBe(extended ? reserved + amount : reserved)
      if (extended && amount > 0) expect(reservation.reserved).toBeLessThanOrEqual(affordable)
    },
    fail({ pick }) {
      end(pick, (reservation) => {
        const { userId, tokenId } = reservation
        const { quota: _, ...failure } = chargeOf({ userId, tokenId, requestId: 'failed' })
        life.ledger.releaseLogged(reservation, failure)
        life.ledger.record()
      })
    },
    'end-again'({ quota }) {
      for (const reservation of ended) {
        settle(reservation, quota)
        life.ledger.release(reservation)
      }
    },
    credit: ({ kind, id, amount }) => moving(life.ledger.credit(creditTo(kind, id, amount))),
    async 'set-balance'({ kind, id, balance: target }) {
      const { amount: _, ...credit } = creditTo(kind, id, 0)
      const balance = await moving(life.ledger.setBalance({ ...credit, balance: target }))
      if (balance !== undefined && !unsure) expect(balanceOf(kind, id)).toBe(target)
    },
    hold({ user, token, amount }) {
      calls += 1
      const paying = token === 0 ? null : { id: token, unlimited: false }
      const id = `hold-${calls}`
      return moving(life.ledger.hold({ id, userId: user, token: paying, amount, model: 'task' }))
    },
    'settle-hold'({ pick, quota }) {
      const hold = openHold(pick)
      if (hold === undefined) return
      const [user, token] = hold.accounts
      const names = { userId: user?.id ?? 0, tokenId: token?.id ?? 0, requestId: hold.id }
      return moving(life.ledger.settleHold(hold.id, chargeOf({ ...names, quota })))
    },
    'release-hold'({ pick }) {
      const hold = openHold(pick)
      if (hold !== undefined) return moving(life.ledger.releaseHold(hold.id))
    },
    'credit-and-go-on'({ id, amount }) {
      void moving(life.ledger.credit(creditTo('user', id, amount)))
    },
    fault: ({ fault }) => repository.faults.push(fault),
    database({ down }) {
      if (down) outages += 1
      repository.down = down
    },
    async wait({ turns }) {
      for (let count = 0; count < turns; count += 1) await turn()
    },
    crash,
    async 'crash-in-settle'({ pick, bytes }) {
      const reservation = take(pick)
      if (reservation !== undefined && tearLastWrite !== undefined) {
        settle(reservation, 7)
        tearLastWrite(bytes)
      }
      await crash()
    },
    async restart() {
      await life.ledger.close()
      await crash()
    },
  }

  function checkMemory(): void {
    for (const id of userIds) expect(life.ledger.balance('user', id)).toBe(balanceOf('user', id))
    for (const id of tokenIds) expect(life.ledger.balance('token', id)).toBe(balanceOf('token', id))
  }

  return {
    start,
    async perform(step: Step): Promise<void> {
      // Each deed takes the step of its own name.
      await (deeds[step.do] as (step: Step) => unknown)(step)
      // A credit that is on its way is in the database first and in memory a moment later.
      if (creditsUnderWay === 0 && !unsure) checkMemory()
    },
    /** Everything ends; then the books in the database must balance, with every settled call in them once. */
    async finish(): Promise<void> {
      repository.down = false
      while (creditsUnderWay > 0) await turn()
      await life.ledger.close()
      await crash()
      checkMemory()
      const charged = repository.settlements.filter(
        ({ kind, requestId }) => kind === 'consumption' && !requestId.startsWith('hold'),
      )
      const written = charged.map(({ requestId }) => requestId)
      expect(written.toSorted()).toEqual([...settled.keys()].toSorted())
      for (const kind of ['user', 'token'] as const) {
        for (const id of userIds) expect(repository.stored(kind, id)).toBe(balanceOf(kind, id))
      }
      await life.ledger.close()
    },
  }
}

function creditTo(kind: AccountKind, id: number, amount: number) {
  return { kind, id, amount, cause: 'admin-change', actorId: 1, note: '' } as const
}
