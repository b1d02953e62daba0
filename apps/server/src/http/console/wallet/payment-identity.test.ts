import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { topUpProviders } from '@tollgate/api'
import {
  type StripeApi,
  startStripeApi,
  stripeSignature,
} from '../../../../../../tests/support/services/stripe-api.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { stripeEvents } from '../../../wallet/top-up/stripe/events.ts'
import { walletFixture } from '../test-support/wallet-fixture.ts'

type Fixture = Awaited<ReturnType<typeof walletFixture>>
type Person = Awaited<ReturnType<Fixture['person']>>

const secret = 'whsec_of_the_endpoint'
const eventTypes = Object.keys(stripeEvents)
const states = ['pending', 'success', 'expired', 'failed', 'refunded', 'disputed', 'charged_back'] as const
type State = (typeof states)[number]

let stripe: StripeApi
let fixture: Fixture

beforeAll(async () => {
  stripe = startStripeApi()
  fixture = await walletFixture({
    stripe: stripe.url,
    settings: {
      StripeSecretKey: 'sk_test_of_the_account',
      StripeWebhookSecret: secret,
      StripeCurrency: 'eur',
      StripePrice: '0.95',
    },
  })
})
afterAll(async () => {
  await closeTestStores()
  await stripe.stop()
})

async function deliver(body: string): Promise<string> {
  const signature = await stripeSignature(body, secret, Math.floor(fixture.time.ms / 1000))
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
  const response = await fixture.raw('POST', '/api/user/stripe/webhook', { body, headers })
  return `${response.status} ${await response.text()}`
}

async function position(payer: Person, method: string): Promise<string> {
  const placed = await payer.call('POST', '/api/user/pay', { amount: 10, payment_method: method })
  return placed['trade_no']
}

/** An event about the charge, a refund or a dispute where its type is of those, else about the session. */
function stripeEvent(type: string): string {
  return stripeEvents[type as keyof typeof stripeEvents] === 'reversal'
    ? stripe.paymentEvent(type)
    : stripe.event(type)
}

/** An order of Stripe in a state that its own events brought about. */
async function orderIn(state: State, payer: Person): Promise<string> {
  const tradeNo = await position(payer, 'stripe')
  const by: Readonly<Record<State, () => Promise<unknown>>> = {
    pending: async () => {},
    expired: () => deliver(stripe.event('checkout.session.expired')),
    failed: () => deliver(stripe.event('checkout.session.async_payment_failed')),
    success: () => deliver(stripe.event('checkout.session.completed')),
    refunded: () => taken(() => stripe.refund(950), 'charge.refunded'),
    disputed: () => taken(() => stripe.dispute(950), 'charge.dispute.created'),
    charged_back: () => taken(() => stripe.dispute(950, 'lost'), 'charge.dispute.closed'),
  }
  await by[state]()
  return tradeNo
}

async function taken(take: () => unknown, type: string): Promise<void> {
  await deliver(stripe.event('checkout.session.completed'))
  take()
  await deliver(stripe.paymentEvent(type))
}

/** A Checkout session that somebody else opened in the same account of Stripe, with our number. */
const openForeign = (tradeNo: string) => stripe.openForeign(tradeNo, 950, 'eur')

async function accountsOf(payer: Person, tradeNo: string) {
  const order = await fixture.store.topUpOrders.findByTradeNo(tradeNo)
  return { order, quota: await payer.quota(), entries: await fixture.store.ledger.list('user', payer.id, 99) }
}

async function refusalsOf(tradeNo: string) {
  const order = await fixture.store.topUpOrders.findByTradeNo(tradeNo)
  const filter = { action: 'top-up-order.refuse-payment', targetId: order?.id } as const
  return (await fixture.store.auditLog.page(filter, { offset: 0, limit: 9 })).rows
}

const mismatch = '400 The payment does not match its order'

describe('a foreign payment of the same account of Stripe that has our number', () => {
  it.each(states)(
    'changes nothing of an order that is %s, by any event, and is recorded once',
    async (state) => {
      const payer = await fixture.person()
      for (const type of eventTypes) {
        const tradeNo = await orderIn(state, payer)
        fixture.refused.length = 0
        const before = await accountsOf(payer, tradeNo)
        openForeign(tradeNo)
        for (const time of ['first', 'again'])
          expect([type, time, await deliver(stripeEvent(type))]).toEqual([type, time, mismatch])
        expect([type, await accountsOf(payer, tradeNo)]).toEqual([type, before])
        expect(fixture.refused).toMatchObject([
          { tradeNo, provider: 'stripe', mismatch: 'provider_trade_no' },
        ])
        expect(await refusalsOf(tradeNo)).toMatchObject([{ actorName: 'tollgate', targetName: tradeNo }])
      }
      expect(await fixture.store.audit.findings()).toEqual([])
    },
  )

  it('does not return a disputed credit, although it was never disputed itself', async () => {
    const payer = await fixture.person()
    const tradeNo = await orderIn('disputed', payer)
    openForeign(tradeNo)
    expect(await deliver(stripe.paymentEvent('charge.dispute.closed'))).toBe(mismatch)
    expect(await payer.quota()).toBe(0)
  })

  it('is refused an order whose session was never stored, which nobody was sent to', async () => {
    const payer = await fixture.person()
    const tradeNo = await orderIn('pending', payer)
    const order = await fixture.store.topUpOrders.findByTradeNo(tradeNo)
    await fixture.store.topUpOrders.setProviderTradeNo(order?.id ?? 0, '')
    expect(await deliver(stripe.event('checkout.session.completed'))).toBe(mismatch)
    expect(await payer.quota()).toBe(0)
  })
})

