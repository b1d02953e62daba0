import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { epaySignature } from '../../../wallet/top-up/epay.ts'
import { epayKey, walletFixture } from '../test-support/wallet-fixture.ts'

type Fixture = Awaited<ReturnType<typeof walletFixture>>

let fixture: Fixture

beforeAll(async () => {
  fixture = await walletFixture()
})
afterAll(closeTestStores)

const order = async (tradeNo: string) => {
  const found = await fixture.store.topUpOrders.findByTradeNo(tradeNo)
  if (found === undefined) throw new Error(`there is no order ${tradeNo}`)
  return found
}

async function placed(amount = 10) {
  const ann = await fixture.person()
  const response = await ann.call('POST', '/api/user/pay', { amount, payment_method: 'zfb' })
  return { ann, tradeNo: response['trade_no'] as string, fields: response['data'] as Record<string, string> }
}

const noticeOf = (tradeNo: string, change: Record<string, string> = {}) => ({
  pid: '1001',
  trade_no: `pay-${tradeNo}`,
  out_trade_no: tradeNo,
  type: 'alipay',
  name: 'TUC10',
  money: '73.00',
  trade_status: 'TRADE_SUCCESS',
  ...change,
})

describe('an amount', () => {
  it('responds with its price, in the shape of the wallet', async () => {
    const ann = await fixture.person()
    const amount = (body: object) => ann.call('POST', '/api/user/amount', body)
    expect(await amount({ amount: 10, top_up_code: '' })).toEqual({
      message: 'success',
      data: '73.00',
    })
    const vip = await fixture.person({ group: 'vip' })
    expect((await vip.call('POST', '/api/user/amount', { amount: 10 }))['data']).toBe('36.50')
    expect(await amount({ amount: 0 })).toEqual({
      message: 'error',
      data: 'The top-up amount cannot be less than 1',
      code: 'top_up_amount_low',
    })
    for (const bad of ['10', 1.5, null, -1, Number.MAX_SAFE_INTEGER])
      expect(await amount({ amount: bad })).toMatchObject({ message: 'error' })
    for (const body of ['{"amount":1e309}', '{"amount":NaN}', '{}', '[]', 'amount=10']) {
      const response = await ann.call('POST', '/api/user/amount', body)
      expect(response).toMatchObject({ message: 'error', code: 'invalid_parameter' })
    }
  })

  it('is refused before payment is set up, as paying is', async () => {
    const bare = await walletFixture({ settings: { EpayId: '' } })
    const ann = await bare.person()
    const amount = await ann.call('POST', '/api/user/amount', { amount: 10 })
    expect(amount).toMatchObject({ message: 'error', code: 'top_up_not_configured' })
    const pay = await ann.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' })
    expect(pay).toMatchObject({ message: 'error', code: 'top_up_not_configured' })
    expect((await ann.call('GET', '/api/user/topup/info'))['data'].enable_online_topup).toBe(false)
  })
})

describe('paying', () => {
  it('answers a form signed for the provider, and stores the order first', async () => {
    const { ann, tradeNo, fields } = await placed()
    expect(tradeNo).toMatch(new RegExp(`^USR${ann.id}NO[0-9A-Za-z]{6}1800000000$`))
    const { sign, ...rest } = fields
    expect(rest).toEqual({
      pid: '1001',
      type: 'alipay',
      out_trade_no: tradeNo,
      notify_url: 'https://gate.example/api/user/epay/notify',
      return_url: 'https://gate.example/log',
      name: 'TUC10',
      money: '73.00',
      device: 'pc',
      sign_type: 'MD5',
    })
    expect(sign).toBe(epaySignature(rest, epayKey))
    expect(await order(tradeNo)).toMatchObject({
      userId: ann.id,
      status: 'pending',
      provider: 'epay',
      method: 'zfb',
      quota: 5_000_000,
      moneyMinor: 7300,
      currency: 'cny',
    })
  })

  it('goes to the address of the provider, and back to the one for callbacks', async () => {
    const other = await walletFixture({ settings: { CustomCallbackAddress: 'https://back.example/' } })
    const ann = await other.person()
    const response = await ann.call('POST', '/api/user/pay', { amount: 1, payment_method: 'wx' })
    expect(response).toMatchObject({ url: 'https://pay.example/submit.php', http_method: 'POST' })
    expect(response['data']).toMatchObject({
      type: 'wxpay',
      notify_url: 'https://back.example/api/user/epay/notify',
    })
  })

  it('credits the points that are paid for where points are shown', async () => {
    const points = await walletFixture({ settings: { DisplayInCurrencyEnabled: 'false' } })
    const ann = await points.person()
    const response = await ann.call('POST', '/api/user/pay', { amount: 750_000, payment_method: 'zfb' })
    expect(response['data'].money).toBe('10.95')
    const notice = noticeOf(response['trade_no'], { money: '10.95' })
    expect(await points.notify(notice)).toBe('200 success')
    expect(await ann.quota()).toBe(750_000)
  })

  it('is refused for ways that are not offered, and without the server address', async () => {
    const ann = await fixture.person()
    const pay = (method: unknown) => ann.call('POST', '/api/user/pay', { amount: 1, payment_method: method })
    for (const method of ['stripe', '', 'toString'])
      expect((await pay(method))['code']).toBe('top_up_method_unknown')
    const bare = await walletFixture({ settings: { ServerAddress: '' } })
    const bob = await bare.person()
    expect((await bob.call('POST', '/api/user/pay', { amount: 1, payment_method: 'zfb' }))['code']).toBe(
      'top_up_server_address_missing',
    )
  })
})

