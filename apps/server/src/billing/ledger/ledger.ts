import type { Clock } from '@tollgate/base'
import { createBatchLoader } from '../../lib/async/batch-loader.ts'
import type { Logger } from '../../lib/logger.ts'
import type { JournalFinding } from '../../store/money/journal-findings.ts'
import type { AccountKind, SettledCall } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import {
  type Account,
  AccountCache,
  type CachedAccountKind,
  type LoadedBalance,
  wholeBalanceOf,
} from '../balances/account-cache.ts'
import { Demands } from '../balances/demands.ts'
import { type AccountShare, isShort, leftOf, OpenReservation } from '../balances/reservation.ts'
import type { Journal } from '../journal/journal.ts'
import { describeFindings, logFindings } from '../journal-findings.ts'
import type {
  AccountCredit,
  Charge,
  Credit,
  Exposure,
  Failure,
  HoldRequest,
  HoldResult,
  Ledger,
  LedgerFigures,
  Reservation,
  ReserveRefusal,
  ReserveRequest,
  ReserveResult,
  SecureResult,
  TransactionWork,
} from '../ledger-types.ts'
import { Acquisitions, isShortOfQuota } from '../shares/acquisitions.ts'
import { aloneInFleet, type Fleet } from '../shares/fleet.ts'
import { Shares, shareLoader } from '../shares/shares.ts'
import { Flusher } from '../write-behind/flusher.ts'
import { replay } from '../write-behind/replay-journal.ts'
import { UnflushedCharges, type UnflushedSum } from '../write-behind/unflushed.ts'
import { BalanceUpdates } from './balance-updates.ts'
import { Credits } from './credits.ts'
import { Holds } from './holds.ts'
import { secure } from './secure.ts'

export interface LedgerOptions {
  readonly repository: LedgerRepository
  /** Opened but not started; the ledger closes it. */
  readonly journal: Journal
  readonly clock: Clock
  readonly logger: Logger
  /** The nodes that share the balances of the database; without it this one is alone. */
  readonly fleet?: Fleet
  /** Most users, and as many tokens, in memory. */
  readonly accountLimit?: number
  /** Takes what was found lost or damaged in the journal; without it that is logged. */
  readonly reportFindings?: (findings: readonly JournalFinding[]) => Promise<void>
  readonly flushDelayMs?: number
  readonly flushRetryMs?: number
  /**
   * Receives the new balances of users: after a flush for the calls in it, many at a time, and at once for every other move.
   * Must not throw.
   */
  readonly onBalancesChanged?: (balances: ReadonlyMap<number, Quota>) => void
}

const defaultAccountLimit = 200_000

/**
 * Brings the database up to date with the journal, then opens the ledger: nothing is served before.
 * @throws JournalForeignError when the journal has charges of another database
 */
export async function createLedger(options: LedgerOptions): Promise<Ledger> {
  const { journal, repository, logger } = options
  await journal.claimFor(await repository.databaseId())
  const { position, findings } = await replay(journal, repository, logger)
  const names = journal.setAside(findings.files)
  const found = describeFindings(journal.node, findings, names, options.clock)
  await (options.reportFindings ?? (async () => logFindings(logger, found)))(found)
  await journal.start(position)
  // Memory is empty: what the last run held is free again.
  await repository.shares?.returnAll(journal.node)
  return new WriteBehindLedger(options, position)
}

class WriteBehindLedger implements Ledger {
  readonly #repository: LedgerRepository
  readonly #journal: Journal
  readonly #logger: Logger
  readonly #flusher: Flusher
  readonly #unflushed: UnflushedCharges
  readonly #caches: Readonly<Record<CachedAccountKind, AccountCache>>
  readonly #demands: Demands
  readonly #updates: BalanceUpdates
  readonly #credits: Credits
  readonly #holds: Holds
  /** Absent where this node has whole balances. */
  readonly #shares: Shares | undefined
  readonly #acquisitions: Acquisitions | undefined
  readonly #onBalancesChanged: LedgerOptions['onBalancesChanged']
  /** Number of open reservations. */
  #open = 0