describe('an event about the session of an order that contradicts it', () => {
  const changes = {
    payment_id: { payment_intent: 'pi_of_a_shop' },
    money: { amount_total: 949 },
    currency: { currency: 'usd' },
    payment_status: { payment_status: 'no_payment_required' },
  } as const
  const paying = eventTypes.filter((type) => stripeEvents[type as keyof typeof stripeEvents] === 'paid')

  it.each(paying)('is refused: %s', async (type) => {
    const payer = await fixture.person()
    for (const [field, change] of Object.entries(changes)) {
      const tradeNo = await orderIn('success', payer)
      fixture.refused.length = 0
      const before = await accountsOf(payer, tradeNo)
      expect([field, await deliver(stripe.event(type, change))]).toEqual([field, mismatch])
      expect(await accountsOf(payer, tradeNo)).toEqual(before)
      expect(fixture.refused).toMatchObject([{ tradeNo, mismatch: field }])
    }
  })
})

describe('a notice of epay that has our number', () => {
  const noticeOf = (tradeNo: string, change = {}) => ({
    pid: '1001',
    trade_no: `pay-${tradeNo}`,
    out_trade_no: tradeNo,
    type: 'alipay',
    money: '73.00',
    trade_status: 'TRADE_SUCCESS',
    ...change,
  })
  const epayStates = {
    pending: async () => {},
    expired: async (tradeNo: string) => {
      const order = await fixture.store.topUpOrders.findByTradeNo(tradeNo)
      await fixture.store.topUpOrders.markUnpaid(order?.id ?? 0, 'expired', 5)
    },
    success: (tradeNo: string) => fixture.notify(noticeOf(tradeNo)),
  }

  it.each(Object.keys(epayStates) as (keyof typeof epayStates)[])(
    'and contradicts an order that is %s changes nothing, and is recorded once',
    async (state) => {
      const payer = await fixture.person()
      const contradictions = {
        money: { money: '72.99' },
        provider_trade_no: { trade_no: state === 'success' ? 'pay-of-another' : '' },
      }
      for (const [field, change] of Object.entries(contradictions)) {
        const tradeNo = await position(payer, 'zfb')
        await epayStates[state](tradeNo)
        fixture.refused.length = 0
        const before = await accountsOf(payer, tradeNo)
        for (let times = 0; times < 2; times += 1)
          expect([field, await fixture.notify(noticeOf(tradeNo, change))]).toEqual([field, '200 fail'])
        expect(await accountsOf(payer, tradeNo)).toEqual(before)
        expect(fixture.refused).toMatchObject([{ tradeNo, provider: 'epay', mismatch: field }])
      }
    },
  )

  it('and comes beside the notice of another trade is not taken for that one', async () => {
    const payer = await fixture.person()
    const tradeNo = await position(payer, 'zfb')
    fixture.refused.length = 0
    const replies = await Promise.all(
      ['pay-one', 'pay-two'].map((trade_no) => fixture.notify(noticeOf(tradeNo, { trade_no }))),
    )
    expect(replies.toSorted()).toEqual(['200 fail', '200 success'])
    expect(await payer.quota()).toBe(5_000_000)
    expect(fixture.refused).toMatchObject([{ tradeNo, mismatch: 'provider_trade_no' }])
  })

  it('completed by hand is known by its trade from its first notice on', async () => {
    const payer = await fixture.person()
    const admin = await fixture.person({ role: 'admin' })
    const tradeNo = await position(payer, 'zfb')
    await admin.call('POST', '/api/topup/complete', { trade_no: tradeNo })
    expect(await fixture.notify(noticeOf(tradeNo))).toBe('200 success')
    expect(await fixture.notify(noticeOf(tradeNo, { trade_no: 'pay-of-another' }))).toBe('200 fail')
    expect(await fixture.notify(noticeOf(tradeNo))).toBe('200 success')
  })
})

describe('an order of one provider', () => {
  it.each(topUpProviders)('is not credited by what %s has for another', async (provider) => {
    const payer = await fixture.person()
    const tradeNo = await position(payer, provider === 'stripe' ? 'zfb' : 'stripe')
    const before = await accountsOf(payer, tradeNo)
    openForeign(tradeNo)
    const reply =
      provider === 'stripe'
        ? await deliver(stripe.event('checkout.session.completed'))
        : await fixture.notify({
            pid: '1001',
            trade_no: 'pay-1',
            out_trade_no: tradeNo,
            money: '9.50',
            trade_status: 'TRADE_SUCCESS',
          })
    expect(reply).toBe(provider === 'stripe' ? mismatch : '200 fail')
    expect(await accountsOf(payer, tradeNo)).toEqual(before)
  })
})
