import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, loggedIn, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type StripeApi, startStripeApi, stripeSignature } from '../../support/services/stripe-api.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const endpointSecret = 'whsec_of_the_endpoint'
const unit = 500_000
/** As long as a name may be. */
const longName = 'a-name-of-thirty-two-characters-'

let stripe: StripeApi
let gateway: Tollgate
let operator: Operator
let ann: Operator
let browser: Browser
let page: Page
let complaints: readonly string[]

const row = (tradeNo: string) => page.getByRole('row', { name: new RegExp(tradeNo) })
const table = () => page.getByRole('table', { name: 'Orders' })

/** An order of $`amount` by Stripe. */
async function order(buyer: Operator, amount: number, isPaid = true): Promise<string> {
  const body = { amount, payment_method: 'stripe' }
  const placed = (await buyer.call('POST', '/api/user/pay', body)) as unknown as { trade_no: string }
  if (isPaid) await deliver(stripe.event('checkout.session.completed'))
  return placed.trade_no
}

async function deliver(event: string): Promise<void> {
  const response = await fetch(`${gateway.url}/api/user/stripe/webhook`, {
    method: 'POST',
    headers: { 'stripe-signature': await stripeSignature(event, endpointSecret) },
    body: event,
  })
  expect(response.status).toBe(200)
}

