import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, openConsole, switchUser } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page
let root: Operator
let channelId: number
let customer: Operator
const username = 'ann'
const requested: URL[] = []
let thrown: readonly string[]

async function call(key: string, model: string): Promise<void> {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'word '.repeat(10_000) }] }),
  })
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
}

/** Cost of one call in quota units: 10,000 tokens in and 1,000 out, 30 % below $2.5 and $10 for a million. */
const cost = 0.7 * (10_000 * 1.25 + 1000 * 5)
const charge = 10_000 * 2 + 1000 * 8
const dollars = (quota: number) => `$${(quota / 500_000).toFixed(6)}`

describe.skipIf(!hasChromium())('margins in the console', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 10_000, completionTokens: 1000 } }))
    gateway = await startTollgate()
    root = await operate(gateway.url)
    const models = 'gpt-4o,house,gpt-4.1'
    ;({ id: channelId } = await root.addChannel({ name: 'Discounted', base_url: upstream.url, models }))
    await root.option('ModelRatio', JSON.stringify({ 'gpt-4o': 2, house: 1, 'gpt-4.1': 0.5 }))
    await root.option('CompletionRatio', JSON.stringify({ 'gpt-4o': 4, house: 1, 'gpt-4.1': 4 }))
    customer = await addUser(gateway, username, 50_000_000)
    ;({ browser, page, thrown } = await openConsole(gateway.url, { path: `/channel/edit/${channelId}` }))
    page.on('request', (request) => requested.push(new URL(request.url())))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('begin with the cost factor of a channel, whose effect is said in words', async () => {
    await page.locator('summary', { hasText: 'Advanced' }).click()
    const field = page.getByLabel('Cost factor')
    expect(await field.inputValue()).toBe('1')
    const effects = { '0': 'costs nothing', '1.25': '25 % above list price', '0.7': '30 % below list price' }
    for (const [factor, effect] of Object.entries(effects)) {
      await field.fill(factor)
      await page.getByText(`= ${effect}`).waitFor()
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`${gateway.url}/channel?saved=*`)
    const { setting } = await root.api<{ setting: string }>('GET', `/api/channel/${channelId}`)
    expect(JSON.parse(setting)).toEqual({ cost_factor: 0.7 })
  })

  it('stand below the charge of a call, and in a column of the log', async () => {
    const own = await root.addKey()
    const theirs = await customer.addKey()
    await call(own.key, 'gpt-4o')
    await call(theirs.key, 'gpt-4o')
    await call(own.key, 'house')
    await root.consumption(3)
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().click()
    const sheet = page.getByRole('dialog')
    const line = (name: string) => sheet.getByRole('row', { name })
    await line('Your cost').waitFor()
    expect(await line('Charged').textContent()).toContain(dollars(charge))
    expect(await line('Your cost').textContent()).toContain(dollars(cost))
    expect(await line('Margin').textContent()).toContain(dollars(charge - cost))
    await page.keyboard.press('Escape')
    await page.getByRole('row').filter({ hasText: 'house' }).first().click()
    await sheet.getByText('Your cost is unknown').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('columnheader', { name: 'Margin' }).count()).toBe(0)
    await page.setViewportSize({ width: 2400, height: 900 })
    await page.getByRole('columnheader', { name: 'Margin' }).waitFor()
    await page
      .getByRole('cell', { name: dollars(charge - cost) })
      .first()
      .waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('are summed up on the dashboard by model, channel and customer, as the rows are', async () => {
    await page.goto(`${gateway.url}/detail`)
    const table = page.getByRole('table', { name: 'Margin' })
    // Loads when it is looked at.
    await page.getByRole('heading', { name: 'Margin' }).scrollIntoViewIfNeeded()
    // The filters of the page have a button of that name, too.
    const byUser = page.locator('[aria-pressed]').and(page.getByRole('button', { name: 'User', exact: true }))
    await byUser.scrollIntoViewIfNeeded()
    const figures = async (name: string) => {
      const row = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      await row.waitFor()
      return row.getByRole('cell').allTextContents()
    }
    expect(await figures('gpt-4o')).toEqual(['$0.11', '$0.049', '$0.063' + '56\u00a0%'])
    expect(await figures('house')).toEqual(['$0.022', 'unknown', 'unknown'])
    await page.getByText('The cost of 67 % of the calls is known').waitFor()
    await byUser.click()
    expect(await figures(username)).toEqual(['$0.056', '$0.025', '$0.032' + '56\u00a0%'])
    await page.getByRole('button', { name: 'Channel' }).click()
    expect(await figures('Discounted')).toEqual(['$0.13', '$0.049', '$0.063' + '56\u00a0%'])
    await table.getByRole('link', { name: 'Discounted' }).click()
    await page.waitForURL(`**/log?*channel=${channelId}*`)
  })

  it('warn of a price below cost, and lead to where it is set', async () => {
    await page.goto(`${gateway.url}/detail`)
    const row = page.getByRole('listitem').filter({ hasText: 'below cost' })
    await row.waitFor()
    expect(await row.textContent()).toContain('gpt-4.1')
    await row.getByRole('link', { name: 'Set price' }).click()
    await page.waitForURL('**/models?price=gpt-4.1')
    await page.goto(`${gateway.url}/detail`)
    await root.option('ModelRatio', JSON.stringify({ 'gpt-4o': 2, house: 1, 'gpt-4.1': 0.7 }))
    await page.reload()
    await page.getByText('Nothing needs your attention').waitFor()
  })

  it('are in the sheets of a channel and a user', async () => {
    for (const path of [`/channel/edit/${channelId}`, `/user/edit/${customer.userId}`]) {
      await page.goto(gateway.url + path)
      const sheet = page.getByRole('dialog')
      await sheet.getByText('Margin, last 30 days').waitFor()
      await sheet.getByText('56 %').waitFor()
    }
  })

  it('break no rule of accessibility', async () => {
    for (const path of ['/detail', `/user/edit/${customer.userId}`]) {
      await page.goto(gateway.url + path)
      await page
        .getByText(/^Margin/)
        .first()
        .waitFor()
      expect([path, await brokenRules(page)]).toEqual([path, []])
    }
  })

  it('are nowhere for anybody else: no page asks for them, and none says a cost', async () => {
    await switchUser(page, gateway.url, { username, password: 'a-long-password' })
    requested.length = 0
    for (const path of ['/detail', '/log', '/pricing', '/topup']) {
      await page.goto(gateway.url + path)
      await page.waitForLoadState('networkidle')
      expect(await page.getByText(/Your cost|Margin|below cost/).count()).toBe(0)
    }
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().click()
    await page.getByRole('dialog').getByRole('row', { name: 'Charged' }).waitFor()
    expect(await page.getByRole('dialog').textContent()).not.toMatch(/Your cost|Margin/)
    expect(requested.map(({ pathname }) => pathname).filter((path) => /margin|costs/.test(path))).toEqual([])
    expect(thrown).toEqual([])
  })
})