  constructor(options: LedgerOptions, position: number) {
    const { repository, journal, clock, logger } = options
    this.#repository = repository
    this.#journal = journal
    this.#logger = logger
    this.#unflushed = new UnflushedCharges(position)
    this.#caches = cachesOf(options, this.#unflushed, (account) => this.#shares?.returnIdle(account))
    this.#demands = new Demands(this.#caches)
    this.#onBalancesChanged = options.onBalancesChanged
    const onFlushed = (to: number) => this.#flushedTo(to)
    this.#flusher = new Flusher({ repository, journal, logger, position, onFlushed, ...timingOf(options) })
    this.#updates = new BalanceUpdates({
      caches: this.#caches,
      readAnew: (account) => this.#readAnew(account),
      credited: (account, amount) => this.#credited(account, amount),
      moved: (accounts) =>
        this.#tellMoved(accounts.filter(({ kind }) => kind === 'user').map(({ id }) => id)),
      logger,
    })
    const { shares } = repository
    if (shares !== undefined) {
      this.#shares = new Shares({
        repository: shares,
        node: journal.node,
        fleet: options.fleet ?? aloneInFleet,
        caches: this.#caches,
        unflushed: this.#unflushed,
        whileFlushPaused: (work) => this.#flusher.exclusive(work),
        doubt: (accounts) => this.#updates.doubt(accounts),
        nowMs: () => performance.now(),
        logger,
      })
      this.#acquisitions = new Acquisitions({
        shares: this.#shares,
        demands: this.#demands,
        reserve: (request, mayBeAlone) => this.#reserve(request, mayBeAlone),
        extend: (reservation, amount) => this.extend(reservation, amount),
        logger,
      })
    }
    this.#credits = new Credits({
      repository,
      updates: this.#updates,
      clock,
      ...(shares !== undefined && { shared: { node: journal.node, unflushed: this.#unflushed } }),
    })
    this.#holds = new Holds({
      repository,
      updates: this.#updates,
      clock,
      reserve: (request) => this.#reserveForHold(request),
      release: (result) => result.ok && this.release(result.reservation),
      payer: shares === undefined ? undefined : journal.node,
    })
  }

  get admitting(): boolean {
    return this.#journal.canAdmit(this.#open)
  }

  get figures(): LedgerFigures {
    const { user, token } = this.#caches
    return {
      openReservations: this.#open,
      queue: this.#flusher.queued,
      journalLag: this.#journal.lag,
      isFlushing: !this.#flusher.isFailing,
      flushFault: this.#flusher.fault,
      users: user.size,
      tokens: token.size,
      hasLease: this.#shares?.canSpend ?? true,
    }
  }

  load(userId: number, tokenId: number): Promise<void> | undefined {
    const { user, token } = this.#caches
    const isLoaded = user.find(userId) !== undefined && (tokenId === 0 || token.find(tokenId) !== undefined)
    return isLoaded ? undefined : this.#loadBoth(userId, tokenId)
  }

  reserve(request: ReserveRequest): ReserveResult {
    return this.#reserve(request, this.#shares?.isAlone ?? true)
  }

  reserveOrAcquire(request: ReserveRequest): ReserveResult | Promise<ReserveResult> {
    const result = this.reserve(request)
    return isShortOfQuota(result) ? (this.#acquisitions?.reserve(request) ?? result) : result
  }

  settle(reservation: Reservation, charge: Charge, cost: Quota = charge.quota): void {
    const own = ownReservation(reservation)
    assertCharge(charge.quota)
    if (charge.userId !== own.userId || charge.tokenId !== own.tokenId)
      throw new RangeError('the charge names other accounts than its reservation')
    if (own.state !== 'open') {
      const { requestId } = charge
      this.#logger.error(
        { requestId, state: own.state },
        'ledger: this call had ended before and is not charged again: report it with this entry',
      )
      return
    }
    const seq = this.#append({ ...charge, kind: 'consumption' })
    this.#open -= 1
    own.end('settled')
    for (const { account } of own.accountShares) {
      account.balance -= charge.quota
      account.lastCharge = seq
      // A key may have become limited since the call was admitted.
      if (account.isLimited) this.#shares?.tidy(account)
    }
    this.#demands.learn(own, charge.quota, cost)
  }

  extend(reservation: Reservation, amount: Quota): boolean {
    assertCharge(amount)
    if (this.#shares?.canSpend === false) return false
    const own = ownReservation(reservation)
    if (!own.extend(amount)) return false
    this.#refill(own.accountShares, amount)
    return true
  }

  extendOrAcquire(reservation: Reservation, amount: Quota): boolean | Promise<boolean> {
    if (this.extend(reservation, amount)) return true
    const own = ownReservation(reservation)
    return own.state === 'open' ? (this.#acquisitions?.extend(own, amount) ?? false) : false
  }

  secure(reservation: Reservation, exposure: Exposure): SecureResult | Promise<SecureResult> {
    const extend = (amount: Quota) => this.extendOrAcquire(reservation, amount)
    return secure(ownReservation(reservation), exposure, extend)
  }

  expect(reservation: Reservation, cost: Quota): void {
    ownReservation(reservation).expect(cost)
  }

  affordable(reservation: Reservation): Quota {
    return ownReservation(reservation).affordable
  }

  cover(reservation: Reservation, cost: Quota): Promise<void> | undefined {
    const own = ownReservation(reservation)
    return own.state === 'open' && cost > own.affordable ? this.#acquisitions?.cover(own, cost) : undefined
  }

  record(): void {
    this.#journal.record()
  }

  release(reservation: Reservation): void {
    const own = ownReservation(reservation)
    if (own.state !== 'open') return
    this.#open -= 1
    own.end('released')
    for (const { account } of own.accountShares) if (account.isLimited) this.#shares?.tidy(account)
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

  correct(accounts: readonly AccountCredit[], write: () => Promise<boolean>): Promise<void> {
    return this.#credits.correct(accounts, write)
  }

  setBalance(credit: Omit<Credit, 'amount'> & { readonly balance: Quota }): Promise<Quota> {
    return this.#credits.setBalance(credit)
  }

  balance(kind: AccountKind, id: number): Quota | undefined {
    const account = kind === 'channel' ? undefined : this.#caches[kind].find(id)
    return account === undefined ? undefined : wholeBalanceOf(account)
  }

  currentBalance(kind: CachedAccountKind, id: number, stored: Quota): Quota {
    if (this.#shares?.isAlone === false) return stored - this.#unflushed.of(kind, id).quota
    return this.balance(kind, id) ?? stored
  }

  lookAgain(kind: CachedAccountKind, id: number): Promise<void> | undefined {
    const account = this.#caches[kind].find(id)
    if (this.#shares === undefined || this.#shares.isAlone || account === undefined) return undefined
    return this.#shares.isRefusing(account) ? undefined : this.#refresh(account, this.#shares)
  }

  accountChanged(kind: AccountKind, id: number): void {
    const account = kind === 'channel' ? undefined : this.#caches[kind].find(id)
    if (account !== undefined && this.#shares !== undefined) void this.#refresh(account, this.#shares)
  }

  changesMissed(): void {
    this.#shares?.missed()
  }

  limitChanged(tokenId: number): void {
    const account = this.#shares && this.#caches.token.find(tokenId)
    if (account !== undefined) void this.#readLimited(account)
  }

  unflushed(kind: AccountKind, id: number): UnflushedSum {
    return this.#unflushed.of(kind, id)
  }

  flush(): Promise<void> {
    return this.#flusher.flush()
  }

  leave(): void {
    this.#shares?.leave()
  }

  async close(): Promise<void> {
    this.#updates.close()
    await this.#flusher.close()
    await this.#shares?.close(this.#unflushed.position === this.#journal.lastSeq)
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

  /** @param mayBeAlone whether no other node can have a call of the accounts */
  #reserve(request: ReserveRequest, mayBeAlone: boolean): ReserveResult {
    const { userId, token, estimate, model } = request
    assertCharge(estimate)
    const accountShares = this.#demands.accountsOf(request)
    if (accountShares === undefined || this.#shares?.canSpend === false)
      return refuse('account-unknown', undefined, estimate)
    const [user] = accountShares
    if (!this.#journal.canAdmit(this.#open)) return refuse('journal-full', user?.account, estimate)
    const demands = this.#demands.of(request, accountShares, mayBeAlone)
    for (const { account, demand } of demands)
      if (isShort(account, demand)) return refuse(`${account.kind}-quota`, account, demand.needed)
    // The same of every account: a call may cost no more than the shortest of them has promised.
    let reserved = Number.POSITIVE_INFINITY
    for (const { demand } of demands) reserved = Math.min(reserved, demand.reserved)
    for (const share of accountShares) if (share.limited) share.reserved = reserved
    this.#open += 1
    const reservation = new OpenReservation(model, userId, token?.id ?? 0, accountShares)
    this.#refill(accountShares, demands[0]?.demand.usual ?? 0)
    return { ok: true, reservation }
  }

  #refill(accountShares: readonly AccountShare[], standard: Quota): void {
    if (this.#shares === undefined) return
    for (const { account, limited } of accountShares) if (limited) this.#shares.refill(account, standard)
  }

  async #readAnew(account: Account): Promise<void> {
    if (this.#shares !== undefined) return await this.#shares.readAnew(account)
    const { kind, id } = account
    await this.#flusher.exclusive(async () => {
      const stored = await this.#repository.balanceOf(kind, id)
      if (stored !== undefined) account.balance = stored - this.#unflushed.of(kind, id).quota
    })
  }

  async #refresh(account: Account, shares: Shares): Promise<void> {
    const { kind, id } = account
    try {
      await this.#updates.withAccounts([account], async ([current]) => {
        if (current !== undefined) await shares.refresh(current)
      })
    } catch (error) {
      // What is known of others stays old; a call that is short asks again.
      this.#logger.warn(
        { err: error, kind, id },
        'ledger: this balance cannot be read, and the last known one holds: check the database',
      )
    }
  }

  /** Reads the share of a key anew: when the key became limited, the database has paid what calls had cost beyond shares. */
  async #readLimited(account: Account): Promise<void> {
    account.isLimited = true
    await this.#updates.doubt([account])
    this.#shares?.tidy(account)
  }

  /** Credited quota belongs to this node where it has whole balances; elsewhere it is free for all. */
  async #credited(account: Account, amount: Quota): Promise<void> {
    if (this.#shares === undefined) {
      account.balance += amount
      return
    }
    account.free += amount
    // The account is in its turn: it is read anew in the next one.
    await this.#shares.refresh(account).catch(() => void this.#updates.doubt([account]))
  }

  async #reserveForHold({ userId, token, amount, model }: HoldRequest): Promise<ReserveResult> {
    await this.load(userId, token?.id ?? 0)
    return await this.reserveOrAcquire({ userId, token, estimate: amount, model })
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
  { repository, journal, accountLimit = defaultAccountLimit }: LedgerOptions,
  unflushed: UnflushedCharges,
  returnShare: (account: Account) => void,
): Record<CachedAccountKind, AccountCache> {
  const { shares } = repository
  const cacheOf = (kind: CachedAccountKind) =>
    new AccountCache({
      kind,
      limit: accountLimit,
      flushedTo: () => unflushed.position,
      ...(shares === undefined
        ? { read: wholeBalances(repository, kind) }
        : { read: shareLoader(shares, journal.node, kind), returnShare }),
    })
  return { user: cacheOf('user'), token: cacheOf('token') }
}

