import { expect, it, onTestFinished, spyOn } from 'bun:test'
import { calls, type TopUpInfo, type WireTopUpOrder } from '@tollgate/api'
import { customer } from '../../test-support/people.ts'
import { describePage, Refusal, screen, waitFor, within } from '../../test-support/render-page.tsx'

const closed: TopUpInfo = {
  enable_online_topup: false,
  methods: [],
  group_ratio: 1,
  display_in_currency: true,
  quota_per_unit: 500_000,
  min_amount: 2,
  presets: [4, 20],
  top_up_link: '',
}
const open: TopUpInfo = {
  ...closed,
  enable_online_topup: true,
  methods: [
    { method: 'zfb', provider: 'epay', currency: 'cny', price: 7.3 },
    { method: 'wx', provider: 'epay', currency: 'cny', price: 7.3 },
    { method: 'stripe', provider: 'stripe', currency: 'usd', price: 1 },
  ],
  top_up_link: 'https://shop.example/codes',
}
const waiting: WireTopUpOrder = {
  id: 1,
  user_id: 3,
  trade_no: 'order-1',
  provider: 'epay',
  payment_method: 'wx',
  quota: 5_000_000,
  money: '73.00',
  currency: 'cny',
  status: 'pending',
  reversal: 'none',
  refunded_quota: 0,
  refunded_money: '0.00',
  disputed_money: '0.00',
  disputed_quota: 0,
  create_time: 1_800_000_000,
  complete_time: 0,
  provider_trade_no: '',
}

const listOf = (items: readonly WireTopUpOrder[]) => ({
  items: [...items],
  total: items.length,
  page: 1,
  page_size: 10,
})

/** A form as the browser would send it. */
interface LeftFor {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Takes forms that leave the page in place of the browser. */
function watchForms(): readonly LeftFor[] {
  const left: LeftFor[] = []
  const submit = spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (
    this: HTMLFormElement,
  ) {
    const fields = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value] as const)
    left.push({ action: this.action, fields: Object.fromEntries(fields) })
    this.remove()
  })
  onTestFinished(() => submit.mockRestore())
  return left
}

const load = () => import('./page.tsx')

