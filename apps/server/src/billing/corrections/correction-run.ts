import type { CorrectionSelection } from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import { eventRow } from '../../records/logs/event-log.ts'
import type { NewLogRow } from '../../store/log/index/log-row.ts'
import type { CorrectedCharge, Correction, CorrectionSum } from '../../store/money/corrections.ts'
import type { Store } from '../../store/store.ts'
import type { Quota, Seconds } from '../../store/units.ts'
import type { AccountCredit, Ledger } from '../ledger-types.ts'
import type { CorrectionTotals } from './totals.ts'

export interface RunDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly auditLog: AuditLog
  readonly ledger: Pick<Ledger, 'correct'>
  readonly logger: Pick<Logger, 'warn'>
}

/** A correction that was worked out. */
export interface Prepared {
  readonly selection: CorrectionSelection
  readonly reason: string
  readonly totals: CorrectionTotals
  readonly charges: readonly CorrectedCharge[]
}

const rowsPerWrite = 2000
/** A transaction moves the money of so many users at a time. */
const usersPerStep = 50

/** Writes corrections: first what they change, then the money, user by user. */
export class CorrectionRun {
  readonly #deps: RunDependencies

  constructor(deps: RunDependencies) {
    this.#deps = deps
  }

  /** Writes down what changes. Until all of it is there, a crash leaves nothing behind but rows that are discarded. */
  async prepare(actor: Actor, { selection, reason, totals, charges }: Prepared): Promise<Correction> {
    const { store, auditLog } = this.#deps
    const { corrections } = store
    const figures = { calls: charges.length, users: totals.changedUsers, amount: totals.amount }
    const id = await corrections.create({
      ...figures,
      ...notTakenBack,
      createdAt: this.#now(),
      actorId: actor.userId,
      actorName: actor.username,
      reason,
      selection,
      state: 'preparing',
      endedAt: 0,
    })
    for (const part of partsOf(charges)) await corrections.addCharges(id, part)
    for (const part of partsOf(totals.sums)) await corrections.addSums(id, part)
    await store.transaction(async (tx) => {
      await tx.corrections.change(id, 'preparing', { state: 'applying' })
      const target = { kind: 'correction', id, name: reason } as const
      await auditLog.record(
        actor,
        { action: 'correction.apply', target, after: { ...selection, reason, ...figures } },
        tx,
      )
    })
    return await this.#get(id)
  }

  /** @throws Refusal for a correction that does not hold */
  async beginTakingBack(actor: Actor, id: number, reason: string): Promise<Correction> {
    const { store, auditLog } = this.#deps
    const { calls, users, amount, reason: name } = await this.#get(id)
    await store.transaction(async (tx) => {
      const change = {
        state: 'taking-back',
        takenBackAt: this.#now(),
        takenBackId: actor.userId,
        takenBackBy: actor.username,
        takenBackReason: reason,
      } as const
      if (!(await tx.corrections.change(id, 'applied', change))) throw new Refusal('correction_not_applied')
      const target = { kind: 'correction', id, name } as const
      const after = { reason, calls, users, amount: -amount }
      await auditLog.record(actor, { action: 'correction.take-back', target, after }, tx)
    })
    return await this.#get(id)
  }

  /**
   * Moves the money that is still to be moved. It may be called again after any failure: each step is made once.
   * @param moved receives the number of users of each step
   */
  async finish(correction: Correction, moved: (users: number) => void): Promise<Correction> {
    const { corrections } = this.#deps.store
    const { id, state } = correction
    const isTakingBack = state === 'taking-back'
    for (;;) {
      const userIds = await corrections.listOpenUsers(id, isTakingBack, usersPerStep)
      if (userIds.length === 0) break
      await this.#step(correction, userIds, isTakingBack)
      moved(userIds.length)
    }
    const ended = isTakingBack ? 'taken-back' : 'applied'
    await corrections.change(id, state, { state: ended, endedAt: this.#now() })
    return await this.#get(id)
  }

  async #step(correction: Correction, userIds: readonly number[], isTakingBack: boolean): Promise<void> {
    const { store, ledger } = this.#deps
    const { id, actorId } = correction
    const sums = await store.corrections.listOpenSums({ id, userIds, isTakingBack })
    const step = { id, userIds, isTakingBack, at: this.#now(), actorId }
    await ledger.correct(creditsOf(sums, isTakingBack ? -1 : 1), async () => {
      return await store.corrections.settle(step, async (tx, settled) => {
        const names = await tx.users.listByIds(userIds)
        const nameOf = (userId: number) => names.get(userId)?.username ?? ''
        await tx.usage.append(this.#logRows(correction, settled, isTakingBack, nameOf))
      })
    })
  }

  /** A line for each user, with the reason. */
  #logRows(
    { id, reason, takenBackReason }: Correction,
    sums: readonly CorrectionSum[],
    isTakingBack: boolean,
    nameOf: (userId: number) => string,
  ): readonly NewLogRow[] {
    return [...byUser(sums)].map(([userId, { calls, amount }]) => {
      const credit = isTakingBack ? amount : -amount
      const params = { id, quota: Math.abs(credit), reason: isTakingBack ? takenBackReason : reason }
      const event = correctionEvent(params, { calls, isCredit: credit >= 0, isTakingBack })
      return eventRow(this.#now(), 'system', { userId, username: nameOf(userId) }, event, credit)
    })
  }

  async #get(id: number): Promise<Correction> {
    const found = await this.#deps.store.corrections.find(id)
    if (found === undefined) throw new Refusal('record_not_found')
    return found
  }

  #now(): Seconds {
    return unixSeconds(this.#deps.clock)
  }
}

const notTakenBack = { takenBackAt: 0, takenBackId: 0, takenBackBy: '', takenBackReason: '' }

function* partsOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowsPerWrite)
    yield rows.slice(start, start + rowsPerWrite)
}

/** Returns the credits of users and keys. */
function creditsOf(sums: readonly CorrectionSum[], sign: 1 | -1): readonly AccountCredit[] {
  const credits = new Map<string, { kind: 'user' | 'token'; id: number; amount: Quota }>()
  const add = (kind: 'user' | 'token', id: number, amount: Quota) => {
    const credit = credits.get(`${kind} ${id}`) ?? { kind, id, amount: 0 }
    credit.amount -= sign * amount
    credits.set(`${kind} ${id}`, credit)
  }
  for (const { userId, tokenId, amount } of sums) {
    add('user', userId, amount)
    if (tokenId !== 0) add('token', tokenId, amount)
  }
  return [...credits.values()]
}

function byUser(sums: readonly CorrectionSum[]): ReadonlyMap<number, { calls: number; amount: Quota }> {
  const users = new Map<number, { calls: number; amount: Quota }>()
  for (const { userId, calls, amount } of sums) {
    const user = users.get(userId) ?? { calls: 0, amount: 0 }
    users.set(userId, { calls: user.calls + calls, amount: user.amount + amount })
  }
  return users
}

function correctionEvent(
  params: { readonly id: number; readonly quota: Quota; readonly reason: string },
  of: { readonly calls: number; readonly isCredit: boolean; readonly isTakingBack: boolean },
): LogEvent {
  const { calls, isCredit, isTakingBack } = of
  if (isTakingBack)
    return { event: isCredit ? 'correction_undone_credited' : 'correction_undone_charged', params }
  return { event: isCredit ? 'correction_credited' : 'correction_charged', params: { ...params, calls } }
}
