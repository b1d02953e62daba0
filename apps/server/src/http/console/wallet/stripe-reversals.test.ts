import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import {
  type StripeApi,
  startStripeApi,
  stripeSignature,
} from '../../../../../../tests/support/services/stripe-api.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { walletFixture } from '../test-support/wallet-fixture.ts'

type Fixture = Awaited<ReturnType<typeof walletFixture>>

const secret = 'whsec_of_the_endpoint'
/** Paid with 9.50 EUR. */
const bought = 5_000_000

let stripe: StripeApi
let fixture: Fixture
let ann: Awaited<ReturnType<Fixture['person']>>
let tradeNo: string

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
beforeEach(async () => {
  ann = await fixture.person()
  await position(ann)
  fixture.reversed.length = 0
})

async function position(payer: typeof ann): Promise<void> {
  const placed = await payer.call('POST', '/api/user/pay', { amount: 10, payment_method: 'stripe' })
  tradeNo = placed['trade_no']
}

async function deliver(body: string): Promise<string> {
  const signature = await stripeSignature(body, secret, Math.floor(fixture.time.ms / 1000))
  const response = await fixture.raw('POST', '/api/user/stripe/webhook', {
    body,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
  })
  return `${response.status} ${await response.text()}`
}

const pay = () => deliver(stripe.event('checkout.session.completed'))
const tell = (type: string) => deliver(stripe.paymentEvent(type))
const order = async () => await fixture.store.topUpOrders.findByTradeNo(tradeNo)

async function entries(): Promise<(readonly [cause: string, amount: number])[]> {
  const found = await fixture.store.ledger.list('user', ann.id, 20)
  return found.toReversed().map(({ cause, amount }) => [cause, amount] as const)
}

async function booksBalance(): Promise<void> {
  expect(await fixture.store.audit.findings()).toEqual([])
}

describe('a refund of Stripe', () => {
  it('takes back the credit in proportion, to the unit, over several events', async () => {
    await pay()
    stripe.refund(317)
    expect(await tell('charge.refunded')).toBe('200 noted')
    // 5,000,000 × 317 / 950, rounded half up.
    expect(await ann.quota()).toBe(bought - 1_668_421)
    stripe.refund(1)
    await tell('refund.created')
    expect(await order()).toMatchObject({ reversal: 'refunded', refundedQuota: 1_673_684 })
    stripe.refund(632)
    await tell('charge.refunded')
    expect(await ann.quota()).toBe(0)
    expect(await order()).toMatchObject({ status: 'success', refundedQuota: bought, disputedQuota: 0 })
    await booksBalance()
  })

  it('counts once, however often and from wherever it arrives', async () => {
    await pay()
    stripe.refund(950)
    const types = ['charge.refunded', 'refund.created', 'refund.updated', 'charge.refund.updated']
    const reported = await Promise.all(Array.from({ length: 12 }, (_, at) => tell(types[at % 4] ?? '')))
    expect(new Set(reported)).toEqual(new Set(['200 noted']))
    expect(await entries()).toEqual([
      ['top-up', bought],
      ['refund', -bought],
    ])
    expect(fixture.reversed).toMatchObject([{ userId: ann.id, tradeNo, cause: 'refund', amount: -bought }])
    await booksBalance()
  })

  it('is given back when it fails, in whatever order the events arrive', async () => {
    await pay()
    const refund = stripe.refund(475, 'pending')
    await tell('refund.created')
    expect(await ann.quota()).toBe(bought / 2)
    refund.status = 'failed'
    await tell('refund.failed')
    await tell('charge.refunded')
    expect(await ann.quota()).toBe(bought)
    expect(await order()).toMatchObject({ reversal: 'none', refundedQuota: 0 })
    await booksBalance()
  })

  it('of a payment whose own event is late takes back what it credits, and that event credits nothing', async () => {
    stripe.refund(950)
    expect(await tell('charge.refunded')).toBe('200 noted')
    expect(await ann.quota()).toBe(0)
    expect(await pay()).toBe('200 credited')
    expect(await entries()).toEqual([
      ['top-up', bought],
      ['refund', -bought],
    ])
    await booksBalance()
  })

  it('lowers a balance below zero where the credit is spent, and says so in the log', async () => {
    await pay()
    await fixture.ledger.credit({
      kind: 'user',
      id: ann.id,
      cause: 'admin-change',
      amount: -4_000_000,
      actorId: 0,
      note: '',
    })
    stripe.refund(950)
    await tell('charge.refunded')
    expect(await ann.quota()).toBe(-4_000_000)
    const { rows } = await fixture.store.usage.page({ userId: ann.id }, 1, 1)
    expect(rows[0]).toMatchObject({
      type: 'system',
      content: `Took back 5000000 points of quota: the payment of 9.50 EUR (${tradeNo}) was refunded`,
    })
  })

  it('is sent again by Stripe while Stripe cannot be asked', async () => {
    await pay()
    stripe.refund(950)
    stripe.failWith = 500
    expect(await tell('charge.refunded')).toBe(
      '400 The payment provider could not be asked about the payment',
    )
    stripe.failWith = undefined
    expect(await ann.quota()).toBe(bought)
    await tell('charge.refunded')
    expect(await ann.quota()).toBe(0)
  })

  it('of somebody else’s payment, or without one, changes nothing', async () => {
    await pay()
    for (const payment_intent of ['pi_of_a_shop', null, ''])
      expect(await deliver(stripe.paymentEvent('charge.refunded', { payment_intent }))).toBe('200 ignored')
    expect(await ann.quota()).toBe(bought)
  })
})

