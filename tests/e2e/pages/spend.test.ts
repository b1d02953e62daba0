import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, loggedIn, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

/** As long as a name may be. */
const longName = 'a-name-of-thirty-two-characters-'
const models = Array.from({ length: 9 }, (_, at) => `model-${at + 1}`)

let upstream: Upstream
let gateway: Tollgate
let operator: Operator
let ann: Operator
let annKey: { readonly id: number; readonly key: string }
let browser: Browser
let page: Page
let complaints: readonly string[]

async function call(key: string, model: string): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Question' }] }),
  })
  await response.text()
  return response.status
}

interface Cell {
  readonly user_id: number
  readonly model_name: string
  readonly quota: number
}

/** The charges of the log, which the table has to add up to. */
async function charges(): Promise<readonly Cell[]> {
  const { items } = await operator.api<{ items: Cell[] }>('GET', '/api/log/?p=1&page_size=100&type=2')
  return items
}

const sumOf = (cells: readonly Cell[]) => cells.reduce((sum, { quota }) => sum + quota, 0)
const dollars = (quota: number) => `$${(quota / 500_000).toFixed(2)}`

describe.skipIf(!hasChromium())('spend, and how calls ended, in a browser', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(
      respond({ text: 'a short answer', usage: { promptTokens: 2000, completionTokens: 10 } }),
    )
    upstream.on('broken', refuse(500))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    operator = await operate(gateway.url)
    const ratios = Object.fromEntries([...models.map((model, at) => [model, 100 - at]), ['broken', 1]])
    await operator.option('ModelRatio', JSON.stringify(ratios))
    await operator.addChannel({
      name: 'main',
      base_url: upstream.url,
      models: [...models, 'broken'].join(','),
    })
    ann = await addUser(gateway, 'ann', 500_000_000)
    annKey = await ann.addKey({ name: 'laptop' })
    const other = await addUser(gateway, longName, 500_000_000)
    const otherKey = await other.addKey()
    for (const model of models) expect(await call(annKey.key, model)).toBe(200)
    for (let round = 0; round < 3; round += 1) expect(await call(otherKey.key, 'model-2')).toBe(200)
    expect(await call(annKey.key, 'broken')).toBeGreaterThanOrEqual(400)
    expect(await call(annKey.key, 'no-such-model')).toBeGreaterThanOrEqual(400)
    await until(async () => ((await charges()).length === 12 ? true : undefined))
    ;({ browser, page, complaints } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })

  it('adds up to the log, by user and model', async () => {
    const log = await charges()
    await page.goto(`${gateway.url}/spend`)
    await row('All users')
      .getByText(dollars(sumOf(log)))
      .first()
      .waitFor()
    const mine = log.filter(({ user_id }) => user_id === ann.userId)
    expect(await row('ann').textContent()).toContain(`ann${dollars(sumOf(mine))}9`)
    const text = (await row(longName).textContent()) ?? ''
    expect(text).toContain(dollars(sumOf(log) - sumOf(mine)))
    // Six models have a column.
    const headers = await page.getByRole('columnheader').allTextContents()
    expect(headers.slice(4)).toEqual([
      'model-2',
      ...['model-1', 'model-3', 'model-4', 'model-5', 'model-6'],
      'Other models',
    ])
    const others = mine.filter(({ model_name }) => /[789]$/.test(model_name))
    expect(await row('ann').textContent()).toEndWith(dollars(sumOf(others)))
    await page.getByText('1–2 of 2').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('leads from a figure to its calls, and keeps cards on a phone low', async () => {
    await row(longName).getByRole('link', { name: /\$/ }).first().click()
    await page.waitForURL((url) => url.pathname === '/log' && url.searchParams.get('user') === longName)
    await page.getByRole('table', { name: 'Usage log' }).getByText('model-2').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${gateway.url}/spend`)
    const cards = page.getByRole('list', { name: 'Spend' }).getByRole('listitem')
    await cards.nth(2).waitFor()
    for (const card of await cards.all()) expect((await card.boundingBox())?.height).toBeLessThanOrEqual(120)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('is chosen by whole months, and exported as it is shown', async () => {
    await page.goto(`${gateway.url}/spend`)
    await page.getByRole('button', { name: /^Time: This month/ }).click()
    await page.getByRole('radio', { name: 'Last month' }).click()
    await page.waitForURL((url) => url.searchParams.get('range') === 'last-month')
    await page.getByText('No spend').waitFor()
    await page.goto(`${gateway.url}/spend`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^spend-\d{4}-\d\d-\d\d\.csv$/)
    const [header, ...lines] = (await Bun.file((await download.path()) ?? '').text()).trim().split('\r\n')
    expect(header).toContain('User ID,User,Model,Calls')
    expect(lines).toHaveLength(10)
    const quotas = lines.map((line) => Number(line.split(',')[6]))
    expect(quotas.reduce((sum, quota) => sum + quota, 0)).toBe(sumOf(await charges()))
  })

  it('shows in a user’s sheet what they spent, with which keys, and by whose fault calls failed', async () => {
    await page.goto(`${gateway.url}/user/edit/${ann.userId}`)
    const sheet = page.getByRole('dialog', { name: 'Edit user' })
    const mine = (await charges()).filter(({ user_id }) => user_id === ann.userId)
    const spend = sheet.getByRole('region', { name: 'Spend' })
    await spend
      .getByText(dollars(sumOf(mine)))
      .first()
      .waitFor()
    expect(await spend.getByText(dollars(sumOf(mine))).count()).toBe(3)
    const results = sheet.getByRole('region', { name: 'Results' })
    await results.getByText('11 attempts').waitFor()
    expect(await results.textContent()).toMatch(/Upstream1 today1/)
    expect(await results.textContent()).toMatch(/(No channel|Caller)1 today1/)
    await sheet.getByRole('region', { name: 'API keys' }).getByText('laptop').waitFor()
    const calls = sheet.getByRole('region', { name: 'Last calls' })
    await calls.getByText('model-9').waitFor()
    expect(await calls.getByText('Failed').count()).toBe(2)
    expect(await brokenRules(page)).toEqual([])
    await results.getByRole('link', { name: /2 failed/ }).click()
    await page.waitForURL((url) => url.pathname === '/log' && url.searchParams.get('type') === '5')
    await page.getByRole('table', { name: 'Usage log' }).getByText('broken').first().waitFor()
  })

  it('shows the owner of a key how its calls ended, and nobody else', async () => {
    const storageState = await loggedIn(gateway.url, { username: 'ann', password: 'a-long-password' })
    const context = await browser.newContext({ locale: 'en-US', storageState })
    const theirs = await context.newPage()
    await theirs.goto(`${gateway.url}/token/edit/${annKey.id}`)
    const results = theirs.getByRole('region', { name: 'Results' })
    await results.getByText('11 attempts').waitFor()
    expect(await results.textContent()).toMatch(/Upstream1 today1/)
    expect(await brokenRules(theirs, [[1440, 'light']])).toEqual([])
    await theirs.goto(`${gateway.url}/spend`)
    await theirs.getByText('Only administrators can open this page').waitFor()
    await context.close()
    expect((await operator.call('GET', `/api/token/${annKey.id}/attempts`)).success).toBe(false)
  })

  it('is read in Chinese too', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto(`${gateway.url}/spend`)
    await page.getByRole('heading', { name: '消费统计' }).waitFor()
    await page.getByText('所有用户').waitFor()
    await page.goto(`${gateway.url}/user/edit/${ann.userId}`)
    await page.getByRole('region', { name: '调用结果' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.evaluate(() => localStorage.setItem('language', 'en'))
  })

  it('met no error in the browser on its way', () => {
    expect(complaints).toEqual([])
  })
})
