import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MailServer, startMailServer } from '../../support/services/mail-server.ts'
import { type StripeApi, startStripeApi, stripeSignature } from '../../support/services/stripe-api.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

const endpointSecret = 'whsec_of_the_endpoint'
const unit = 500_000

interface Order {
  readonly reversal: string
  readonly refunded_quota: number
  readonly disputed_quota: number
}

/** @param nodes how many gateways share the database, and @param environment what each runs with */
function reversalStory(nodes: number, environment: () => Promise<Record<string, string>>): void {
  let stripe: StripeApi
  let gateways: readonly Tollgate[] = []
  let first: Tollgate
  let operator: Operator

  beforeAll(async () => {
    stripe = startStripeApi()
    const env = {
      ...(await environment()),
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      CRITICAL_RATE_LIMIT: '1000',
      STRIPE_API_URL: stripe.url.origin,
    }
    first = await startTollgate({ env })
    const others = Array.from({ length: nodes - 1 }, () => startTollgate({ env }))
    gateways = [first, ...(await Promise.all(others))]
    operator = await operate(first.url)
    for (const [key, value] of [
      ['ServerAddress', first.url],
      ['StripeSecretKey', 'sk_test_of_the_account'],
      ['StripeWebhookSecret', endpointSecret],
      ['StripePrice', '1'],
    ] as const)
      await operator.option(key, value)
    // The other nodes hear of a setting some milliseconds later; until then they refuse events, which Stripe would send again.
    const ignored = JSON.stringify({ type: 'product.created', data: { object: {} } })
    for (const gateway of gateways)
      await until(async () => (await deliver(ignored, gateway)) === 200 || undefined)
  })
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop()
    await stripe?.stop()
  })

  /** Delivers an event to a node, as Stripe does; resolves to the status, 0 where the node died. */
  async function deliver(event: string, to: Tollgate = first): Promise<number> {
    const signature = await stripeSignature(event, endpointSecret)
    const sent = fetch(`${to.url}/api/user/stripe/webhook`, {
      method: 'POST',
      headers: { 'stripe-signature': signature },
      body: event,
    })
    return await sent.then((response) => response.status).catch(() => 0)
  }

  /** Orders `amount` units, whose payment is told or not. */
  async function buy(amount: number, isReported = true): Promise<string> {
    const body = { amount, payment_method: 'stripe' }
    const placed = (await operator.call('POST', '/api/user/pay', body)) as unknown as {
      readonly trade_no: string
    }
    if (isReported) expect(await deliver(stripe.event('checkout.session.completed'))).toBe(200)
    return placed.trade_no
  }

  async function orderOf(tradeNo: string): Promise<Order | undefined> {
    const { items } = await operator.api<{ items: Order[] }>('GET', `/api/topup/?trade_no=${tradeNo}`)
    return items[0]
  }

  /** Sentences of the rows about an order, the newest first. */
  async function logOf(tradeNo: string): Promise<readonly string[]> {
    const { items } = await operator.api<{ items: { content: string }[] }>(
      'GET',
      '/api/log/?p=1&page_size=100',
    )
    return items.map(({ content }) => content).filter((content) => content.includes(tradeNo))
  }

  async function auditIsClean(): Promise<void> {
    const audit = await first.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
  }

  it('takes a refund back once, told forty times at once and before the payment', async () => {
    const before = await operator.quota()
    const tradeNo = await buy(4, false)
    stripe.refund(100)
    stripe.refund(300)
    const events = ['charge.refunded', 'refund.updated', 'refund.created'].map((type) =>
      stripe.paymentEvent(type),
    )
    events.push(stripe.event('checkout.session.completed'))
    const reported = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        deliver(events[at % events.length] ?? '', gateways[at % gateways.length]),
      ),
    )
    expect(new Set(reported)).toEqual(new Set([200]))
    await until(async () => ((await operator.quota()) === before ? true : undefined))
    expect(await orderOf(tradeNo)).toMatchObject({ reversal: 'refunded', refunded_quota: 4 * unit })
    for (const sentence of await logOf(tradeNo))
      expect(sentence).toMatch(
        /^(Took back|Gave back) .+: (the payment|a refund of the payment) of 4\.00 USD \(/,
      )
    expect((await logOf(tradeNo)).length).toBeGreaterThan(0)
    await auditIsClean()
  })

  it('follows a dispute from its start to its end, whichever node hears of it', async () => {
    const before = await operator.quota()
    const tradeNo = await buy(2)
    const dispute = stripe.dispute(200)
    const opened = ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.updated']
    await Promise.all(
      opened.map((type, at) => deliver(stripe.paymentEvent(type), gateways[at % gateways.length])),
    )
    await until(async () => ((await operator.quota()) === before ? true : undefined))
    expect(await orderOf(tradeNo)).toMatchObject({ reversal: 'disputed', disputed_quota: 2 * unit })
    dispute.status = 'won'
    const closed = ['charge.dispute.closed', 'charge.dispute.funds_reinstated', 'charge.dispute.created']
    await Promise.all(
      closed.map((type, at) => deliver(stripe.paymentEvent(type), gateways[at % gateways.length])),
    )
    await until(async () => ((await operator.quota()) === before + 2 * unit ? true : undefined))
    expect(await orderOf(tradeNo)).toMatchObject({ reversal: 'none', disputed_quota: 0 })
    const payment = `the payment of 2.00 USD (${tradeNo})`
    expect(await logOf(tradeNo)).toEqual([
      `Gave back ＄2.000000 of quota: a dispute of ${payment} ended`,
      `Took back ＄2.000000 of quota: ${payment} is disputed`,
    ])
    await auditIsClean()
  })

  it('takes back no more than was paid when refunds by hand and a dispute arrive at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const before = await operator.quota()
      const tradeNo = await buy(2)
      const body = { trade_no: tradeNo, money: '1.50', refunded_money: '0.00', by_hand: true }
      const dispute = stripe.dispute(200)
      const disputed = stripe.paymentEvent('charge.dispute.created')
      const refundAt = ({ url }: Tollgate) => operator.at(url).call('POST', '/api/topup/refund', body)
      const last = gateways.at(-1) ?? first
      const disputeLater = Bun.sleep(round * 4).then(() => deliver(disputed, last))
      const [one, other, status] = await Promise.all([refundAt(first), refundAt(last), disputeLater])
      expect(status).toBe(200)
      const refunds = [one, other].filter(({ success }) => success).length
      expect(refunds).toBeLessThan(2)
      expect(await operator.quota()).toBe(before)
      const refunded_quota = refunds * 1.5 * unit
      expect(await orderOf(tradeNo)).toMatchObject({
        ...{ reversal: 'disputed', refunded_quota, disputed_quota: 2 * unit - refunded_quota },
      })
      dispute.status = 'won'
      expect(await deliver(stripe.paymentEvent('charge.dispute.closed'), last)).toBe(200)
      expect(await operator.quota()).toBe(before + 2 * unit - refunded_quota)
      expect(await orderOf(tradeNo)).toMatchObject({ refunded_quota, disputed_quota: 0 })
    }
    await auditIsClean()
  })

  it('leaves a disputed credit taken, whatever a foreign payment with the number of its order does', async () => {
    const before = await operator.quota()
    const tradeNo = await buy(2)
    stripe.dispute(200)
    expect(await deliver(stripe.paymentEvent('charge.dispute.created'))).toBe(200)
    stripe.openForeign(tradeNo, 200, 'usd')
    const foreign = ['charge.dispute.closed', 'charge.refunded'].map((type) => stripe.paymentEvent(type))
    foreign.push(stripe.event('checkout.session.completed'), stripe.event('checkout.session.expired'))
    for (const event of foreign)
      for (const gateway of gateways) expect(await deliver(event, gateway)).toBe(400)
    expect(await operator.quota()).toBe(before)
    expect(await orderOf(tradeNo)).toMatchObject({ reversal: 'disputed', disputed_quota: 2 * unit })
    await auditIsClean()
  })

  it('takes a refund back once although the gateway is killed at any moment of it', async () => {
    for (let round = 0; round < 6; round += 1) {
      const before = await operator.quota()
      const tradeNo = await buy(1)
      stripe.refund(40)
      const dispute = stripe.dispute(60)
      const reported = ['charge.refunded', 'charge.dispute.created', 'refund.created'].map((type) =>
        deliver(stripe.paymentEvent(type)),
      )
      await Bun.sleep(round * 6)
      await first.kill('SIGKILL')
      await Promise.all(reported)
      await first.start()
      dispute.status = 'lost'
      // Stripe sends what was not answered again.
      await until(async () =>
        (await deliver(stripe.paymentEvent('charge.dispute.closed'))) === 200 ? true : undefined,
      )
      expect(await operator.quota()).toBe(before)
      expect(await orderOf(tradeNo)).toMatchObject({
        reversal: 'charged_back',
        refunded_quota: 0.4 * unit,
        disputed_quota: 0.6 * unit,
      })
    }
    await first.kill()
    await auditIsClean()
    await first.start()
  })
}