/** Reads the balances of which this node has the whole. */
function wholeBalances(repository: Pick<LedgerRepository, 'balancesOf'>, kind: CachedAccountKind) {
  return createBatchLoader(async (ids: readonly number[]) => {
    const balances = await repository.balancesOf(kind, ids)
    return new Map<number, LoadedBalance>(
      Array.from(balances, ([id, balance]) => [id, { balance, free: 0, others: 0 }]),
    )
  })
}

function timingOf({ flushDelayMs, flushRetryMs }: LedgerOptions) {
  return {
    ...(flushDelayMs === undefined ? {} : { delayMs: flushDelayMs }),
    ...(flushRetryMs === undefined ? {} : { retryMs: flushRetryMs }),
  }
}

function refuse(refusal: ReserveRefusal, account: Account | undefined, needed: Quota): ReserveResult {
  return { ok: false, refusal, balance: account === undefined ? 0 : leftOf(account, needed), needed }
}

/** Returns the reservation as `reserve` made it; only such a one can be ended. */
function ownReservation(reservation: Reservation): OpenReservation {
  if (reservation instanceof OpenReservation) return reservation
  throw new TypeError('not a reservation of this ledger')
}

function assertCharge(quota: Quota): void {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new RangeError(`not an amount to charge: ${quota}`)
}
