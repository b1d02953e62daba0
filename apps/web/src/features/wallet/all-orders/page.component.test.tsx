import { beforeEach, expect, it } from 'bun:test'
import { calls, type WireTopUpOrderWithUser } from '@tollgate/api'
import { watchDownloads } from '../../../test-support/downloads.ts'
import { customer } from '../../../test-support/people.ts'
import { describePage, Refusal, screen, waitFor, within } from '../../../test-support/render-page.tsx'

const unit = 500_000
const longName = 'a-name-of-thirty-two-characters-'

const paid: WireTopUpOrderWithUser = {
  id: 1,
  user_id: 2,
  username: 'ann',
  trade_no: 'order-paid',
  provider: 'stripe',
  payment_method: 'stripe',
  quota: 4 * unit,
  money: '4.00',
  currency: 'usd',
  status: 'success',
  reversal: 'none',
  refunded_quota: 0,
  disputed_quota: 0,
  refunded_money: '0.00',
  disputed_money: '0.00',
  settled_reference: '',
  settled_reason: '',
  create_time: 1_800_000_000,
  complete_time: 1_800_000_100,
  provider_trade_no: 'cs_test_1',
}
const pending: WireTopUpOrderWithUser = {
  ...paid,
  id: 5,
  trade_no: 'order-pending',
  quota: 10 * unit,
  money: '10.00',
  status: 'pending',
  complete_time: 0,
}
const refunded: WireTopUpOrderWithUser = {
  ...paid,
  id: 2,
  username: longName,
  trade_no: 'order-refunded',
  quota: 20 * unit,
  money: '20.00',
  reversal: 'refunded',
  refunded_quota: 5 * unit,
  refunded_money: '5.00',
}
const disputed: WireTopUpOrderWithUser = {
  ...paid,
  id: 3,
  trade_no: 'order-disputed',
  quota: 7 * unit,
  money: '7.00',
  reversal: 'disputed',
  disputed_quota: 7 * unit,
  disputed_money: '7.00',
}
const lost: WireTopUpOrderWithUser = { ...paid, id: 4, trade_no: 'order-lost', reversal: 'charged_back' }
const all = [pending, lost, disputed, refunded, paid]

const listOf = (items: readonly WireTopUpOrderWithUser[]) => ({
  items: [...items],
  total: items.length,
  page: 1,
  page_size: 50,
})

const load = () => import('./page.tsx')

