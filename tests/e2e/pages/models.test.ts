import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, openConsole, openWithin, switchUser } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page
let root: Operator
let key: string
let thrown: readonly string[]

const call = (model: string) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
const row = (model: string) => page.getByRole('row').filter({ has: page.getByText(model, { exact: true }) })
const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

async function optionMap(name: string): Promise<Record<string, number>> {
  const options = await root.api<{ key: string; value: string }[]>('GET', '/api/option/')
  return JSON.parse(options.find((option) => option.key === name)?.value ?? '{}')
}

async function withoutPrice(model: string): Promise<void> {
  const { [model]: _, ...ratios } = await optionMap('ModelRatio')
  await root.option('ModelRatio', JSON.stringify(ratios))
}

describe.skipIf(!hasChromium())('models and prices', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 500 } }))
    gateway = await startTollgate()
    root = await operate(gateway.url)
    const channel = { base_url: upstream.url, models: 'home-made,gpt-4o,gpt-4.1-mini,deepseek-chat' }
    await root.addChannel({ name: 'Main', ...channel })
    await root.addChannel({ name: 'Spare', ...channel, models: 'gpt-4o' })
    await withoutPrice('deepseek-chat')
    key = (await root.addKey()).key
    ;({ browser, page, thrown } = await openConsole(gateway.url, {
      path: '/detail',
      reducedMotion: 'reduce',
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('leads from a refused call to its price, saved in one step and charged from then on', async () => {
    const refused = await call('home-made')
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('no price')])
    await openWithin(page, '/detail')
    const problem = page.getByRole('listitem').filter({ hasText: 'home-made' }).first()
    await problem.getByText('home-made has no price').waitFor()
    await problem.getByRole('link', { name: 'Set price' }).click()
    await page.waitForURL('**/models?price=home-made')
    await page.getByText('This model is not in the table of models').waitFor()
    await page.getByRole('button', { name: /^Save price/ }).click()
    await page.getByText('Enter a number').waitFor()
    await field('Input').fill('2')
    await field('Output').fill('8')
    await page.getByText('1,000 input and 500 output tokens costs $0.006').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await page.getByText('Price of home-made saved').waitFor()
    await row('home-made').getByText('$8.00').waitFor()
    expect((await call('home-made')).status).toBe(200)
    // 1,000 tokens at a ratio of 1, and 500 at 4 times that.
    expect((await root.consumption(1)).quota).toBe(3000)
    await openWithin(page, '/detail')
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Spare is untested' }).waitFor()
    expect(await page.getByText('home-made has no price').count()).toBe(0)
  })

  it('lists models without a price first, with that of their vendor', async () => {
    await openWithin(page, '/models')
    const first = page.getByRole('row').nth(1)
    await first.getByText('deepseek-chat').waitFor()
    expect(await first.textContent()).toContain('No priceList price $0.27 in, $1.08 out')
    await row('gpt-4o').getByText('0 %').waitFor()
    expect(await row('gpt-4o').textContent()).toContain('$2.50$10.00$1.250\u00a0%OpenAI128k2 channels')
    await row('gpt-4.1-mini').getByRole('link', { name: 'Main' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await first.getByRole('button', { name: 'Set price' }).click()
    expect(await field('Input').inputValue()).toBe('0.27')
    await field('Input').press('Control+Enter')
    await page.getByText('Price of deepseek-chat saved').waitFor()
    expect((await optionMap('ModelRatio'))['deepseek-chat']).toBe(0.135)
    await press('Ratios')
    await page.waitForURL('**/models?view=ratios')
    await row('deepseek-chat').getByText('0.135').waitFor()
    await press('Prices')
  })

  it('says the ratio where no output price is set, and takes a price back', async () => {
    await row('gpt-4o').getByText('$2.50', { exact: true }).click()
    await page.getByText('Default: 4 times the input price').waitFor()
    const costs = page.getByRole('dialog').getByRole('list', { name: /What each channel costs you/ })
    expect(await costs.getByRole('listitem').allTextContents()).toEqual([
      'Main$2.50 → $10.000\u00a0%',
      'Spare$2.50 → $10.000\u00a0%',
    ])
    expect(await field('Output').isDisabled()).toBe(false)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await row('gpt-4.1-mini').getByRole('button', { name: 'Edit the price of gpt-4.1-mini' }).click()
    await press('Per call')
    await field('Price per call').fill('0.04')
    await page.keyboard.press('Control+Enter')
    await row('gpt-4.1-mini').getByText('$0.04 / call').waitFor()
    expect((await optionMap('ModelPrice'))['gpt-4.1-mini']).toBe(0.04)
    expect(await optionMap('ModelRatio')).not.toHaveProperty('gpt-4.1-mini')
    await row('gpt-4.1-mini').getByText('$0.04 / call').click()
    await press('Remove price')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove price' }).click()
    await row('gpt-4.1-mini').getByText('No price').waitFor()
    expect(await optionMap('ModelPrice')).not.toHaveProperty('gpt-4.1-mini')
  })

  it('edits prices by time as rows, and names the field that is wrong', async () => {
    await openWithin(page, '/models?price=gpt-4o')
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Prices by time').click()
    await press('Add period')
    await sheet.getByLabel('Until').fill('6')
    await sheet.getByLabel('Time zone').fill('Mars/Olympus')
    await press('Add period')
    const second = sheet.getByRole('group', { name: 'Period 2' })
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])
      await second.getByText(day, { exact: true }).click()
    await second.getByLabel('Ratio').fill('half')
    await page.keyboard.press('Control+Enter')
    await sheet.getByText('Enter HH:MM, from 00:00 to 23:59').waitFor()
    await sheet.getByText('Enter the name of a time zone').waitFor()
    await second.getByText('Enter a number from 0 to 1000').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await sheet.getByRole('group', { name: 'Period 1' }).getByLabel('Until').fill('06:00')
    await sheet.getByLabel('Time zone').fill('Asia/Kathmandu')
    await second.getByLabel('Ratio').fill('0.25')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Price of gpt-4o saved').waitFor()
    const night = { from: '22:00', to: '06:00' }
    expect((await optionMap('TimePrice'))['gpt-4o']).toEqual({
      zone: 'Asia/Kathmandu',
      windows: [
        { ...night, ratio: 0.5 },
        { ...night, days: ['sun', 'sat'], ratio: 0.25 },
      ],
    } as never)
    await openWithin(page, '/models?price=gpt-4o')
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Remove period' }).first().click()
    await page.keyboard.press('Control+Enter')
    // The message of the first time may still be on screen.
    await until(async () => Object.keys(await optionMap('TimePrice')).length === 0 || undefined)
  })

  it('is narrowed by words, vendor and missing price', async () => {
    await openWithin(page, '/models?state=unpriced')
    await row('gpt-4.1-mini').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await openWithin(page, '/models?vendor=DeepSeek')
    await row('deepseek-chat').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Search models' }).fill('nothing')
    await page.getByText('No model matches').waitFor()
  })

  it('asks about a price that is far from the vendor’s list before it saves it', async () => {
    await openWithin(page, '/models?price=deepseek-chat')
    await field('Input').fill('2700')
    await field('Input').press('Control+Enter')
    const question = page.getByRole('dialog', { name: 'Check this change' })
    await question.getByText('is far from $0.27 per million tokens, the list price of its vendor').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect((await optionMap('ModelRatio'))['deepseek-chat']).toBe(0.135)
    await press('Save price')
    await question.getByRole('button', { name: 'Change it all the same' }).click()
    await page.getByText('Price of deepseek-chat saved').waitFor()
    expect((await optionMap('ModelRatio'))['deepseek-chat']).toBe(1350)
  })

  it('corrects what was charged at that price, after a preview, at a desk and on a phone', async () => {
    const before = await root.consumed()
    expect((await call('deepseek-chat')).status).toBe(200)
    await root.consumption(before + 1)
    await root.option(
      'ModelRatio',
      JSON.stringify({ ...(await optionMap('ModelRatio')), 'deepseek-chat': 0.135 }),
    )
    const to = Math.floor(Date.now() / 1000)
    while (Math.floor(Date.now() / 1000) === to) await Bun.sleep(20)
    await openWithin(page, `/correction?model=deepseek-chat&from=${to - 3600}&to=${to}`)
    await press('Preview')
    await page.getByRole('table', { name: 'By user' }).getByText('root (1)').waitFor()
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await brokenRules(page)).toEqual([])
    }
    await page.getByRole('textbox', { name: 'Reason' }).fill('typed per thousand')
    await press('Correct 1 charge')
    await page.getByText('The charges of 1 user were corrected').waitFor()
    await press('Take back')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('it was right')
    expect(await brokenRules(page)).toEqual([])
    await press('Take the correction back')
    await page.getByText('Taken back by root: it was right').waitFor()
  })

  it('renames a model everywhere, after it has said where', async () => {
    await openWithin(page, '/models?price=home-made')
    await press('Rename')
    const dialog = page.getByRole('dialog', { name: 'Rename home-made' })
    await dialog.getByRole('textbox', { name: 'New name' }).fill('house-blend')
    await press('Preview')
    await dialog.getByText('Channels: Main (1)').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await press('Rename everywhere')
    await row('house-blend').waitFor()
  })

  it('fits a phone, says that nothing is served, and why a list cannot be read', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openWithin(page, '/models')
    const cards = page.getByRole('list', { name: 'Models & prices' }).getByRole('listitem')
    await cards.first().waitFor()
    const heights = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThanOrEqual(120)
    expect(await brokenRules(page)).toEqual([])
    await page.route('**/api/models/prices', (route) =>
      route.fulfill({ json: { success: true, message: '', data: [] } }),
    )
    await page.goto(`${gateway.url}/models?price=gone`)
    await page.getByText('No enabled channel serves gone').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Add channel' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.route('**/api/models/prices', (route) =>
      route.fulfill({ status: 500, json: { success: false, message: 'The database is away' } }),
    )
    await page.goto(`${gateway.url}/models`)
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('is for administrators', async () => {
    const user = { username: 'ann', password: 'a-long-password' }
    await addUser(gateway, user.username, 0)
    await switchUser(page, gateway.url, user)
    await openWithin(page, '/models')
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('link', { name: 'Models & prices' }).count()).toBe(0)
    expect(thrown).toEqual([])
  })
})