describe('a notice of payment', () => {
  it.each(['GET', 'POST'] as const)(
    'by %s credits the order once, however often it comes',
    async (method) => {
      const { ann, tradeNo } = await placed()
      const responseBodies = await Promise.all(
        Array.from({ length: 100 }, () => fixture.notify(noticeOf(tradeNo), method)),
      )
      expect(new Set(responseBodies)).toEqual(new Set(['200 success']))
      expect(await fixture.notify(noticeOf(tradeNo), method)).toBe('200 success')
      expect(await ann.quota()).toBe(5_000_000)
      expect(await order(tradeNo)).toMatchObject({ status: 'success', providerTradeNo: `pay-${tradeNo}` })
      const { rows } = await fixture.store.usage.page({ userId: ann.id }, 1, 10)
      expect(rows).toMatchObject([
        {
          type: 'top-up',
          quota: 5_000_000,
          content: 'Online top-up 5000000 points of quota, paid 73.00 CNY',
        },
      ])
      expect(await fixture.store.audit.findings()).toEqual([])
    },
  )

  it('credits nothing when it is forged', async () => {
    const { ann, tradeNo, fields } = await placed()
    expect(await fixture.notify({ ...noticeOf(tradeNo), sign: 'f'.repeat(32) })).toBe('401 fail')
    // Signed for the cashier, by us: it says nothing of a payment.
    expect(await fixture.notify(fields)).toBe('200 fail')
    const signed = { ...noticeOf(tradeNo), sign: epaySignature(noticeOf(tradeNo), epayKey) }
    expect(await fixture.notify({ ...signed, money: '0.01' })).toBe('401 fail')
    const twice = `${new URLSearchParams(signed)}&out_trade_no=${tradeNo}`
    expect((await fixture.raw('GET', `/api/user/epay/notify?${twice}`)).status).toBe(401)
    expect((await fixture.raw('GET', '/api/user/epay/notify')).status).toBe(401)
    expect(await ann.quota()).toBe(0)
    expect((await order(tradeNo)).status).toBe('pending')
  })

  it('credits nothing when it is not about this payment', async () => {
    const { ann, tradeNo } = await placed()
    for (const change of [
      { money: '72.99' },
      { money: '73.001' },
      { money: '' },
      { pid: '1002' },
      { trade_status: 'WAIT_BUYER_PAY' },
      { trade_status: '' },
      { out_trade_no: `${tradeNo}0` },
      { out_trade_no: '' },
    ])
      expect(await fixture.notify(noticeOf(tradeNo, change))).toBe('200 fail')
    expect(await ann.quota()).toBe(0)
    expect(await fixture.notify(noticeOf(tradeNo, { money: '73' }))).toBe('200 success')
    expect(await ann.quota()).toBe(5_000_000)
  })

  it('is never accepted while there is no key', async () => {
    const unset = await walletFixture({ settings: { EpayKey: '' } })
    const notice = noticeOf('USR1NOany')
    expect(await unset.notify({ ...notice, sign: epaySignature(notice, '') })).toBe('401 fail')
  })

  it('is not answered with success when the credit fails, and comes again', async () => {
    const { ann, tradeNo } = await placed()
    const { credit } = fixture.ledger
    fixture.ledger.credit = () => Promise.reject(new Error('disk full'))
    expect(await fixture.notify(noticeOf(tradeNo))).toBe('500 fail')
    fixture.ledger.credit = credit
    expect((await order(tradeNo)).status).toBe('pending')
    expect(await fixture.notify(noticeOf(tradeNo))).toBe('200 success')
    expect(await ann.quota()).toBe(5_000_000)
  })

  it('credits an order that had been given up', async () => {
    const { ann, tradeNo } = await placed()
    await fixture.store.topUpOrders.markUnpaid((await order(tradeNo)).id, 'expired', 5)
    expect(await fixture.notify(noticeOf(tradeNo))).toBe('200 success')
    expect(await ann.quota()).toBe(5_000_000)
  })
})