describe('refunds and disputes over SQLite', () => {
  reversalStory(1, async () => ({}))
})

describe.skipIf(!hasPostgres())('refunds and disputes on two nodes over PostgreSQL', () => {
  let postgres: Postgres
  afterAll(() => postgres?.stop())
  reversalStory(2, async () => {
    postgres = await startPostgres()
    return {
      DATABASE_URL: await postgres.createDatabase(),
      TOLLGATE_SECRET: 'the secret of every node of this fleet',
    }
  })
})

describe('a balance below zero', () => {
  let stripe: StripeApi
  let mails: MailServer
  let upstream: Upstream
  let gateway: Tollgate
  let operator: Operator

  beforeAll(async () => {
    stripe = startStripeApi()
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'a short answer', usage: { promptTokens: 20, completionTokens: 10 } }))
    gateway = await startTollgate({ env: { STRIPE_API_URL: stripe.url.origin } })
    operator = await operate(gateway.url)
    mails = await startMailServer()
    await operator.addChannel({ name: 'money', base_url: upstream.url, models: 'gpt-4o' })
    for (const [key, value] of [
      ['ServerAddress', gateway.url],
      ['StripeSecretKey', 'sk_test_of_the_account'],
      ['StripeWebhookSecret', endpointSecret],
      ['StripePrice', '1'],
      ['SMTPServer', '127.0.0.1'],
      ['SMTPPort', String(mails.port)],
      ['SMTPFrom', 'gate@example.com'],
    ] as const)
      await operator.option(key, value)
  })
  afterAll(async () => {
    await gateway?.stop()
    await mails?.stop()
    await upstream?.stop()
    await stripe?.stop()
  })

  /** Gives everybody an address, which they would have to prove by codes. */
  function addAddresses(): void {
    const database = openBeside(gateway.dataDir)
    database.run(`update users set email = username || '@example.com'`)
    database.close()
  }

  it('refuses calls until it is paid, and payer and root hear why', async () => {
    const ann = await addUser(gateway, 'ann', 0)
    addAddresses()
    const { key } = await ann.addKey()
    const call = async () => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Question' }] }),
      })
      return response.ok ? 'served' : ((await response.json()) as { error: { code: string } }).error.code
    }
    const buy = async () => {
      await ann.call('POST', '/api/user/pay', { amount: 1, payment_method: 'stripe' })
      await deliverTo(gateway, stripe.event('checkout.session.completed'))
    }
    await buy()
    expect(await call()).toBe('served')
    const left = await ann.quota()
    expect(left).toBeLessThan(unit)
    stripe.refund(100)
    await deliverTo(gateway, stripe.paymentEvent('charge.refunded'))
    expect(await ann.quota()).toBe(left - unit)
    expect((await mails.mailTo('root@example.com')).html).toContain(
      'The balance of ann changed by -$1.000000 because the payment was refunded',
    )
    const toAnn = async () => mails.received.filter(({ to }) => to.includes('ann@example.com'))
    await until(async () =>
      (await toAnn()).some(({ html }) => html.includes('Your balance changed by -$1.000000'))
        ? true
        : undefined,
    )
    expect(await call()).toBe('insufficient_user_quota')
    await buy()
    expect(await ann.quota()).toBe(left)
    expect(await call()).toBe('served')
    const audit = await gateway.run('audit')
    expect(audit.code).toBe(0)
  })

  it('is not made by a payment that only has the number of an order, of which root hears once', async () => {
    const bob = await addUser(gateway, 'bob', 0)
    addAddresses()
    const body = { amount: 1, payment_method: 'stripe' }
    const placed = (await bob.call('POST', '/api/user/pay', body)) as unknown as { readonly trade_no: string }
    stripe.openForeign(placed.trade_no, 100, 'usd')
    for (let times = 0; times < 2; times += 1)
      await deliverTo(gateway, stripe.event('checkout.session.completed'), 400)
    const notices = () => mails.received.filter(({ html }) => html.includes(placed.trade_no))
    await until(() => notices().length > 0 || undefined)
    expect(notices()).toMatchObject([{ to: ['root@example.com'] }])
    expect(await bob.quota()).toBe(0)
  })
})

async function deliverTo(gateway: Tollgate, event: string, status = 200): Promise<void> {
  const response = await fetch(`${gateway.url}/api/user/stripe/webhook`, {
    method: 'POST',
    headers: { 'stripe-signature': await stripeSignature(event, endpointSecret) },
    body: event,
  })
  expect(response.status).toBe(status)
}
