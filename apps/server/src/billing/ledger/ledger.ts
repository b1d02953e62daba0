import type { Clock } from '@tollgate/base'
import { createBatchLoader } from '../../lib/async/batch-loader.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AccountKind, SettledCall } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import type { Journal } from '../journal/journal.ts'
import type {
  Charge,
  Credit,
  Failure,
  HoldRequest,
  HoldResult,
  Ledger,
  Reservation,
  ReserveRefusal,
  ReserveRequest,
  ReserveResult,
  TransactionWork,
} from '../ledger-types.ts'
import { Flusher } from '../write-behind/flusher.ts'
import { replay } from '../write-behind/replay.ts'
import { UnflushedCharges, type UnflushedSum } from '../write-behind/unflushed.ts'
import { AccountCache, type CachedAccountKind } from './account-cache.ts'
import { BalanceUpdates } from './balance-updates.ts'
import { Credits } from './credits.ts'
import { Holds } from './holds.ts'
import { RecentCharges } from './recent-charges.ts'
import { type AccountShare, availableOf, demandOn, isShort, OpenReservation } from './reservation.ts'

export interface LedgerOptions {
  readonly repository: LedgerRepository
  /** Opened but not started; the ledger closes it. */
  readonly journal: Journal
  readonly clock: Clock
  readonly logger: Logger
  /** Most users, and as many tokens, in memory. */
  readonly accountLimit?: number
  readonly flushDelayMs?: number
  readonly flushRetryMs?: number
  /**
   * Receives the new balances of users: after a flush for the calls in it, many at a time, and at once for every other move.
   * Must not throw.
   */
  readonly onBalancesChanged?: (balances: ReadonlyMap<number, Quota>) => void
}

const defaultAccountLimit = 200_000
/** Pairs of user and model whose latest charges are remembered. */
const recentChargesLimit = 20_000

/**
 * Brings the database up to date with the journal, then opens the ledger: nothing is served before.
 * @throws JournalForeignError when the journal has charges of another database
 */
export async function createLedger(options: LedgerOptions): Promise<Ledger> {
  const { journal, repository, logger } = options
  await journal.claimFor(await repository.databaseId())
  const position = await replay(journal, repository, logger)
  await journal.start(position)
  return new WriteBehindLedger(options, position)
}

class WriteBehindLedger implements Ledger {
  readonly #journal: Journal
  readonly #logger: Logger
  readonly #flusher: Flusher
  readonly #unflushed: UnflushedCharges
  readonly #caches: Readonly<Record<CachedAccountKind, AccountCache>>
  readonly #recentCharges = new RecentCharges(recentChargesLimit)
  /** Costs of calls that their accounts could not pay in full. */
  readonly #shortCharges = new RecentCharges(recentChargesLimit)
  readonly #updates: BalanceUpdates
  readonly #credits: Credits
  readonly #holds: Holds
  readonly #onBalancesChanged: LedgerOptions['onBalancesChanged']
  /** Number of open reservations. */
  #open = 0

