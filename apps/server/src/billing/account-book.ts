import { ById } from '../lib/by-id.ts'
import type { Quota } from '../store/entities.ts'

/** A balance in use. Memory is the truth while it is held; the database follows. */
export interface Account {
  readonly id: number
  /** Every settled call counted. */
  balance: Quota
  /** Promised to calls in flight. */
  held: Quota
  /** Reservations that are open, also those that hold nothing. */
  inFlight: number
  /** Number of its newest settled call; 0 for none since it came into memory. */
  lastCharge: number
  /** Work under way that relies on this object. */
  pins: number
  /** Used since the last look for accounts to drop. */
  recent: boolean
}

/** Accounts of one kind that are in use, and a bounded number of those that were. */
export interface AccountBook {
  readonly size: number
  find(id: number): Account | undefined
  /** Brings an account in; one read however many ask at once. `undefined` when the database has none. */
  load(id: number): Promise<Account | undefined>
}

/** Accounts looked at per insertion when the book is full: it may overflow while they are all in use. */
const maxLooks = 32

/**
 * @param read the stored balance
 * @param limit accounts kept; those with calls in flight, undrained calls or pins are never dropped
 * @param drainedTo number of the newest call that the database has, with all before it
 */
export function createAccountBook(
  read: (id: number) => Promise<Quota | undefined>,
  limit: number,
  drainedTo: () => number,
): AccountBook {
  const accounts = new ById<Account>()
  /** In the order in which they were last spared: the first is the next to be looked at. */
  const inTurn = new Set<Account>()
  const loading = new Map<number, Promise<Account | undefined>>()

  async function readIn(id: number): Promise<Account | undefined> {
    const balance = await read(id)
    if (balance === undefined) return undefined
    makeRoom()
    const account = newAccount(id, balance)
    accounts.set(id, account)
    inTurn.add(account)
    return account
  }

  /** Second chance: an account used since the last look goes to the end instead. */
  function makeRoom(): void {
    let looks = 0
    for (const account of inTurn) {
      if (inTurn.size < limit || looks === maxLooks) return
      looks += 1
      inTurn.delete(account)
      if (account.recent || isInUse(account, drainedTo())) inTurn.add(account)
      else accounts.delete(account.id)
      account.recent = false
    }
  }

  return {
    get size() {
      return inTurn.size
    },
    find(id) {
      const account = accounts.get(id)
      if (account !== undefined) account.recent = true
      return account
    },
    load(id) {
      const known = accounts.get(id)
      if (known !== undefined) return Promise.resolve(known)
      const pending = loading.get(id)
      if (pending !== undefined) return pending
      const work = readIn(id).finally(() => loading.delete(id))
      loading.set(id, work)
      return work
    },
  }
}

function newAccount(id: number, balance: Quota): Account {
  return { id, balance, held: 0, inFlight: 0, lastCharge: 0, pins: 0, recent: true }
}

function isInUse({ inFlight, lastCharge, pins }: Account, drainedTo: number): boolean {
  return inFlight > 0 || lastCharge > drainedTo || pins > 0
}
