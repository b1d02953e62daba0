import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type EpayProvider, startEpayProvider } from '../../support/services/epay-provider.ts'
import { type StripeApi, startStripeApi, stripeSignature } from '../../support/services/stripe-api.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const merchant = { pid: '1001', key: 'the key of the merchant' }
const endpointSecret = 'whsec_of_the_endpoint'
const unit = 500_000

/** @param environment what the gateway runs with, asked for when it starts */
function walletStory(environment: () => Promise<Record<string, string>>): void {
  let provider: EpayProvider
  let stripe: StripeApi
  let gateway: Tollgate
  let operator: Operator

  beforeAll(async () => {
    provider = startEpayProvider(merchant)
    stripe = startStripeApi()
    gateway = await startTollgate({
      env: {
        ...(await environment()),
        // The least of the reference: notices are not held up by it.
        GLOBAL_API_RATE_LIMIT: '180',
        CRITICAL_RATE_LIMIT: '1000',
        STRIPE_API_URL: stripe.url.origin,
      },
    })
    operator = await operate(gateway.url)
    for (const [key, value] of [
      ['ServerAddress', gateway.url],
      ['PayAddress', provider.url],
      ['EpayId', merchant.pid],
      ['EpayKey', merchant.key],
      ['StripeSecretKey', 'sk_test_of_the_account'],
      ['StripeWebhookSecret', endpointSecret],
    ] as const)
      await operator.option(key, value)
  })
  afterAll(async () => {
    await gateway?.stop()
    await stripe?.stop()
    await provider?.stop()
  })

  /** Orders `amount` units, and sends the form to the cashier as a browser would. */
  async function order(amount: number, buyer: Operator = operator): Promise<string> {
    const body = { amount, payment_method: 'zfb' }
    const reply = (await buyer.call('POST', '/api/user/pay', body)) as unknown as Placed
    expect(reply.message).toBe('success')
    const cashier = await fetch(reply.url, { method: 'POST', body: new URLSearchParams(reply.data) })
    expect(await cashier.text()).toBe('scan to pay')
    return reply.trade_no
  }

  async function auditIsClean(): Promise<void> {
    await gateway.kill()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    await gateway.start()
  }

  it('says in the log why a notice of the merchant credits nothing', async () => {
    const tradeNo = await order(3)
    const before = await operator.quota()
    const notify = async (key: string, change: Readonly<Record<string, string>> = {}) => {
      await operator.option('EpayKey', key)
      const reply = await fetch(`${gateway.url}/api/user/epay/notify?${provider.notice(tradeNo, change)}`)
      await operator.option('EpayKey', merchant.key)
      expect(await reply.text()).toBe('fail')
    }
    const logged = (text: string) => until(() => gateway.logs().includes(text))
    await notify('a key with a slip')
    await logged('because of its signature')
    await notify(merchant.key, { pid: '10510' })
    await logged('because of its merchant')
    await notify(merchant.key, { out_trade_no: 'USR1NOgone1764000000' })
    await logged('its number, which no order has')
    expect(gateway.logs()).not.toContain(merchant.key)
    expect(await operator.quota()).toBe(before)
    expect(await provider.tell(tradeNo)).toBe('success')
  })

  it('redeems a code once of a hundred times at once', async () => {
    const [key = ''] = await operator.api<string[]>('POST', '/api/redemption/', {
      name: 'race',
      quota: 1234,
      count: 1,
    })
    const before = await operator.quota()
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => operator.call<number>('POST', '/api/user/topup', { key })),
    )
    expect(replies.filter(({ success, data }) => success && data === 1234)).toHaveLength(1)
    expect(new Set(replies.filter(({ success }) => !success).map(({ code }) => code))).toEqual(
      new Set(['redemption_already_used']),
    )
    expect((await operator.quota()) - before).toBe(1234)
    await gateway.restart('SIGKILL')
    expect((await operator.quota()) - before).toBe(1234)
  })

  it('credits an order once for two hundred notices, none of which must wait', async () => {
    const before = await operator.quota()
    const tradeNo = await order(2)
    const replies = await Promise.all(Array.from({ length: 200 }, () => provider.tell(tradeNo)))
    expect(new Set(replies)).toEqual(new Set(['success']))
    expect((await operator.quota()) - before).toBe(2 * unit)
    const { items } = await operator.api<{ items: { status: string }[] }>(
      'GET',
      `/api/topup/?trade_no=${tradeNo}`,
    )
    expect(items).toMatchObject([{ status: 'success', provider_trade_no: `2026${tradeNo}`, money: '14.60' }])
  })

  it('takes no notice that is forged, about less money, or for another merchant', async () => {
    const before = await operator.quota()
    const tradeNo = await order(3)
    const send = async (fields: URLSearchParams) => {
      const response = await fetch(`${provider.notifyUrl(tradeNo)}?${fields}`)
      return `${response.status} ${await response.text()}`
    }
    const forged = provider.notice(tradeNo)
    forged.set('sign', 'f'.repeat(32))
    expect(await send(forged)).toBe('401 fail')
    const cheaper = provider.notice(tradeNo)
    cheaper.set('money', '0.01')
    expect(await send(cheaper)).toBe('401 fail')
    expect(await send(provider.notice(tradeNo, { money: '0.01' }))).toBe('200 fail')
    expect(await send(provider.notice(tradeNo, { pid: '1002' }))).toBe('200 fail')
    expect(await operator.quota()).toBe(before)
    expect(await send(provider.notice(tradeNo))).toBe('200 success')
    expect((await operator.quota()) - before).toBe(3 * unit)
  })

  it('credits a notice once although the gateway is killed, and confirms none that it loses', async () => {
    const before = await operator.quota()
    const rounds = 6
    for (let round = 0; round < rounds; round += 1) {
      const tradeNo = await order(1)
      const reported = Array.from({ length: 4 }, () => provider.tell(tradeNo))
      await Bun.sleep(round * 4)
      await gateway.kill('SIGKILL')
      const heard = await Promise.all(reported)
      await gateway.start()
      const quota = await operator.quota()
      if (heard.includes('success')) expect(quota - before).toBe((round + 1) * unit)
      await until(async () => ((await provider.tell(tradeNo)) === 'success' ? true : undefined))
      expect((await operator.quota()) - before).toBe((round + 1) * unit)
    }
  })

  it('gives an inviter the held share when the invited has paid, once, and not for a code', async () => {
    await operator.option('QuotaForInviter', String(unit))
    await operator.option('HoldInviterQuotaEnabled', 'true')
    const aff_code = await operator.api<string>('GET', '/api/user/aff')
    const ann = { username: 'ann', password: 'a long password' }
    const body = JSON.stringify({ ...ann, aff_code })
    await fetch(`${gateway.url}/api/user/register`, { method: 'POST', body })
    const invited = await logIn(gateway.url, ann)
    const earned = async () => {
      const { aff_count, aff_quota } = await operator.api<Earnings>('GET', '/api/user/self')
      return [aff_count, aff_quota]
    }
    expect(await earned()).toEqual([1, 0])
    const [key] = await operator.api<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      quota: 5,
      count: 1,
    })
    expect((await invited.call('POST', '/api/user/topup', { key })).success).toBe(true)
    expect(await earned()).toEqual([1, 0])
    const tradeNo = await order(1, invited)
    await Promise.all(Array.from({ length: 20 }, () => provider.tell(tradeNo)))
    expect(await earned()).toEqual([1, unit])
    await provider.tell(await order(1, invited))
    expect(await earned()).toEqual([1, unit])
  })

  it('sells through Stripe Checkout', async () => {
    const before = await operator.quota()
    const body = { amount: 4, payment_method: 'stripe' }
    const reply = (await operator.call('POST', '/api/user/pay', body)) as unknown as Placed
    expect(reply).toMatchObject({ message: 'success', http_method: 'GET' })
    const event = stripe.event('checkout.session.completed')
    const deliver = async (signature: string) => {
      const response = await fetch(`${gateway.url}/api/user/stripe/webhook`, {
        method: 'POST',
        headers: { 'stripe-signature': signature },
        body: event,
      })
      return response.status
    }
    const old = Math.floor(Date.now() / 1000) - 600
    expect(await deliver(await stripeSignature(event, 'whsec_of_another'))).toBe(401)
    expect(await deliver(await stripeSignature(event, endpointSecret, old))).toBe(401)
    expect(await operator.quota()).toBe(before)
    const signature = await stripeSignature(event, endpointSecret)
    const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(signature)))
    expect(new Set(replies)).toEqual(new Set([200]))
    expect((await operator.quota()) - before).toBe(4 * unit)
    expect(gateway.logs()).not.toContain('sk_test_of_the_account')
  })

  it('credits nothing beyond what a balance holds, on any road, and says how much fits', async () => {
    const before = await operator.quota()
    const max = Number.MAX_SAFE_INTEGER
    // The most that a code may have.
    const largest = 10 ** 15
    const codes = async (quota: number, count = 1) => {
      const body = { name: 'much', quota, count }
      const keys = await operator.api<string[]>('POST', '/api/redemption/', body)
      return keys.map((key) => () => operator.call('POST', '/api/user/topup', { key }))
    }
    const fill = [...(await codes(largest, 9)), ...(await codes(max - before - 9 * largest - 5))]
    for (const redeem of fill) expect((await redeem()).success).toBe(true)
    const [[more], [muchMore]] = [await codes(6), await codes(largest)]
    if (more === undefined || muchMore === undefined) throw new Error('no codes')
    for (const redeem of [more, muchMore]) {
      const refused = await redeem()
      expect([refused.success, refused.code]).toEqual([false, 'balance_out_of_range'])
      expect(refused.message).toContain(
        `quota: a balance must stay between -${max} and ${max}. It is ${max - 5}`,
      )
      expect(refused.message).toContain('at most 5')
    }
    const tradeNo = await order(1)
    expect(await provider.tell(tradeNo)).not.toBe('success')
    expect(await operator.quota()).toBe(max - 5)
    await operator.api('PUT', '/api/user/', { id: operator.userId, quota: before })
    expect(await provider.tell(tradeNo)).toBe('success')
    expect((await more()).success).toBe(true)
    expect(await operator.quota()).toBe(before + unit + 6)
    await operator.api('PUT', '/api/user/', { id: operator.userId, quota: before })
  })

  it('has books that balance after all of it', auditIsClean)
}

interface Earnings {
  readonly aff_count: number
  readonly aff_quota: number
}

interface Placed {
  readonly message: string
  readonly url: string
  readonly trade_no: string
  readonly data: Record<string, string>
}

describe('the wallet over SQLite', () => walletStory(async () => ({})))

describe.skipIf(!hasPostgres())('the wallet over PostgreSQL', () => {
  let postgres: Postgres
  afterAll(() => postgres?.stop())
  walletStory(async () => {
    postgres = await startPostgres()
    return { DATABASE_URL: await postgres.createDatabase() }
  })
})