  constructor(options: LedgerOptions, position: number) {
    const { repository, journal, clock, logger } = options
    this.#journal = journal
    this.#logger = logger
    this.#unflushed = new UnflushedCharges(position)
    this.#caches = cachesOf(options, this.#unflushed)
    this.#onBalancesChanged = options.onBalancesChanged
    const onFlushed = (to: number) => this.#flushedTo(to)
    this.#flusher = new Flusher({ repository, journal, logger, position, onFlushed, ...timingOf(options) })
    this.#updates = new BalanceUpdates({
      repository,
      caches: this.#caches,
      unflushed: (kind, id) => this.#unflushed.of(kind, id).quota,
      whileFlushPaused: (work) => this.#flusher.exclusive(work),
      moved: (accounts) =>
        this.#tellMoved(accounts.filter(({ kind }) => kind === 'user').map(({ id }) => id)),
      logger,
    })
    this.#credits = new Credits({ repository, updates: this.#updates, clock })
    this.#holds = new Holds({
      repository,
      updates: this.#updates,
      clock,
      reserve: (request) => this.#reserveForHold(request),
      release: (result) => result.ok && this.release(result.reservation),
    })
  }

  get admitting(): boolean {
    return this.#journal.canAdmit(this.#open)
  }

  load(userId: number, tokenId: number): Promise<void> | undefined {
    const { user, token } = this.#caches
    const isLoaded = user.find(userId) !== undefined && (tokenId === 0 || token.find(tokenId) !== undefined)
    return isLoaded ? undefined : this.#loadBoth(userId, tokenId)
  }

  reserve(request: ReserveRequest): ReserveResult {
    const { userId, token: paying, estimate } = request
    assertCharge(estimate)
    const user = this.#caches.user.find(userId)
    const token = paying === null ? undefined : this.#caches.token.find(paying.id)
    if (user === undefined || (paying !== null && token === undefined))
      return refuse('account-unknown', 0, estimate)
    if (!this.#journal.canAdmit(this.#open)) return refuse('journal-full', availableOf(user), estimate)
    const accountShares: AccountShare[] = [{ account: user, limited: true, reserved: 0 }]
    if (token !== undefined)
      accountShares.push({ account: token, limited: paying?.unlimited === false, reserved: 0 })
    return this.#hold(request, accountShares)
  }

  settle(reservation: Reservation, charge: Charge, cost: Quota = charge.quota): void {
    const own = ownReservation(reservation)
    assertCharge(charge.quota)
    if (charge.userId !== own.userId || charge.tokenId !== own.tokenId)
      throw new RangeError('the charge names other accounts than its reservation')
    if (own.state !== 'open') {
      const { requestId } = charge
      this.#logger.error({ requestId, state: own.state }, 'ledger: a call was settled after its end')
      return
    }
    const seq = this.#append({ ...charge, kind: 'consumption' })
    this.#open -= 1
    own.end('settled')
    for (const { account } of own.accountShares) {
      account.balance -= charge.quota
      account.lastCharge = seq
    }
    if (cost > 0) this.#recentCharges.learn(own.userId, own.model, cost)
    if (cost > charge.quota) this.#shortCharges.learn(own.userId, own.model, cost)
  }

  extend(reservation: Reservation, amount: Quota): boolean {
    assertCharge(amount)
    return ownReservation(reservation).extend(amount)
  }

  affordable(reservation: Reservation): Quota {
    return ownReservation(reservation).affordable
  }

  record(): void {
    this.#journal.record()
  }

  release(reservation: Reservation): void {
    const own = ownReservation(reservation)
    if (own.state !== 'open') return
    this.#open -= 1
    own.end('released')
  }

  releaseLogged(reservation: Reservation, failure: Failure): void {
    const wasOpen = ownReservation(reservation).state === 'open'
    this.release(reservation)
    // Admission reserved its room in the journal.
    if (wasOpen) this.#appendFailure(failure)
  }

  logFailure(failure: Failure): void {
    if (this.admitting) this.#appendFailure(failure)
  }

  hold(request: HoldRequest): Promise<HoldResult> {
    return this.#holds.hold(request)
  }

  settleHold(id: string, charge: Charge, inTransaction?: TransactionWork): Promise<boolean> {
    assertCharge(charge.quota)
    return this.#holds.settle(id, charge, inTransaction)
  }

  releaseHold(id: string, failure?: Failure, inTransaction?: TransactionWork): Promise<boolean> {
    return this.#holds.release(id, failure, inTransaction)
  }

  credit(credit: Credit): Promise<Quota> {
    return this.#credits.credit(credit)
  }

  setBalance(credit: Omit<Credit, 'amount'> & { readonly balance: Quota }): Promise<Quota> {
    return this.#credits.setBalance(credit)
  }

  balance(kind: AccountKind, id: number): Quota | undefined {
    return kind === 'channel' ? undefined : this.#caches[kind].find(id)?.balance
  }

  unflushed(kind: AccountKind, id: number): UnflushedSum {
    return this.#unflushed.of(kind, id)
  }

  flush(): Promise<void> {
    return this.#flusher.flush()
  }

  async close(): Promise<void> {
    this.#updates.close()
    await this.#flusher.close()
    await this.#journal.close()
  }

  async #loadBoth(userId: number, tokenId: number): Promise<void> {
    const { user, token } = this.#caches
    await Promise.all([user.load(userId), tokenId === 0 ? undefined : token.load(tokenId)])
  }

  #flushedTo(position: number): void {
    const payers = this.#onBalancesChanged === undefined ? [] : this.#unflushed.payersUpTo(position)
    this.#tellMoved(payers)
    this.#unflushed.flushedTo(position)
  }

  /** Reports new balances. Skips users that are no longer in memory, because a balance that moves is in memory. */
  #tellMoved(userIds: Iterable<number>): void {
    if (this.#onBalancesChanged === undefined) return
    const balances = new Map<number, Quota>()
    for (const id of userIds) {
      const balance = this.balance('user', id)
      if (balance !== undefined) balances.set(id, balance)
    }
    if (balances.size > 0) this.#onBalancesChanged(balances)
  }

  /** Reserves on each account, or refuses. */
  #hold(
    { userId, token, estimate, unboundedEstimate = 0, model }: ReserveRequest,
    accountShares: AccountShare[],
  ): ReserveResult {
    // Recent cheap calls must not lower what each of a burst of expensive ones has to cover.
    const remembered = Math.max(this.#recentCharges.recall(userId, model), unboundedEstimate)
    // No caller gets such a response below its cost a second time, for example with another key that is nearly empty.
    const known = unboundedEstimate > 0 ? this.#shortCharges.recall(userId, model) : 0
    const paying = accountShares.filter(({ limited }) => limited)
    let reserved = Number.POSITIVE_INFINITY
    for (const { account } of paying) {
      const demand = demandOn(account, Math.max(estimate, known), remembered)
      if (isShort(account, demand))
        return refuse(`${account.kind}-quota`, availableOf(account), demand.needed)
      reserved = Math.min(reserved, demand.reserved)
    }
    // The same of every account: a call may cost no more than the shortest of them has promised.
    for (const share of paying) share.reserved = reserved
    this.#open += 1
    return { ok: true, reservation: new OpenReservation(model, userId, token?.id ?? 0, accountShares) }
  }

  async #reserveForHold({ userId, token, amount, model }: HoldRequest): Promise<ReserveResult> {
    await this.load(userId, token?.id ?? 0)
    return this.reserve({ userId, token, estimate: amount, model })
  }

  #appendFailure(failure: Failure): void {
    if (failure.logged) this.#append({ ...failure, quota: 0, kind: 'error' })
  }

  /** Returns the number of the entry. */
  #append(call: SettledCall): number {
    const entry = this.#journal.append(call)
    if (call.kind === 'error') this.#unflushed.addNothing()
    else this.#unflushed.add(call.userId, call.tokenId, call.channelId, call.quota)
    this.#flusher.add(entry)
    return entry.seq
  }
}

