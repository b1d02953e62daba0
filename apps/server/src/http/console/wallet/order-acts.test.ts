import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import {
  type StripeApi,
  startStripeApi,
  stripeSignature,
} from '../../../../../../tests/support/services/stripe-api.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { type JsonBody, walletFixture } from '../test-support/wallet-fixture.ts'

const secret = 'whsec_of_the_endpoint'
/** Paid with 9.50 EUR or 73.00 CNY. */
const bought = 5_000_000

let stripe: StripeApi
let fixture: Awaited<ReturnType<typeof walletFixture>>
type Person = Awaited<ReturnType<typeof fixture.person>>
let admin: Person
let other: Person

beforeAll(async () => {
  stripe = startStripeApi()
  const keys = { StripeSecretKey: 'sk_test', StripeWebhookSecret: secret }
  const settings = { ...keys, StripeCurrency: 'eur', StripePrice: '0.95' }
  fixture = await walletFixture({ stripe: stripe.url, settings })
  admin = await fixture.person({ role: 'admin' })
  other = await fixture.person({ role: 'admin' })
})
afterAll(async () => {
  await closeTestStores()
  await stripe.stop()
})

const orderOf = (tradeNo: string) => fixture.store.topUpOrders.findByTradeNo(tradeNo)

async function placed(method: 'zfb' | 'stripe') {
  const ann = await fixture.person()
  const response = await ann.call('POST', '/api/user/pay', { amount: 10, payment_method: method })
  return { ann, tradeNo: response['trade_no'] as string, checkout: response }
}

const deliver = (type: string) => send(stripe.event(type))

async function send(body: string): Promise<void> {
  const signature = await stripeSignature(body, secret, Math.floor(fixture.time.ms / 1000))
  await fixture.raw('POST', '/api/user/stripe/webhook', { body, headers: { 'stripe-signature': signature } })
}

async function paid(method: 'zfb' | 'stripe') {
  const order = await placed(method)
  if (method === 'stripe') {
    await deliver('checkout.session.completed')
    return order
  }
  const notice = { pid: '1001', type: 'alipay', name: 'TUC10', money: '73.00', trade_status: 'TRADE_SUCCESS' }
  await fixture.notify({ ...notice, trade_no: `pay-${order.tradeNo}`, out_trade_no: order.tradeNo })
  return order
}

const refund = (by: Person, tradeNo: string, money: string, more: JsonBody = {}) =>
  by.call('POST', '/api/topup/refund', { trade_no: tradeNo, money, refunded_money: '0.00', ...more })
const byHand = { by_hand: true }
const codesOf = (responses: readonly JsonBody[]) => responses.map(({ code }) => code ?? 'done').toSorted()
const booksBalance = async () => expect(await fixture.store.audit.findings()).toEqual([])

describe('a refund by hand', () => {
  it('takes the credit back in proportion, to the unit, and below zero where it is spent', async () => {
    const { ann, tradeNo } = await paid('zfb')
    expect(await refund(admin, tradeNo, '24.33', byHand)).toMatchObject({
      data: { refunded_money: '24.33', reversal: 'refunded' },
    })
    // 5,000,000 × 2433 / 7300, rounded half up.
    expect(await ann.quota()).toBe(bought - 1_666_438)
    const spent = { kind: 'user', id: ann.id, cause: 'admin-change', actorId: 0, note: '' } as const
    await fixture.ledger.credit({ ...spent, amount: -4_000_000 })
    await refund(admin, tradeNo, '48.67', { ...byHand, refunded_money: '24.33' })
    expect(await ann.quota()).toBe(-4_000_000)
    await booksBalance()
  })

  it('is never more than was paid, and refused to whoever looked before somebody else refunded', async () => {
    const { ann, tradeNo } = await paid('zfb')
    expect(await refund(admin, tradeNo, '1.00')).toMatchObject({ code: 'top_up_refund_by_hand' })
    for (const money of ['73.01', '0', '-1', '1.001', 'x', ''])
      expect(await refund(admin, tradeNo, money, byHand)).toMatchObject({ code: 'top_up_refund_amount' })
    const both = await Promise.all([
      refund(admin, tradeNo, '40.00', byHand),
      refund(other, tradeNo, '40.00', byHand),
    ])
    expect(codesOf(both)).toEqual(['done', 'top_up_changed'])
    expect(await refund(other, tradeNo, '1.00', byHand)).toMatchObject({ code: 'top_up_changed' })
    expect(await refund(ann, tradeNo, '1.00', byHand)).toMatchObject({ success: false })
    expect((await orderOf(tradeNo))?.handRefundedMinor).toBe(4000)
    await booksBalance()
  })
})

