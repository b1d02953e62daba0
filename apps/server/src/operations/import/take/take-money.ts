import type { TopUpOrder } from '../../../store/money/top-up-orders.ts'
import type { Store } from '../../../store/store.ts'
import { sealedCode } from '../../../wallet/redemptions/manage-codes.ts'
import type { ImportContext } from '../import-context.ts'
import type { SourceCode, SourceOrder } from '../import-source.ts'
import { TableReport } from '../report.ts'
import { type Taken, takeTable } from '../take-table.ts'

/** Takes redemption codes: unused ones can be redeemed here, used ones are history. */
export async function takeCodes(context: ImportContext): Promise<TableReport> {
  const report = new TableReport('redemption codes')
  let unused = 0
  await takeTable(context, report, {
    kind: 'code',
    rows: context.source.codes(),
    markOf: ({ key }) => context.vault.hash(key),
    take: (tx, code) => takeCode(context, tx, code),
    taken({ status, quota }) {
      if (status === 'unused') unused += quota
    },
  })
  if (report.taken > 0) report.say(`worth of unused codes: ${unused.toLocaleString('en')}`)
  return report
}

async function takeCode({ vault, ids, now }: ImportContext, tx: Store, code: SourceCode): Promise<Taken> {
  const keyHash = vault.hash(code.key)
  if (await tx.redemptions.hasKeyHash(keyHash))
    return { leftOut: { reason: 'the same code is here already', example: code.name } }
  const creatorId = (await ids.of(tx, 'user', code.creator)) ?? 0
  const adminId = (await ids.of(tx, 'user', code.admin ?? '')) ?? 0
  const { key, name, quota, createdAt } = code
  const [created] = await tx.redemptions.createMany([
    { creatorId, adminId, ...sealedCode(key, vault), name, quota, createdAt },
  ])
  if (created === undefined) throw new Error('a code was inserted and is not there')
  if (code.status === 'disabled') await tx.redemptions.switchMany([created.id], 'disabled')
  if (code.status === 'used') {
    const redeemer = (await ids.of(tx, 'user', code.redeemer)) ?? 0
    await tx.redemptions.markUsed(created, redeemer, Math.min(code.redeemedAt, now))
  }
  return { targetId: created.id, changes: [] }
}

/** Takes the orders of payments, as they ended there. */
export async function takeOrders(context: ImportContext): Promise<TableReport> {
  const report = new TableReport('orders')
  let paid = 0
  await takeTable(context, report, {
    kind: 'order',
    rows: context.source.orders(),
    markOf: ({ tradeNo }) => context.vault.hash(tradeNo),
    take: (tx, order) => takeOrder(context, tx, order),
    taken({ status, quota }) {
      if (status === 'success') paid += quota
    },
  })
  if (report.taken > 0) report.say(`quota of paid orders: ${paid.toLocaleString('en')}`)
  return report
}

async function takeOrder(context: ImportContext, tx: Store, order: SourceOrder): Promise<Taken> {
  const { ids, settings, now } = context
  const { owner, status, completedAt, payment, ...fields } = order
  const userId = await ids.of(tx, 'user', owner)
  if (userId === undefined) return { leftOut: { reason: 'its user is left out', example: order.tradeNo } }
  if ((await tx.topUpOrders.findByTradeNo(order.tradeNo)) !== undefined)
    return { leftOut: { reason: 'the same order is here already', example: order.tradeNo } }
  const standard = order.provider === 'stripe' ? settings.current.StripeCurrency : 'cny'
  const currency = payment?.currency ?? standard
  const created = await tx.topUpOrders.create({ ...fields, userId, currency })
  const at = Math.min(completedAt, now)
  if (status === 'success') await tx.topUpOrders.markPaid(created.id, { at })
  else if (status !== 'pending') await tx.topUpOrders.markUnpaid(created.id, status, at)
  if (payment !== undefined) await takePayment(context, tx, created, payment)
  return { targetId: created.id, changes: [] }
}

/** Takes the facts of the payment, so that its refunds and disputes find the order. */
async function takePayment(
  { ids, name, now }: ImportContext,
  tx: Store,
  { id, userId, tradeNo }: TopUpOrder,
  payment: NonNullable<SourceOrder['payment']>,
): Promise<void> {
  const { currency: _, giftInviter, giftQuota, ...known } = payment
  const giftInviterId = (await ids.of(tx, 'user', giftInviter)) ?? 0
  await tx.topUpOrders.setPayment(id, {
    ...known,
    giftInviterId,
    giftQuota: giftInviterId === 0 ? 0 : giftQuota,
  })
  const taken = { refund: payment.refundedQuota, dispute: payment.disputedQuota } as const
  // What was taken back is in the balance: the entry that says so is beside one that says the contrary.
  for (const [cause, amount] of Object.entries(taken)) {
    if (amount === 0) continue
    const entry = { accountKind: 'user', accountId: userId, actorId: 0, createdAt: now } as const
    await tx.ledger.credit({ ...entry, cause: 'import', amount, note: name })
    await tx.ledger.credit({ ...entry, cause: cause as keyof typeof taken, amount: -amount, note: tradeNo })
  }
}
