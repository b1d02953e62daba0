import type { Clock } from '@tollgate/base'
import { createBatchLoader } from '../lib/batch-loader.ts'
import type { Logger } from '../lib/logger.ts'
import type { AccountKind, Quota } from '../store/entities.ts'
import type { LedgerRepository } from '../store/store.ts'
import { type Account, createAccountBook } from './account-book.ts'
import { createBurstMemory } from './burst-memory.ts'
import { createCredits } from './credits.ts'
import { createDrain } from './drain.ts'
import type { Journal } from './journal/journal.ts'
import type {
  Charge,
  Failure,
  Ledger,
  Reservation,
  ReserveRefusal,
  ReserveRequest,
  ReserveResult,
} from './ledger-types.ts'
import { replay } from './replay.ts'
import { availableOf, demandOn, isShort, OpenReservation } from './reservation.ts'
import { UndrainedCharges } from './undrained.ts'

export interface LedgerOptions {
  readonly repository: LedgerRepository
  /** Opened but not started; the ledger closes it. */
  readonly journal: Journal
  readonly clock: Clock
  readonly logger: Logger
  /** Users, and as many tokens, kept in memory. */
  readonly accountLimit?: number
  readonly drainDelayMs?: number
  readonly drainRetryMs?: number
}

const defaultAccountLimit = 200_000
/** Pairs of user and model whose latest charges are remembered. */
const burstLimit = 20_000

/** Brings the database up to date with the journal, then opens the ledger: nothing is served before. */
export async function createLedger(options: LedgerOptions): Promise<Ledger> {
  const position = await replay(options.journal, options.repository, options.logger)
  await options.journal.start(position)
  return openLedger(options, position)
}

