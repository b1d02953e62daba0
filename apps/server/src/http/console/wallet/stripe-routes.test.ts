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
const stripeSettings = {
  StripeSecretKey: 'sk_test_of_the_account',
  StripeWebhookSecret: secret,
  StripeCurrency: 'eur',
  StripePrice: '0.95',
}

let stripe: StripeApi
let fixture: Fixture
let ann: Awaited<ReturnType<Fixture['person']>>
let tradeNo: string

beforeAll(async () => {
  stripe = startStripeApi()
  fixture = await walletFixture({ stripe: stripe.url, settings: stripeSettings })
})
afterAll(async () => {
  await closeTestStores()
  await stripe.stop()
})

const pay = () => ann.call('POST', '/api/user/pay', { amount: 10, payment_method: 'stripe' })
const now = () => Math.floor(fixture.time.ms / 1000)
const orderStatus = async () => (await fixture.store.topUpOrders.findByTradeNo(tradeNo))?.status

async function deliver(body: string, signature?: string): Promise<string> {
  const header = signature ?? (await stripeSignature(body, secret, now()))
  const response = await fixture.raw('POST', '/api/user/stripe/webhook', {
    body,
    headers: { 'stripe-signature': header, 'content-type': 'application/json' },
  })
  return `${response.status} ${await response.text()}`
}

beforeEach(async () => {
  ann = await fixture.person()
  tradeNo = (await pay())['trade_no']
})

describe('Stripe Checkout', () => {
  it('is not opened for more orders than one user may have unpaid', async () => {
    for (let order = 1; order < 20; order += 1) expect((await pay()).message).toBe('success')
    expect(await pay()).toMatchObject({ code: 'top_up_too_many_pending' })
    const bob = await fixture.person()
    const ofBob = await bob.call('POST', '/api/user/pay', { amount: 10, payment_method: 'stripe' })
    expect(ofBob.message).toBe('success')
  })

  it('is opened for exactly what the order says, and the browser goes there', async () => {
    const reply = await pay()
    const opened = stripe.opened.at(-1)
    expect(reply).toEqual({
      message: 'success',
      data: {},
      url: `https://checkout.example/${opened?.id}`,
      http_method: 'GET',
      trade_no: reply['trade_no'],
    })
    expect(opened?.authorization).toBe('Bearer sk_test_of_the_account')
    expect(Object.fromEntries(opened?.fields ?? [])).toMatchObject({
      mode: 'payment',
      client_reference_id: reply['trade_no'],
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '950',
      success_url: 'https://gate.example/log',
      cancel_url: 'https://gate.example/topup',
    })
    expect(await fixture.store.topUpOrders.findByTradeNo(reply['trade_no'])).toMatchObject({
      provider: 'stripe',
      status: 'pending',
      currency: 'eur',
      moneyMinor: 950,
      providerTradeNo: opened?.id ?? '',
    })
    const quote = await ann.call('POST', '/api/user/amount', { amount: 10, payment_method: 'stripe' })
    expect(quote['data']).toBe('9.50')
  })

  it('that does not open gives the order up, and tells nothing of the exchange', async () => {
    stripe.failWith = 400
    const reply = await pay()
    stripe.failWith = undefined
    expect(reply).toEqual({
      message: 'error',
      data: 'The payment could not be started',
      code: 'top_up_start_failed',
    })
    const { rows } = await fixture.store.topUpOrders.page({ userId: ann.id }, { offset: 0, limit: 1 })
    expect(rows[0]?.status).toBe('failed')
  })

  it('is not offered without the secret of its events', async () => {
    const half = await walletFixture({ settings: { ...stripeSettings, StripeWebhookSecret: '' } })
    const bob = await half.person()
    const reply = await bob.call('POST', '/api/user/pay', { amount: 10, payment_method: 'stripe' })
    expect(reply['code']).toBe('top_up_method_unknown')
  })
})