describe('a refund by the provider', () => {
  it('returns the money once, whoever asks at the same time, and follows the provider', async () => {
    const { ann, tradeNo } = await paid('stripe')
    const before = stripe.refunds.length
    const both = await Promise.all([refund(admin, tradeNo, '4.00'), refund(other, tradeNo, '4.00')])
    expect(codesOf(both)).toContain('done')
    expect(stripe.refunds.slice(before).map(({ amount }) => amount)).toEqual([400])
    expect(await ann.quota()).toBe(bought - 2_105_263)
    await refund(admin, tradeNo, '5.50', { refunded_money: '4.00' })
    expect(await ann.quota()).toBe(0)
    await booksBalance()
  })

  it('that fails moves nothing, and works when it is ordered again', async () => {
    const { ann, tradeNo } = await paid('stripe')
    stripe.failWith = 402
    expect(await refund(admin, tradeNo, '4.00')).toMatchObject({ code: 'top_up_refund_refused' })
    stripe.failWith = undefined
    expect(await ann.quota()).toBe(bought)
    expect(await refund(admin, tradeNo, '4.00')).toMatchObject({ success: true })
    expect(await ann.quota()).toBe(bought - 2_105_263)
  })

  it.each([
    ['the same sum', '4.00', [undefined], bought - 2_105_263],
    // The first look finds the refund that was made.
    ['another sum', '5.00', ['top_up_changed', 'top_up_changed'], bought - 2_105_263],
  ] as const)('whose outcome is unknown is made once, when %s is ordered again', async (...row) => {
    const [, money, codes, left] = row
    const { ann, tradeNo } = await paid('stripe')
    const before = stripe.refunds.length
    stripe.losesRefunds = true
    for (const by of [admin, other])
      expect(await refund(by, tradeNo, '4.00')).toMatchObject({ code: 'top_up_refund_unknown' })
    stripe.losesRefunds = false
    for (const code of codes) expect((await refund(other, tradeNo, money))['code']).toBe(code)
    expect(stripe.refunds.slice(before).map(({ amount }) => amount)).toEqual([400])
    expect(await ann.quota()).toBe(left)
    await booksBalance()
  })

  it('leaves what was returned by hand, which an event of the provider does not give back', async () => {
    const { ann, tradeNo } = await paid('stripe')
    await refund(admin, tradeNo, '4.00', { by_hand: true })
    await deliver('charge.refunded')
    stripe.refund(100)
    await send(stripe.paymentEvent('charge.refunded'))
    expect(await orderOf(tradeNo)).toMatchObject({ refundedMinor: 500, handRefundedMinor: 400 })
    expect(await ann.quota()).toBe(bought - 2_631_579)
    await booksBalance()
  })

  it.each([
    ['refunded', () => stripe.refund(950), 'charge.refunded', { refundedMinor: 950, disputedMinor: 0 }],
    [
      'disputed',
      () => stripe.dispute(950),
      'charge.dispute.created',
      { refundedMinor: 0, disputedMinor: 950 },
    ],
  ] as const)(
    'stays when what was returned by hand beside a payment %s as a whole is undone',
    async (...row) => {
      const [, takeBack, event, taken] = row
      const { ann, tradeNo } = await paid('stripe')
      await refund(admin, tradeNo, '4.00', byHand)
      takeBack()
      await send(stripe.paymentEvent(event))
      expect(await ann.quota()).toBe(0)
      const by = { userId: admin.id, username: admin.username, role: 'admin', address: '' } as const
      await fixture.refunds.undo(by, tradeNo, 400)
      expect(await orderOf(tradeNo)).toMatchObject({ ...taken, handRefundedMinor: 0 })
      expect(await ann.quota()).toBe(0)
      await booksBalance()
    },
  )
})

