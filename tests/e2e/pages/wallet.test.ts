import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import {
  brokenRules,
  deskAndPhone,
  everyLook,
  type Look,
  loggedIn,
  openConsole,
} from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type StripeApi, startStripeApi } from '../../support/services/stripe-api.ts'

setDefaultTimeout(deadline(60_000))

const account = { username: 'root', password: 'correct-horse-battery' }
/** A cashier that only the browser can see: the test fulfils its requests. */
const cashier = 'https://cashier.example'

interface Code {
  readonly id: number
  readonly name: string
  readonly key: string
  readonly status: number
  readonly quota: number
}

let stripe: StripeApi
let gateway: Tollgate
let operator: Operator
let browser: Browser
let page: Page
let complaints: readonly string[]

const codes = async (): Promise<readonly Code[]> =>
  (await operator.api<{ items: Code[] }>('GET', '/api/redemption/?p=1&page_size=100')).items
const codesNamed = async (name: string) => (await codes()).filter((code) => code.name === name)

/** Pages in every look, their sheets and dialogs in two. */
const broken = (looks: readonly Look[] = deskAndPhone) => brokenRules(page, looks)

describe.skipIf(!hasChromium())('codes and the wallet in a browser', () => {
  beforeAll(async () => {
    stripe = startStripeApi()
    gateway = await startTollgate({ env: { STRIPE_API_URL: stripe.url.origin, CRITICAL_RATE_LIMIT: '1000' } })
    operator = await operate(gateway.url)
    ;({ browser, page, complaints } = await openConsole(gateway.url, {
      path: '/redemption',
      reducedMotion: 'reduce',
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await stripe?.stop()
  })

  it('teaches the first code, and offers new ones as a file named after them', async () => {
    await page.goto(`${gateway.url}/redemption`)
    await page.getByText('No redemption codes yet').waitFor()
    expect(await broken()).toEqual([])
    await page.getByRole('link', { name: 'Create codes' }).first().click()
    const sheet = page.getByRole('dialog', { name: 'Create codes' })
    await sheet.getByRole('textbox', { name: 'Number of codes' }).fill('101')
    await sheet.getByRole('button', { name: 'Create 101 codes' }).click()
    await sheet.getByText('Enter a whole number from 1 to 100').waitFor()
    await sheet.getByRole('textbox', { name: 'Name' }).fill('spring gift')
    await sheet.getByRole('button', { name: '$10', exact: true }).click()
    await sheet.getByRole('textbox', { name: 'Number of codes' }).fill('3')
    expect(await broken()).toEqual([])
    await sheet.getByRole('button', { name: 'Create 3 codes' }).click()
    const ready = page.getByRole('dialog', { name: '3 codes are ready' })
    await ready.waitFor()
    expect(await broken()).toEqual([])
    const downloading = page.waitForEvent('download')
    await ready.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('spring gift.txt')
    const made = await codesNamed('spring gift')
    expect(made.map(({ quota }) => quota)).toEqual([5_000_000, 5_000_000, 5_000_000])
    const text = await Bun.file((await download.path()) ?? '').text()
    expect(text.split('\n').sort()).toEqual(made.map(({ key }) => key).sort())
    await ready.getByRole('button', { name: 'Done' }).click()
    await page.waitForURL((url) => url.pathname === '/redemption')
  })

  it('names a code that is given no name after what it is worth', async () => {
    await page.keyboard.press('c')
    const sheet = page.getByRole('dialog', { name: 'Create codes' })
    await sheet.getByRole('button', { name: 'Create code', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Your code is ready' })
      .getByRole('button', { name: 'Done' })
      .click()
    expect(await codesNamed('$0.20')).toMatchObject([{ quota: 100_000, status: 1 }])
  })

  it('disables, enables, edits and deletes one code', async () => {
    const row = page.getByRole('row', { name: /\$0\.20/ })
    await row.getByRole('button', { name: 'Disable $0.20' }).click()
    await row.getByRole('button', { name: 'Enable $0.20' }).waitFor()
    expect(await codesNamed('$0.20')).toMatchObject([{ status: 2 }])
    await row.getByText('Disabled').click()
    const view = page.getByRole('dialog', { name: 'Redemption code' })
    await view.getByText('Enable it in the list first').waitFor()
    await view.getByRole('button', { name: 'Close' }).click()
    await row.getByRole('button', { name: 'Enable $0.20' }).click()
    await row.getByRole('button', { name: 'Disable $0.20' }).waitFor()
    expect(await codesNamed('$0.20')).toMatchObject([{ status: 1 }])

    await row.getByRole('button', { name: 'More for $0.20' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const sheet = page.getByRole('dialog', { name: 'Edit code' })
    await sheet.getByRole('textbox', { name: 'Name' }).fill('welcome')
    await sheet.getByRole('textbox', { name: 'Value' }).fill('0.5')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /welcome/ }).waitFor()
    expect(await codesNamed('welcome')).toMatchObject([{ quota: 250_000, status: 1 }])

    const changed = page.getByRole('row', { name: /welcome/ })
    await changed.getByRole('button', { name: 'More for welcome' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete code' }).click()
    await changed.waitFor({ state: 'detached' })
    expect(await codesNamed('welcome')).toEqual([])
  })

  it('searches, filters and sorts on the server, with the state in the address', async () => {
    await operator.api('POST', '/api/redemption/', { name: 'autumn', quota: 77, count: 1 })
    await page.getByRole('searchbox').or(page.getByPlaceholder('Name or ID')).first().fill('autumn')
    await page.waitForURL((url) => url.searchParams.get('keyword') === 'autumn')
    await page.getByRole('row', { name: /autumn/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.goto(`${gateway.url}/redemption?status=3`)
    await page.getByText('No results').waitFor()
    await page.goto(`${gateway.url}/redemption?sort=quota`)
    await page.getByRole('row', { name: /autumn/ }).waitFor()
    expect(await page.getByRole('row').nth(1).textContent()).toContain('autumn')
    expect(await broken(everyLook)).toEqual([])
  })

  it('acts on chosen codes by one call, and copies them with their names', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${gateway.url}/redemption?keyword=spring`)
    await page
      .getByRole('row', { name: /spring/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Copy selected codes' }).click()
    await page.getByText('Select at least one code first').waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('button', { name: 'Copy codes' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')).toHaveLength(3)
    expect(copied).toMatch(/^spring gift {4}[0-9a-f]{32}$/m)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/redemption/batch')) sent.push(request.postData() ?? '')
    })
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('3 codes disabled').waitFor()
    expect((await codesNamed('spring gift')).map(({ status }) => status)).toEqual([2, 2, 2])
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('3 codes enabled').waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 3 codes' }).click()
    await page.getByText('3 codes deleted').waitFor()
    expect(await codesNamed('spring gift')).toEqual([])
    expect(sent.map((body) => (JSON.parse(body) as { action: string }).action)).toEqual([
      'disable',
      'enable',
      'delete',
    ])
  })

  it('redeems a code once', async () => {
    const before = await operator.quota()
    const [key = ''] = await operator.api<string[]>('POST', '/api/redemption/', {
      name: 'mine',
      quota: 1_000_000,
      count: 1,
    })
    await page.goto(`${gateway.url}/topup`)
    await page.getByText('The administrator has not enabled online top-up').waitFor()
    await page.getByText('The root administrator has not set a top-up link').waitFor()
    const redeem = page.getByRole('button', { name: 'Redeem code' })
    await redeem.click()
    await page.getByText('Please enter redemption code').waitFor()
    expect(await broken()).toEqual([])
    await page.getByRole('textbox', { name: 'Redemption code' }).fill(key)
    await redeem.click()
    await page.getByText('Redeemed: $2.00 was added to your balance.').waitFor()
    expect((await operator.quota()) - before).toBe(1_000_000)
    await page.getByRole('textbox', { name: 'Redemption code' }).fill(key)
    await redeem.click()
    await page.getByText('the code has already been used').waitFor()
    expect((await operator.quota()) - before).toBe(1_000_000)
  })

  it('says by name who has redeemed a code, on a card of at most 120 pixels', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${gateway.url}/redemption?status=3`)
    const card = page.getByRole('list', { name: 'Redemption codes' }).getByRole('listitem').first()
    await card.getByText(account.username).waitFor()
    expect((await card.boundingBox())?.height).toBeLessThanOrEqual(120)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('row', { name: /mine/ }).getByText(account.username).waitFor()
  })

  it('shows what an amount costs, and posts the order to the cashier', async () => {
    for (const [name, value] of [
      ['ServerAddress', gateway.url],
      ['PayAddress', cashier],
      ['EpayId', '1001'],
      ['EpayKey', 'the key of the merchant'],
      ['MinTopUp', '2'],
      ['TopUpLink', 'https://shop.example/codes'],
      ['StripeSecretKey', 'sk_test_of_the_account'],
      ['StripeWebhookSecret', 'whsec_of_the_endpoint'],
    ] as const)
      await operator.option(name, value)
    const posted: URLSearchParams[] = []
    await page.route(`${cashier}/**`, async (route) => {
      posted.push(new URLSearchParams(route.request().postData() ?? ''))
      await route.fulfill({ contentType: 'text/html', body: '<title>scan to pay</title>' })
    })
    await page.goto(`${gateway.url}/topup`)
    const shop = page.getByRole('link', { name: 'Get a code' })
    expect(await shop.getAttribute('href')).toBe('https://shop.example/codes')
    const amount = page.getByRole('textbox', { name: 'Amount in dollars' })
    await amount.fill('1')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('The top-up amount cannot be less than 2').waitFor()
    await amount.fill('10')
    await page.getByText('CN¥73.00').waitFor()
    expect(await broken()).toEqual([])
    await page.getByRole('radio', { name: /WeChat Pay/ }).check()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    const question = page.getByRole('alertdialog', { name: 'Pay CN¥73.00 by WeChat Pay?' })
    await question.getByRole('button', { name: 'Pay CN¥73.00' }).click()
    await page.waitForURL(`${cashier}/**`)
    expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({ pid: '1001', type: 'wxpay', money: '73.00' })
  })

  it('leads to Stripe by its address, and lists what was ordered', async () => {
    await page.route('https://checkout.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>card</title>' }),
    )
    await page.goto(`${gateway.url}/topup`)
    await page.getByRole('button', { name: '$4', exact: true }).click()
    await page.getByRole('radio', { name: /Stripe/ }).check()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: /^Pay / }).click()
    await page.waitForURL('https://checkout.example/**')
    expect(stripe.opened).toHaveLength(1)

    await page.goto(`${gateway.url}/topup`)
    const table = page.getByRole('table', { name: 'Online top-ups' })
    await table.getByText('Waiting for payment').first().waitFor()
    expect(await table.getByRole('row').count()).toBe(3)
    expect(await table.textContent()).toContain('WeChat Pay')
    expect(await broken(everyLook)).toEqual([])
    await page.getByRole('button', { name: 'Status', exact: true }).click()
    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'failed')
    await page.getByText('No results').waitFor()
  })

  it('tells people who are no administrators that codes are not theirs', async () => {
    await operator.api('POST', '/api/user/', { username: 'ann', password: 'a-long-password', quota: 0 })
    const storageState = await loggedIn(gateway.url, { username: 'ann', password: 'a-long-password' })
    const context = await browser.newContext({ locale: 'en-US', storageState })
    const theirs = await context.newPage()
    await theirs.goto(`${gateway.url}/token`)
    expect(await theirs.getByRole('link', { name: 'Redemption codes' }).count()).toBe(0)
    await theirs.goto(`${gateway.url}/redemption`)
    await theirs.getByText('Only administrators can open this page').waitFor()
    await theirs.goto(`${gateway.url}/topup`)
    await theirs.getByRole('heading', { name: 'My wallet' }).waitFor()
    await context.close()
  })

  it('says what could not be loaded, and loads it when asked again', async () => {
    const context = await browser.newContext({
      locale: 'en-US',
      storageState: await page.context().storageState(),
    })
    const failing = await context.newPage()
    const recovers = async (path: string, address: string, shown: Locator) => {
      await failing.route(gateway.url + address, (route) => route.fulfill({ status: 500 }))
      await failing.goto(gateway.url + path)
      const retry = failing.getByRole('button', { name: 'Try again' })
      await retry.waitFor()
      await failing.unrouteAll({ behavior: 'wait' })
      await retry.click()
      await shown.waitFor()
    }
    const pay = failing.getByRole('button', { name: 'Continue to payment' })
    await recovers('/topup', '/api/user/topup/info', pay)
    const codes = failing.getByRole('table', { name: 'Redemption codes' })
    await recovers('/redemption', '/api/redemption/?*', codes)
    await context.close()
  })

  it('met no error in the browser on its way', () => {
    expect(complaints).toEqual([])
  })
})