function openLedger(options: LedgerOptions, position: number): Ledger {
  const { repository, journal, clock, logger, accountLimit = defaultAccountLimit } = options
  const undrained = new UndrainedCharges(position)
  const users = createAccountBook(balanceReader('user'), accountLimit, () => undrained.position)
  const tokens = createAccountBook(balanceReader('token'), accountLimit, () => undrained.position)
  const bursts = createBurstMemory(burstLimit)
  const drain = createDrain({
    repository,
    journal,
    logger,
    position,
    onDrained: (to) => undrained.drainedTo(to),
    ...timingOf(options),
  })
  const credits = createCredits({
    repository,
    books: { user: users, token: tokens },
    undrained: (kind, id) => undrained.of(kind, id).quota,
    whileNothingDrains: drain.exclusive,
    clock,
    logger,
  })
  let open = 0

  function balanceReader(kind: AccountKind) {
    return createBatchLoader((ids: readonly number[]) => repository.balancesOf(kind, ids))
  }

  function findAccount(kind: AccountKind, id: number): Account | undefined {
    if (kind === 'user') return users.find(id)
    return kind === 'token' ? tokens.find(id) : undefined
  }

  function load(userId: number, tokenId: number): Promise<void> | undefined {
    const userLoaded = users.find(userId) !== undefined
    const tokenLoaded = tokenId === 0 || tokens.find(tokenId) !== undefined
    return userLoaded && tokenLoaded ? undefined : loadBoth(userId, tokenId)
  }

  async function loadBoth(userId: number, tokenId: number): Promise<void> {
    await Promise.all([users.load(userId), tokenId === 0 ? undefined : tokens.load(tokenId)])
  }

  function reserve(request: ReserveRequest): ReserveResult {
    const { userId, token: paying, estimate } = request
    assertCharge(estimate)
    const user = users.find(userId)
    const token = paying === null ? undefined : tokens.find(paying.id)
    if (user === undefined || (paying !== null && token === undefined))
      return refuse('account-unknown', 0, estimate)
    if (!journal.canAdmit(open)) return refuse('journal-full', availableOf(user), estimate)
    return hold(request, user, token)
  }

  function hold(
    { token: paying, estimate, cautious = 0, model }: ReserveRequest,
    user: Account,
    token?: Account,
  ): ReserveResult {
    // Cheap calls made first must not talk a burst of dear ones out of its caution.
    const remembered = Math.max(bursts.recall(user.id, model), cautious)
    const ofUser = demandOn(user, estimate, remembered)
    if (isShort(user, ofUser)) return refuse('user-quota', availableOf(user), ofUser.needed)
    let tokenHeld = 0
    const tokenIsLimited = paying?.unlimited === false
    if (token !== undefined && tokenIsLimited) {
      const ofToken = demandOn(token, estimate, remembered)
      if (isShort(token, ofToken)) return refuse('token-quota', availableOf(token), ofToken.needed)
      tokenHeld = ofToken.held
    }
    open += 1
    const reservation = new OpenReservation(model, user, ofUser.held, token, tokenIsLimited, tokenHeld)
    return { ok: true, reservation }
  }

  function settle(reservation: Reservation, charge: Charge): void {
    const own = ownReservation(reservation)
    assertCharge(charge.quota)
    if (charge.userId !== own.userId || charge.tokenId !== own.tokenId) {
      throw new RangeError('the charge names other accounts than its reservation')
    }
    if (own.state !== 'open') {
      logger.error(
        { requestId: charge.requestId, state: own.state },
        'ledger: a call was settled after its end',
      )
      return
    }
    const entry = journal.append({ ...charge, kind: 'consumption' })
    open -= 1
    own.end('settled')
    charged(own.user, charge.quota, entry.seq)
    if (own.token !== undefined) charged(own.token, charge.quota, entry.seq)
    if (charge.quota > 0) bursts.learn(own.userId, own.model, charge.quota)
    undrained.add(charge.userId, charge.tokenId, charge.channelId, charge.quota)
    drain.add(entry)
  }

  function release(reservation: Reservation): void {
    const own = ownReservation(reservation)
    if (own.state !== 'open') return
    open -= 1
    own.end('released')
  }

  function releaseLogged(reservation: Reservation, failure: Failure): void {
    const wasOpen = ownReservation(reservation).state === 'open'
    release(reservation)
    // Its room in the journal was kept for it when it was admitted.
    if (wasOpen) appendFailure(failure)
  }

  function logFailure(failure: Failure): void {
    if (journal.canAdmit(open)) appendFailure(failure)
  }

  function appendFailure(failure: Failure): void {
    if (!failure.logged) return
    const entry = journal.append({ ...failure, quota: 0, kind: 'error' })
    undrained.addNothing()
    drain.add(entry)
  }

  return {
    load,
    reserve,
    settle,
    extend(reservation, amount) {
      assertCharge(amount)
      return ownReservation(reservation).extend(amount)
    },
    coverable: (reservation) => ownReservation(reservation).coverable,
    record: journal.record,
    release,
    releaseLogged,
    logFailure,
    credit: credits.credit,
    setBalance: credits.setBalance,
    balance: (kind, id) => findAccount(kind, id)?.balance,
    undrained: (kind, id) => undrained.of(kind, id),
    flush: drain.flush,
    get admitting() {
      return journal.canAdmit(open)
    },
    async close() {
      credits.close()
      await drain.close()
      await journal.close()
    },
  }
}

function timingOf({ drainDelayMs, drainRetryMs }: LedgerOptions) {
  return {
    ...(drainDelayMs === undefined ? {} : { delayMs: drainDelayMs }),
    ...(drainRetryMs === undefined ? {} : { retryMs: drainRetryMs }),
  }
}

function refuse(refusal: ReserveRefusal, balance: Quota, needed: Quota): ReserveResult {
  return { ok: false, refusal, balance, needed }
}

/** Only what `reserve` made can be ended. */
function ownReservation(reservation: Reservation): OpenReservation {
  if (reservation instanceof OpenReservation) return reservation
  throw new TypeError('not a reservation of this ledger')
}

function assertCharge(quota: Quota): void {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new RangeError(`not an amount to charge: ${quota}`)
}

function charged(account: Account, quota: Quota, seq: number): void {
  account.balance -= quota
  account.lastCharge = seq
}
