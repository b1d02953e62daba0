import { unixSeconds } from '@tollgate/base'
import type { GiftFacts } from '../../accounts/users/manage/near-accounts.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import { createEventLog } from '../../records/logs/event-log.ts'
import type { Services } from '../../services.ts'
import type { LogRow } from '../../store/log/index/log-row.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { admitByRank } from '../top-up/complete-order.ts'

/** The call that a credit is for. */
export interface CreditedCall {
  readonly logId: number
  /** Time of its row. */
  readonly at: number
}

interface Dependencies extends Pick<Services, 'auditLog' | 'clock'> {
  readonly store: Pick<Store, 'usage' | 'corrections' | 'goodwill'>
  readonly ledger: Pick<Ledger, 'credit'>
}

/** Credits for single calls, of good will: once for each call, tied to its row, and taken back as a whole. */
export function createGoodwill({ store, ledger, auditLog, clock }: Dependencies) {
  /** Credits a call; the whole of its charge without an amount. Returns what was credited. */
  async function give(actor: Actor, call: CreditedCall, wanted?: Quota): Promise<Quota> {
    const row = await store.usage.find(call.logId, { at: call.at })
    if (row === undefined || row.type !== 'consumption') throw new Refusal('record_not_found')
    const charged = row.quota + ((await store.corrections.listChanges([row.id])).get(row.id) ?? 0)
    const amount = wanted ?? charged
    if (amount < 1 || amount > charged) throw new Refusal('goodwill_amount', { max: charged })
    const at = unixSeconds(clock)
    await move(actor, row, amount, async (tx) => {
      const credit = { logId: row.id, userId: row.userId, amount, createdAt: at, actorId: actor.userId }
      if (!(await tx.goodwill.give(credit))) throw new Refusal('goodwill_given')
    })
    return amount
  }

  /** Takes the credit of a call back; the balance may fall below zero. */
  async function takeBack(actor: Actor, logId: number): Promise<void> {
    const credit = await store.goodwill.find(logId)
    if (credit === undefined || credit.takenBackAt !== 0) throw new Refusal('goodwill_not_given')
    const row = { id: logId, userId: credit.userId, requestId: '' }
    await move(actor, row, -credit.amount, async (tx) => {
      if (!(await tx.goodwill.takeBack(credit, unixSeconds(clock)))) throw new Refusal('goodwill_not_given')
    })
  }

  /** Balance, mark, log row and audit entry change together or not at all. */
  async function move(
    actor: Actor,
    { id, userId, requestId }: Pick<LogRow, 'id' | 'userId' | 'requestId'>,
    amount: Quota,
    mark: (tx: Store) => Promise<void>,
  ): Promise<void> {
    await ledger.credit({
      kind: 'user',
      id: userId,
      cause: 'goodwill',
      amount,
      actorId: actor.userId,
      note: String(id),
      async inTransaction(tx) {
        const facts = await admitByRank(tx, actor, { userId })
        await mark(tx)
        const username = (await tx.users.find(userId))?.username ?? ''
        const event = amount > 0 ? 'goodwill_given' : 'goodwill_taken_back'
        const params = { quota: Math.abs(amount), call: id }
        const eventLog = createEventLog({ usage: tx.usage, clock })
        await eventLog.appendSystemLog({ userId, username }, { event, params })
        await auditLog.record(actor, auditOf({ id, userId, requestId }, amount, facts), tx)
      },
    })
  }

  return { give, takeBack }
}

export type Goodwill = ReturnType<typeof createGoodwill>

function auditOf(
  { id, userId, requestId }: Pick<LogRow, 'id' | 'userId' | 'requestId'>,
  amount: Quota,
  facts: GiftFacts,
) {
  const [before, after] = amount > 0 ? [0, amount] : [-amount, 0]
  return {
    action: amount > 0 ? 'log.goodwill' : 'log.take-goodwill-back',
    target: { kind: 'log', id, name: requestId || String(id) },
    before: { credited: before },
    after: { credited: after, user_id: userId, ...facts },
  } as const
}