function cachesOf(
  { repository, accountLimit = defaultAccountLimit }: LedgerOptions,
  unflushed: UnflushedCharges,
): Record<CachedAccountKind, AccountCache> {
  const cacheOf = (kind: CachedAccountKind) =>
    new AccountCache({
      kind,
      read: createBatchLoader((ids: readonly number[]) => repository.balancesOf(kind, ids)),
      limit: accountLimit,
      flushedTo: () => unflushed.position,
    })
  return { user: cacheOf('user'), token: cacheOf('token') }
}

function timingOf({ flushDelayMs, flushRetryMs }: LedgerOptions) {
  return {
    ...(flushDelayMs === undefined ? {} : { delayMs: flushDelayMs }),
    ...(flushRetryMs === undefined ? {} : { retryMs: flushRetryMs }),
  }
}

function refuse(refusal: ReserveRefusal, balance: Quota, needed: Quota): ReserveResult {
  return { ok: false, refusal, balance, needed }
}

/** Returns the reservation as `reserve` made it; only such a one can be ended. */
function ownReservation(reservation: Reservation): OpenReservation {
  if (reservation instanceof OpenReservation) return reservation
  throw new TypeError('not a reservation of this ledger')
}

function assertCharge(quota: Quota): void {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new RangeError(`not an amount to charge: ${quota}`)
}