describePage('the orders of everybody', load, (page) => {
  beforeEach(() => page.gateway.on(calls.topUpOrders.sums, []))
  const row = ({ trade_no }: WireTopUpOrderWithUser) =>
    screen.findByRole('row', { name: new RegExp(trade_no) })

  it('say where payments will be, before there are any', async () => {
    page.gateway.on(calls.topUpOrders.list, listOf([]))
    await page.open('/orders')
    await screen.findByText('No orders yet')
  })

  it('have state, price, credit and both names', async () => {
    page.gateway.on(calls.topUpOrders.list, listOf(all))
    await page.open('/orders')
    within(await row(pending)).getByText('Waiting for payment')
    expect((await row(paid)).textContent).toMatch(/ann.*Paid.*\$4\.00.*cs_test_1/)
    expect((await row(refunded)).textContent).toMatch(/Partly refunded.*\$20\.00.*\$15\.00of \$20\.00/)
    expect((await row(disputed)).textContent).toMatch(/Disputed.*\$0\.00of \$7\.00/)
    expect((await row(lost)).textContent).toContain('Charged back')
  })

  it('are narrowed by state, user, either name, provider and time, all of it in the address', async () => {
    page.gateway.on(calls.topUpOrders.list, listOf([paid]))
    for (const [search, query] of [
      ['status=disputed', { status: 'disputed' }],
      [`user=${longName}`, { username: longName }],
      ['id=cs_test_1', { trade_no: 'cs_test_1' }],
      ['provider=epay', { provider: 'epay' }],
    ] as const) {
      await page.open(`/orders?${search}`)
      await row(paid)
      expect(page.gateway.sent(calls.topUpOrders.list).at(-1)?.query).toMatchObject(query)
    }
  })

  it('are chosen by whole months, and say when a month has none', async () => {
    page.gateway.on(calls.topUpOrders.list, ({ query }) =>
      listOf(query.start_timestamp === undefined ? [paid] : []),
    )
    await page.open('/orders')
    await row(paid)
    await page.user.click(screen.getByRole('button', { name: /^Time: Any time/ }))
    await page.user.click(await screen.findByRole('radio', { name: 'Last month' }))
    await screen.findByText('No results')
    expect(page.address).toBe('/orders?range=last-month')
  })

  it('are completed by hand, once, after a question that names amount and person', async () => {
    const { user, gateway } = page
    gateway.on(calls.topUpOrders.list, listOf([pending]))
    gateway.on(calls.topUpOrders.complete, { ...pending, status: 'success', complete_time: 1_800_000_200 })
    await page.open('/orders?status=pending')
    const actions = { name: /^Actions for order/ }
    await user.click(within(await row(pending)).getByRole('button', actions))
    await user.click(await screen.findByRole('menuitem', { name: 'Complete order' }))
    const question = await screen.findByRole('dialog', { name: 'Add $10.00 to ann’s balance?' })
    expect(question.textContent).toContain('$10.00 arrived at the provider')
    await user.click(within(question).getByRole('button', { name: 'Add $10.00' }))
    await screen.findByText('Order completed: $10.00 added to ann’s balance.')
    expect(gateway.bodies(calls.topUpOrders.complete)).toEqual([{ trade_no: 'order-pending' }])
    await within(await row(pending)).findByText('Paid')
    await user.click(within(await row(pending)).getByRole('button', actions))
    await screen.findByRole('menuitem', { name: 'Copy order number' })
    expect(screen.queryAllByRole('menuitem', { name: 'Complete order' }).length).toBe(0)
  })

  it('are cancelled after a question, and saved as a file under the filter', async () => {
    const { user, gateway } = page
    const downloads = watchDownloads()
    gateway.on(calls.topUpOrders.list, listOf([pending]))
    gateway.on(calls.topUpOrders.cancel, { ...pending, status: 'cancelled' })
    gateway.onContent('/api/topup/export', ({ url }) => new Response(url.searchParams.get('status')))
    await page.open('/orders?status=pending')
    await user.click(within(await row(pending)).getByRole('button', { name: /^Actions for order/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Cancel order' }))
    const question = await screen.findByRole('alertdialog', { name: 'Cancel ann’s order of $10.00?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel order' }))
    await within(await row(pending)).findByText('Cancelled')
    expect(gateway.bodies(calls.topUpOrders.cancel)).toEqual([{ trade_no: 'order-pending' }])
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(downloads.files).toHaveLength(1))
    expect(await downloads.files[0]?.content.text()).toBe('pending')
  })

  it('that were paid elsewhere are completed with a reference and a reason', async () => {
    const { user, gateway } = page
    gateway.on(calls.topUpOrders.list, listOf([pending]))
    gateway.on(calls.topUpOrders.complete, { ...pending, status: 'success' })
    await page.open('/orders')
    await user.click(within(await row(pending)).getByRole('button', { name: /^Actions for order/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Complete order' }))
    const dialog = await screen.findByRole('dialog', { name: /^Add/ })
    await user.click(within(dialog).getByRole('radio', { name: /Settled elsewhere/ }))
    const add = within(dialog).getByRole('button', { name: 'Add $10.00' })
    expect(add.hasAttribute('disabled')).toBe(true)
    await user.type(within(dialog).getByLabelText(/Reference/), 'bank 4711')
    await user.type(within(dialog).getByLabelText(/Reason/), 'by bank')
    await user.click(add)
    await screen.findByText('Order completed: $10.00 added to ann’s balance.')
    const sent = { trade_no: 'order-pending', reference: 'bank 4711', reason: 'by bank' }
    expect(gateway.bodies(calls.topUpOrders.complete)).toEqual([sent])
  })

  it('are refunded in part, from what is left, and summed up by currency', async () => {
    const { user, gateway } = page
    gateway.on(calls.topUpOrders.list, listOf([refunded]))
    gateway.on(calls.topUpOrders.sums, [
      {
        currency: 'usd',
        orders: 1,
        paid: '20.00',
        refunded: '5.00',
        disputed: '0.00',
        net: '15.00',
        quota: 15 * unit,
      },
    ])
    gateway.on(calls.topUpOrders.refund, { ...refunded, refunded_money: '7.50' })
    await page.open('/orders')
    const sums = await screen.findByRole('region', { name: 'Sums of these orders' })
    expect(sums.textContent).toMatch(/Paid\$20\.00Refunded\$5\.00Net\$15\.00/)
    await user.click(within(await row(refunded)).getByRole('button', { name: /^Actions for order/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Refund' }))
    const dialog = await screen.findByRole('dialog', { name: /^Refund/ })
    const money = within(dialog).getByLabelText(/^Refund/) as HTMLInputElement
    expect(money.value).toBe('15.00')
    await user.clear(money)
    await user.type(money, '15.01')
    within(dialog).getByText('Enter an amount up to $15.00')
    await user.clear(money)
    await user.type(money, '2.50')
    within(dialog).getByText(/Takes \$2\.50 from the balance/)
    await user.click(within(dialog).getByRole('button', { name: 'Refund $2.50' }))
    await screen.findByText('Refunded $2.50.')
    const sent = {
      trade_no: 'order-refunded',
      money: '2.50',
      refunded_money: '5.00',
      by_hand: false,
      reason: '',
    }
    expect(gateway.bodies(calls.topUpOrders.refund)).toEqual([sent])
  })

  it('ask who it is before an order is completed, and go on with the proof', async () => {
    const { user, gateway } = page
    let isProven = false
    gateway.on(calls.topUpOrders.list, listOf([pending]))
    gateway.on(calls.topUpOrders.complete, () =>
      isProven
        ? { ...pending, status: 'success' as const }
        : new Refusal('Prove who you are', { code: 'recent_proof_required' }),
    )
    gateway.on(calls.proofs.ways, {
      password: true,
      code: false,
      passkey: false,
      providers: [],
      proven_until: 0,
    })
    gateway.on(calls.proofs.byPassword, () => {
      isProven = true
      return undefined
    })
    await page.open('/orders')
    await user.click(within(await row(pending)).getByRole('button', { name: /^Actions for order/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Complete order' }))
    const question = await screen.findByRole('dialog', { name: /^Add/ })
    await user.click(within(question).getByRole('button', { name: 'Add $10.00' }))
    const proof = await screen.findByRole('dialog', { name: 'Confirm that it’s you' })
    await user.type(await within(proof).findByLabelText(/Password/), 'correct-horse-battery')
    await user.click(within(proof).getByRole('button', { name: 'Confirm' }))
    await screen.findByText('Order completed: $10.00 added to ann’s balance.')
  })

  it('are read in Chinese too', async () => {
    page.gateway.on(calls.topUpOrders.list, listOf(all))
    await page.open('/orders', { language: 'zh' })
    await screen.findByRole('heading', { name: '充值订单' })
    await screen.findByText('已拒付')
  })

  it('say what could not be loaded, load it when asked again, and are for administrators alone', async () => {
    page.gateway.on(calls.topUpOrders.list, new Refusal('broken', { status: 500 }))
    await page.open('/orders')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    page.gateway.on(calls.topUpOrders.list, listOf([paid]))
    await page.user.click(retry)
    await row(paid)
    await page.open('/orders', { as: customer })
    await screen.findByText(/Only administrators can open this page/)
  })
})