describe('a pending order', () => {
  const act = (who: Person, what: string, trade_no: string) =>
    who.call('POST', `/api/user/topup/orders/${what}`, { trade_no })

  it('is continued by its buyer alone, as long as the provider takes the payment', async () => {
    const epay = await placed('zfb')
    const again = await act(epay.ann, 'resume', epay.tradeNo)
    expect([again['data'], again['url']]).toEqual([epay.checkout['data'], epay.checkout['url']])
    const card = await placed('stripe')
    expect(await act(card.ann, 'resume', card.tradeNo)).toMatchObject({
      http_method: 'GET',
      url: card.checkout['url'],
    })
    expect(await act(epay.ann, 'resume', card.tradeNo)).toMatchObject({ code: 'record_not_found' })
    stripe.setSession('expired')
    expect(await act(card.ann, 'resume', card.tradeNo)).toMatchObject({ code: 'top_up_payment_ended' })
  })

  it('is cancelled at the provider too, unless the money is there', async () => {
    const { ann, tradeNo } = await placed('stripe')
    expect(await act(await fixture.person(), 'cancel', tradeNo)).toMatchObject({ code: 'record_not_found' })
    expect(await act(ann, 'cancel', tradeNo)).toMatchObject({ data: { status: 'cancelled' } })
    expect(stripe.sessionState()).toBe('expired')
    expect(await act(ann, 'cancel', tradeNo)).toMatchObject({ code: 'top_up_not_pending' })
    const late = await placed('stripe')
    stripe.setSession('complete')
    expect(await act(late.ann, 'cancel', late.tradeNo)).toMatchObject({ code: 'top_up_paid_at_provider' })
  })

  it('that was settled elsewhere is credited once, with its reference, and its payment ends', async () => {
    const { ann, tradeNo } = await placed('stripe')
    const body = { trade_no: tradeNo, reference: 'bank 4711', reason: 'paid by bank' }
    const all = await Promise.all([admin, other].map((by) => by.call('POST', '/api/topup/complete', body)))
    expect(codesOf(all)).toEqual(['done', 'done'])
    expect(await ann.quota()).toBe(bought)
    expect(stripe.sessionState()).toBe('expired')
    expect(all[0]).toMatchObject({ data: { settled_reference: 'bank 4711', settled_reason: 'paid by bank' } })
    const own = await ann.call('GET', '/api/user/topup/orders')
    expect(JSON.stringify(own)).not.toMatch(/bank/)
  })
})

describe('the orders of everybody', () => {
  it('are summed up by currency and exported under the filter', async () => {
    const { ann, tradeNo } = await paid('zfb')
    await refund(admin, tradeNo, '3.00', byHand)
    const filter = `user_id=${ann.id}`
    expect((await admin.call('GET', `/api/topup/sums?${filter}`))['data']).toEqual([
      {
        currency: 'cny',
        orders: 1,
        paid: '73.00',
        refunded: '3.00',
        disputed: '0.00',
        net: '70.00',
        quota: bought - 205_479,
      },
    ])
    const headers = await fixture.loggedIn(admin)
    const file = await fixture.raw('GET', `/api/topup/export?${filter}&start_timestamp=1`, { headers })
    expect(file.headers.get('content-disposition')).toMatch(/tollgate-orders-1970-01-01_\d{4}-\d\d-\d\d\.csv/)
    const [header, line] = (await file.text()).split('\r\n')
    expect(header).toEndWith('Currency,Price,Refunded,Disputed,Settled by,Credited (USD),Credited (units)')
    expect(line).toEndWith(`,CNY,73,3,0,,9.589042,${bought - 205_479}`)
  })
})