describe('orders', () => {
  it('are listed to their owner, and to administrators with every filter', async () => {
    const { ann, tradeNo } = await placed(20)
    const other = await placed()
    const admin = await fixture.person({ role: 'admin' })
    const own = await ann.call('GET', '/api/user/topup/orders?p=1&page_size=5')
    expect(own['data']).toMatchObject({ total: 1, page: 1, page_size: 5 })
    const wire = {
      id: (await order(tradeNo)).id,
      user_id: ann.id,
      trade_no: tradeNo,
      provider: 'epay',
      payment_method: 'zfb',
      quota: 10_000_000,
      money: '146.00',
      refunded_money: '0.00',
      disputed_money: '0.00',
      currency: 'cny',
      status: 'pending',
      reversal: 'none',
      refunded_quota: 0,
      disputed_quota: 0,
      create_time: 1_800_000_000,
      complete_time: 0,
      provider_trade_no: '',
    }
    expect(own['data'].items).toEqual([wire])
    const list = async (query: string) => {
      const { data } = await admin.call('GET', `/api/topup/?${query}`)
      return data.items.map((item: { trade_no: string }) => item.trade_no)
    }
    const found = (await admin.call('GET', `/api/topup/?trade_no=${tradeNo}`))['data']
    expect(found).toMatchObject({ total: 1, items: [{ ...wire, username: ann.username }] })
    expect(await list(`user_id=${ann.id}`)).toEqual([tradeNo])
    expect(await list(`username=${ann.username}&status=pending&provider=epay`)).toEqual([tradeNo])
    expect(await list(`username=${ann.username}&user_id=${other.ann.id}`)).toEqual([])
    expect(await list('username=nobody')).toEqual([])
    expect(await list(`user_id=${ann.id}&status=success`)).toEqual([])
    expect(await list(`user_id=${ann.id}&start_timestamp=1800000001`)).toEqual([])
    expect((await list('p=1&page_size=2')).slice(0, 2)).toEqual([other.tradeNo, tradeNo])
    expect((await ann.call('GET', '/api/topup/'))['code']).toBe('permission_denied')
    const named = await ann.call('GET', `/api/user/topup/orders?user_id=${other.ann.id}`)
    expect(named['data'].items).toEqual([wire])
  })

  it('are completed by hand for lower ranks alone, and by root for itself', async () => {
    const admin = await fixture.person({ role: 'admin' })
    const peer = await fixture.person({ role: 'admin' })
    const root = await fixture.person({ role: 'root' })
    const orderOf = async (who: typeof admin): Promise<string> =>
      (await who.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' }))['trade_no']
    const complete = async (who: typeof admin, trade_no: string) =>
      (await who.call('POST', '/api/topup/complete', { trade_no }))['code'] ?? 'done'
    for (const owner of [admin, peer, root]) {
      const tradeNo = await orderOf(owner)
      expect(await complete(admin, tradeNo)).toBe('top_up_rank_too_high')
      expect([await owner.quota(), (await order(tradeNo)).status]).toEqual([0, 'pending'])
      expect(await complete(root, tradeNo)).toBe('done')
      expect(await owner.quota()).toBeGreaterThan(0)
    }
  })

  it('are completed by hand once, which is written down', async () => {
    const { ann, tradeNo } = await placed()
    const admin = await fixture.person({ role: 'admin' })
    const complete = (trade_no: string) => admin.call('POST', '/api/topup/complete', { trade_no })
    for (let times = 0; times < 2; times += 1)
      expect(await complete(tradeNo)).toMatchObject({ success: true, data: { status: 'success' } })
    expect(await fixture.notify(noticeOf(tradeNo))).toBe('200 success')
    expect(await ann.quota()).toBe(5_000_000)
    const auditEvents = await fixture.store.auditLog.page(
      { action: 'top-up-order.complete', targetId: (await order(tradeNo)).id },
      { offset: 0, limit: 10 },
    )
    expect(auditEvents.rows).toMatchObject([{ actorId: admin.id, targetName: tradeNo, address: '192.0.2.1' }])
    expect((await complete('USR0NOnone'))['code']).toBe('record_not_found')
    expect((await ann.call('POST', '/api/topup/complete', { trade_no: tradeNo }))['code']).toBe(
      'permission_denied',
    )
  })
})

describe('the wallet page', () => {
  it('gets everything that it offers', async () => {
    const vip = await fixture.person({ group: 'vip' })
    expect((await vip.call('GET', '/api/user/topup/info'))['data']).toEqual({
      enable_online_topup: true,
      methods: [
        { method: 'zfb', provider: 'epay', currency: 'cny', price: 7.3 },
        { method: 'wx', provider: 'epay', currency: 'cny', price: 7.3 },
      ],
      group_ratio: 0.5,
      display_in_currency: true,
      quota_per_unit: 500_000,
      min_amount: 1,
      presets: [1, 2, 5, 10, 20, 50, 100],
      top_up_link: '',
    })
  })
})