describePage('the wallet', load, (page) => {
  const press = async (name: string | RegExp, inside: HTMLElement = document.body) =>
    page.user.click(await within(inside).findByRole('button', { name }))

  it('redeems a code once, and says why another time does nothing', async () => {
    const { gateway, user } = page
    gateway.on(calls.wallet.info, closed)
    gateway.on(calls.wallet.orders, listOf([]))
    gateway.on(calls.wallet.redeem, 1_000_000)
    await page.open('/topup', { as: customer })
    await screen.findByText('The administrator has not enabled online top-up.')
    await screen.findByText('The root administrator has not set a top-up link')
    await press('Redeem code')
    await screen.findByText('Please enter redemption code')
    const box = screen.getByRole('textbox', { name: 'Redemption code' })
    expect(box.getAttribute('autocapitalize')).toBe('none')
    await user.type(box, ' abc ')
    await press('Redeem code')
    await screen.findByText('Redeemed: $2.00 was added to your balance.')
    expect(gateway.bodies(calls.wallet.redeem)).toEqual([{ key: 'abc' }])
    gateway.on(
      calls.wallet.redeem,
      new Refusal('the code has already been used', { code: 'redemption_used' }),
    )
    await user.type(box, 'abc')
    await press('Redeem code')
    await screen.findByText('the code has already been used')
  })

  it('shows what an amount costs, and posts the order to the cashier after a question', async () => {
    const { gateway, user } = page
    const left = watchForms()
    gateway.on(calls.wallet.info, open)
    gateway.on(calls.wallet.orders, listOf([]))
    gateway.on(calls.wallet.amount, ({ body }) => (body.amount * 7.3).toFixed(2))
    gateway.on(calls.wallet.pay, { pid: '1001', type: 'wxpay', money: '73.00' }, () => ({
      url: 'https://cashier.example/submit',
      http_method: 'POST' as const,
      trade_no: 'order-1',
    }))
    await page.open('/topup', { as: customer })
    const shop = await screen.findByRole('link', { name: 'Get a code' })
    expect(shop.getAttribute('href')).toBe('https://shop.example/codes')
    const amount = screen.getByRole('textbox', { name: 'Amount in dollars' })
    await user.clear(amount)
    await user.type(amount, '1')
    await press('Continue to payment')
    await screen.findByText('The top-up amount cannot be less than 2')
    await user.clear(amount)
    await user.type(amount, '10')
    await screen.findByText('CN¥73.00')
    await user.click(screen.getByRole('radio', { name: /WeChat Pay/ }))
    await press('Continue to payment')
    const question = await screen.findByRole('alertdialog', { name: 'Pay CN¥73.00 by WeChat Pay?' })
    await press('Pay CN¥73.00', question)
    await waitFor(() => expect(left).toHaveLength(1))
    expect(gateway.bodies(calls.wallet.pay)).toEqual([{ amount: 10, top_up_code: '', payment_method: 'wx' }])
    expect(left[0]?.action).toBe('https://cashier.example/submit')
    expect(left[0]?.fields).toEqual({ pid: '1001', type: 'wxpay', money: '73.00' })
  })

  it('leads to Stripe by its address, and never to a cashier without HTTPS', async () => {
    const { gateway, user } = page
    const left = watchForms()
    const assign = spyOn(window.location, 'assign').mockImplementation(() => {})
    onTestFinished(() => assign.mockRestore())
    gateway.on(calls.wallet.info, open)
    gateway.on(calls.wallet.orders, listOf([]))
    gateway.on(calls.wallet.amount, '4.00')
    const pay = async () => {
      await press('Continue to payment')
      await press(/^Pay /, await screen.findByRole('alertdialog'))
    }
    const checkout = { http_method: 'GET', url: 'https://checkout.example/c', trade_no: 'order-2' } as const
    gateway.on(calls.wallet.pay, {}, () => checkout)
    await page.open('/topup', { as: customer })
    await press('$4')
    await user.click(screen.getByRole('radio', { name: /Stripe/ }))
    await pay()
    await waitFor(() => expect(assign.mock.calls).toEqual([['https://checkout.example/c']]))
    gateway.on(calls.wallet.pay, {}, () => ({
      ...checkout,
      http_method: 'POST' as const,
      url: 'http://cashier.example',
    }))
    await press('$4')
    await pay()
    await screen.findByText(/does not use HTTPS/)
    expect(left).toEqual([])
  })

  it('lists what was ordered, narrowed by state in the address', async () => {
    const { gateway } = page
    gateway.on(calls.wallet.info, open)
    gateway.on(calls.wallet.amount, '2.00')
    gateway.on(calls.wallet.orders, ({ query }) => listOf(query.status === undefined ? [waiting] : []))
    await page.open('/topup', { as: customer })
    const table = await screen.findByRole('table', { name: 'Online top-ups' })
    await within(table).findByText('Waiting for payment')
    expect(table.textContent).toContain('WeChat Pay')
    await page.open('/topup?status=failed', { as: customer })
    await screen.findByText('No results')
  })

  it('continues the payment of a waiting order where it was left, or ends it', async () => {
    const { gateway } = page
    const left = watchForms()
    let isWaiting = true
    gateway.on(calls.wallet.info, open)
    gateway.on(calls.wallet.amount, '2.00')
    gateway.on(calls.wallet.orders, () => listOf([isWaiting ? waiting : { ...waiting, status: 'cancelled' }]))
    gateway.on(calls.wallet.resume, { pid: '1001', money: '73.00' }, () => ({
      url: 'https://cashier.example/submit',
      http_method: 'POST' as const,
      trade_no: 'order-1',
    }))
    gateway.on(calls.wallet.cancel, () => {
      isWaiting = false
      return { ...waiting, status: 'cancelled' as const }
    })
    await page.open('/topup', { as: customer })
    await press(/^Continue payment of CN¥73\.00/)
    await waitFor(() => expect(left.map(({ fields }) => fields)).toEqual([{ pid: '1001', money: '73.00' }]))
    await press('Cancel order')
    await press(
      'Cancel order',
      await screen.findByRole('alertdialog', { name: /^Cancel the top-up of CN¥73/ }),
    )
    await screen.findByText('Cancelled')
    expect(gateway.bodies(calls.wallet.resume)).toEqual([{ trade_no: 'order-1' }])
    expect(gateway.bodies(calls.wallet.cancel)).toEqual([{ trade_no: 'order-1' }])
    expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull()
  })

  it('says what could not be loaded, and loads it when asked again', async () => {
    const { gateway } = page
    gateway.on(calls.wallet.info, new Refusal('broken', { status: 500 }))
    gateway.on(calls.wallet.orders, listOf([]))
    gateway.on(calls.wallet.amount, '2.00')
    await page.open('/topup', { as: customer })
    await screen.findAllByRole('button', { name: 'Try again' })
    gateway.on(calls.wallet.info, open)
    await page.user.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement)
    await screen.findByRole('button', { name: 'Continue to payment' })
  })
})