describe('an event of Stripe', () => {
  it('credits a paid order once, however often it comes', async () => {
    const body = stripe.event('checkout.session.completed')
    const responseBodies = await Promise.all(Array.from({ length: 100 }, () => deliver(body)))
    expect(new Set(responseBodies)).toEqual(new Set(['200 credited']))
    expect(await ann.quota()).toBe(5_000_000)
    expect(await orderStatus()).toBe('success')
    const { rows } = await fixture.store.usage.page({ userId: ann.id }, 1, 10)
    expect(rows).toMatchObject([{ content: 'Online top-up 5000000 points of quota, paid 9.50 EUR' }])
    expect(await fixture.store.audit.findings()).toEqual([])
  })

  it('credits nothing when it is forged, altered, or listened to earlier', async () => {
    const body = stripe.event('checkout.session.completed')
    const refused = '401 The signature of the request is invalid'
    for (const signature of [
      '',
      't=1,v1=00',
      await stripeSignature(body, 'whsec_of_another', now()),
      await stripeSignature(`${body} `, secret, now()),
      await stripeSignature(body, secret, now() - 301),
    ])
      expect(await deliver(body, signature)).toBe(refused)
    expect((await fixture.raw('POST', '/api/user/stripe/webhook', { body })).status).toBe(401)
    expect(await ann.quota()).toBe(0)
    expect(await deliver(body, await stripeSignature(body, secret, now() - 290))).toBe('200 credited')
  })

  it('is never accepted while there is no secret', async () => {
    const unset = await walletFixture({ settings: { StripeSecretKey: 'sk_test' } })
    const body = stripe.event('checkout.session.completed')
    const signature = await stripeSignature(body, 'x', now())
    for (const header of [signature, await emptySecretSignature(body)]) {
      const response = await unset.raw('POST', '/api/user/stripe/webhook', {
        body,
        headers: { 'stripe-signature': header },
      })
      expect(response.status).toBe(401)
    }
  })

  it('about another amount, currency or session is refused, and a payment that is none', async () => {
    for (const change of [
      { amount_total: 949 },
      { currency: 'usd' },
      { id: 'cs_test_other' },
      { payment_status: 'no_payment_required' },
      { amount_total: null },
    ])
      expect(await deliver(stripe.event('checkout.session.completed', change))).toBe(
        '400 The payment does not match its order',
      )
    expect(await ann.quota()).toBe(0)
    expect(await orderStatus()).toBe('pending')
  })

  it('that is none of ours is taken without effect', async () => {
    for (const change of [{ client_reference_id: null }, { client_reference_id: 'somebody else' }])
      expect(await deliver(stripe.event('checkout.session.completed', change))).toBe('200 ignored')
    for (const body of ['{}', '[]', 'null', '{"type":"ping"}'])
      expect(await deliver(body)).toBe('200 ignored')
    expect(await deliver(stripe.event('product.created'))).toBe('200 ignored')
    expect(await orderStatus()).toBe('pending')
  })

  it('waits for payments that take days, and says what became of them', async () => {
    const unpaid = stripe.event('checkout.session.completed', { payment_status: 'unpaid' })
    expect(await deliver(unpaid)).toBe('200 noted')
    expect(await orderStatus()).toBe('pending')
    expect(await deliver(stripe.event('checkout.session.async_payment_failed'))).toBe('200 noted')
    expect(await orderStatus()).toBe('failed')
    expect(await deliver(stripe.event('checkout.session.async_payment_succeeded'))).toBe('200 credited')
    expect(await ann.quota()).toBe(5_000_000)
  })

  it('marks an order whose session expired', async () => {
    expect(await deliver(stripe.event('checkout.session.expired'))).toBe('200 noted')
    expect(await orderStatus()).toBe('expired')
  })
})

/** Returns the signature of somebody who hopes that no secret is an empty one. */
async function emptySecretSignature(body: string): Promise<string> {
  const signed = new Bun.CryptoHasher('sha256', '').update(`${now()}.${body}`).digest('hex')
  return `t=${now()},v1=${signed}`
}