describe.skipIf(!hasChromium())('orders in a browser', () => {
  const orders: Record<'paid' | 'pending' | 'refunded' | 'disputed' | 'lost', string> = {
    paid: '',
    pending: '',
    refunded: '',
    disputed: '',
    lost: '',
  }

  beforeAll(async () => {
    stripe = startStripeApi()
    gateway = await startTollgate({
      env: {
        STRIPE_API_URL: stripe.url.origin,
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
        CRITICAL_RATE_LIMIT: '1000',
      },
    })
    operator = await operate(gateway.url)
    for (const [key, value] of [
      ['ServerAddress', gateway.url],
      ['StripeSecretKey', 'sk_test_of_the_account'],
      ['StripeWebhookSecret', endpointSecret],
      ['StripePrice', '1'],
    ] as const)
      await operator.option(key, value)
    ann = await addUser(gateway, 'ann', 0)
    ;({ browser, page, complaints } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await stripe?.stop()
  })

  it('says where payments will be, before there are any', async () => {
    await page.goto(`${gateway.url}/orders`)
    await page.getByText('No orders yet').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('lists everybody’s, with state, price, credit and both names', async () => {
    const other = await addUser(gateway, longName, 0)
    orders.paid = await order(ann, 4)
    orders.refunded = await order(other, 20)
    stripe.refund(500)
    await deliver(stripe.paymentEvent('charge.refunded'))
    orders.disputed = await order(ann, 7)
    stripe.dispute(700)
    await deliver(stripe.paymentEvent('charge.dispute.created'))
    orders.lost = await order(ann, 8)
    stripe.dispute(800, 'lost')
    await deliver(stripe.paymentEvent('charge.dispute.closed'))
    orders.pending = await order(ann, 10, false)

    await page.goto(`${gateway.url}/orders`)
    await row(orders.pending).getByText('Waiting for payment').waitFor()
    expect(await row(orders.paid).textContent()).toMatch(/ann.*Paid.*\$4\.00.*cs_test_1/)
    expect(await row(orders.refunded).textContent()).toMatch(/Refunded.*\$20\.00.*\$15\.00of \$20\.00/)
    expect(await row(orders.disputed).textContent()).toMatch(/Disputed.*\$0\.00of \$7\.00/)
    expect(await row(orders.lost).textContent()).toContain('Charged back')
    expect(await brokenRules(page)).toEqual([])
  })

  it('keeps cards on a phone low, and nothing scrolls sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const cards = page.getByRole('list', { name: 'Orders' }).getByRole('listitem')
    await cards.first().waitFor()
    for (const card of await cards.all()) expect((await card.boundingBox())?.height).toBeLessThanOrEqual(120)
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    await table().waitFor()
    expect(await width()).toBeLessThanOrEqual(1440)
  })

  it('filters by state, user, either name and time, all of it in the address', async () => {
    const rows = async () => (await table().getByRole('row').count()) - 1
    for (const [search, found] of [
      ['status=disputed', orders.disputed],
      ['status=charged_back', orders.lost],
      ['status=success', orders.paid],
      [`user=${longName}`, orders.refunded],
      ['id=cs_test_1', orders.paid],
      [`id=${orders.pending}`, orders.pending],
    ] as const) {
      await page.goto(`${gateway.url}/orders?${search}`)
      await row(found).waitFor()
      expect([search, await rows()]).toEqual([search, 1])
    }
    await page.goto(`${gateway.url}/orders?provider=epay`)
    await page.getByText('No results').waitFor()
    await page.goto(`${gateway.url}/orders`)
    await page.getByRole('button', { name: /^Time: Any time/ }).click()
    await page.getByRole('radio', { name: 'Last month' }).click()
    await page.waitForURL((url) => url.searchParams.get('range') === 'last-month')
    await page.getByText('No results').waitFor()
    await page.goto(`${gateway.url}/orders?range=month`)
    await row(orders.paid).waitFor()
    expect(await rows()).toBe(5)
  })

  it('completes an order by hand, once, after a proof of who does it', async () => {
    const before = await ann.quota()
    await expireRecentProofs(gateway)
    await page.goto(`${gateway.url}/orders?status=pending`)
    await row(orders.pending)
      .getByRole('button', { name: /^Actions for order/ })
      .click()
    await page.getByRole('menuitem', { name: 'Complete order' }).click()
    const question = page.getByRole('alertdialog', { name: 'Add $10.00 to ann’s balance?' })
    expect(await question.textContent()).toContain('$10.00 arrived at the provider')
    expect(await brokenRules(page, [[1440, 'light']])).toEqual([])
    await question.getByRole('button', { name: 'Add $10.00' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await proof.getByRole('textbox', { name: 'Password' }).fill(rootAccount.password)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Order completed: $10.00 added to ann’s balance.').waitFor()
    await row(orders.pending).getByText('Paid').waitFor()
    await until(async () => ((await ann.quota()) === before + 10 * unit ? true : undefined))
    const { items } = await operator.api<{ items: { action: string; target_name: string }[] }>(
      'GET',
      '/api/audit_log/?p=1&page_size=1&action=top-up-order.complete',
    )
    expect(items).toMatchObject([{ target_name: orders.pending }])
    // The provider's notice comes late, and credits nothing.
    await deliver(stripe.event('checkout.session.completed'))
    expect(await ann.quota()).toBe(before + 10 * unit)
    await row(orders.pending)
      .getByRole('button', { name: /^Actions for order/ })
      .click()
    await page.getByRole('menuitem', { name: 'Copy order number' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Complete order' }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('is read in Chinese too', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto(`${gateway.url}/orders`)
    await page.getByRole('heading', { name: '充值订单' }).waitFor()
    await page.getByText('已拒付').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.evaluate(() => localStorage.setItem('language', 'en'))
  })

  it('says what could not be loaded, and who may see it', async () => {
    const address = `${gateway.url}/api/topup/?*`
    await page.route(address, (route) => route.fulfill({ status: 500 }))
    await page.goto(`${gateway.url}/orders`)
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await retry.click()
    await row(orders.paid).waitFor()
    const storageState = await loggedIn(gateway.url, { username: 'ann', password: 'a-long-password' })
    const context = await browser.newContext({ locale: 'en-US', storageState })
    const theirs = await context.newPage()
    await theirs.goto(`${gateway.url}/orders`)
    await theirs.getByText('Only administrators can open this page').waitFor()
    await context.close()
  })

  it('met no error in the browser on its way but those that it was sent', () => {
    expect(complaints.filter((text) => !text.includes('500'))).toEqual([])
  })
})