describe('a dispute of Stripe', () => {
  it('freezes the credit at once, and a won one gives it back', async () => {
    await pay()
    const dispute = stripe.dispute(950)
    await tell('charge.dispute.created')
    await tell('charge.dispute.funds_withdrawn')
    expect(await ann.quota()).toBe(0)
    expect(await order()).toMatchObject({ reversal: 'disputed', disputedQuota: bought })
    dispute.status = 'won'
    // Late events of before come after the end.
    await tell('charge.dispute.closed')
    await tell('charge.dispute.created')
    await tell('charge.dispute.funds_reinstated')
    expect(await ann.quota()).toBe(bought)
    expect(await order()).toMatchObject({ reversal: 'none', disputedQuota: 0 })
    expect(await entries()).toEqual([
      ['top-up', bought],
      ['dispute', -bought],
      ['dispute', bought],
    ])
    await booksBalance()
  })

  it('that is lost keeps the credit', async () => {
    await pay()
    stripe.dispute(950).status = 'lost'
    await tell('charge.dispute.closed')
    expect(await ann.quota()).toBe(0)
    expect(await order()).toMatchObject({ reversal: 'charged_back', disputedQuota: bought })
    await booksBalance()
  })

  it('that is an inquiry takes nothing until it becomes a dispute', async () => {
    await pay()
    const dispute = stripe.dispute(950, 'warning_needs_response')
    await tell('charge.dispute.created')
    expect(await ann.quota()).toBe(bought)
    dispute.status = 'needs_response'
    await tell('charge.dispute.updated')
    expect(await ann.quota()).toBe(0)
  })

  it('beside a refund takes no more than was credited', async () => {
    await pay()
    stripe.dispute(950)
    await tell('charge.dispute.created')
    stripe.refund(475)
    await tell('charge.refunded')
    expect(await ann.quota()).toBe(0)
    expect(await order()).toMatchObject({ refundedQuota: bought / 2, disputedQuota: bought / 2 })
    await booksBalance()
  })
})

describe('the gift of an inviter', () => {
  const gift = 70

  async function invited(): Promise<{ readonly inviterId: number; readonly earned: () => Promise<number> }> {
    const inviter = await fixture.person()
    await fixture.store.users.addPendingInviterBonus(ann.id, { inviterId: inviter.id, quota: gift }, 1)
    await pay()
    return {
      inviterId: inviter.id,
      earned: async () => (await fixture.store.users.find(inviter.id))?.affQuota ?? 0,
    }
  }

  it('stays after a refund of a part, goes with the whole, and comes with the next payment', async () => {
    const { earned } = await invited()
    expect(await earned()).toBe(gift)
    stripe.refund(949)
    await tell('charge.refunded')
    expect(await earned()).toBe(gift)
    stripe.refund(1)
    await tell('charge.refunded')
    await tell('charge.refunded')
    expect(await earned()).toBe(0)
    await position(ann)
    await pay()
    expect(await earned()).toBe(gift)
    await booksBalance()
  })

  it('returns with a dispute that is won, and falls below zero where it is spent', async () => {
    const { inviterId, earned } = await invited()
    await fixture.store.users.takeInvitationQuota(inviterId, gift)
    const dispute = stripe.dispute(950)
    await tell('charge.dispute.created')
    expect(await earned()).toBe(-gift)
    dispute.status = 'won'
    await tell('charge.dispute.closed')
    expect(await earned()).toBe(0)
    await tell('charge.dispute.closed')
    expect(await earned()).toBe(0)
  })
})
