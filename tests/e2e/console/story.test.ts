import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

const account = { username: 'root', password: 'correct-horse-battery' }

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page
/** What the pages complained about in their console. */
const complaints: string[] = []

describe.skipIf(!hasChromium())('the whole story in a browser', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.on(
      'gpt-4o',
      respond({
        text: 'Hello from the other side.',
        eventDelayMs: 20,
        usage: { promptTokens: 1000, completionTokens: 200 },
      }),
    )
    gateway = await startTollgate()
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    page.setDefaultTimeout(deadline(15_000))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('leads a first visitor to the setup', async () => {
    await page.goto(gateway.url)
    await page.waitForURL('**/setup')
    await page.getByRole('textbox', { name: 'Administrator username' }).fill(account.username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(account.password)
    await page.getByRole('button', { name: 'Set up the system' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/setup'))
  })

  it('has the administrator logged in by then, and is not set up twice', async () => {
    await page.getByRole('link', { name: /Add a channel/ }).click()
    await page.getByRole('dialog', { name: 'Add channel' }).waitFor()
    await page.goto(`${gateway.url}/setup`)
    await page.waitForURL(`${gateway.url}/detail`)
    await page.goto(`${gateway.url}/token`)
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await page.waitForURL('**/token')
  })

  it('adds a channel', async () => {
    await page.goto(`${gateway.url}/channel/add`)
    const sheet = page.getByRole('dialog', { name: 'Add channel' })
    await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('Main upstream')
    await sheet.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-upstream-secret-0001')
    await sheet.getByRole('textbox', { name: 'Base URL' }).fill(upstream.url)
    await sheet.getByRole('textbox', { name: 'Custom model names' }).fill('gpt-4o')
    await sheet.getByRole('button', { name: 'Add', exact: true }).click()
    await sheet.getByRole('button', { name: 'Add channel' }).click()
    await page
      .getByRole('cell', { name: 'Main upstream' })
      .or(page.getByText('Main upstream'))
      .first()
      .waitFor()
    await page.waitForURL((url) => url.pathname === '/channel')
  })

  it('creates a key, shown once with what to do with it', async () => {
    await page.goto(`${gateway.url}/token/add`)
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('laptop')
    await sheet.getByRole('button', { name: 'Create key' }).click()
    const key = await page
      .getByText(/sk-[0-9A-Za-z]{48}/)
      .first()
      .textContent()
    const [bare = ''] = /sk-[0-9A-Za-z]{48}/.exec(key ?? '') ?? []
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${bare}` } })
    expect(((await models.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['gpt-4o'])
  })

  it('streams a response in the playground', async () => {
    await page.goto(`${gateway.url}/playground`)
    const model = page.getByRole('combobox', { name: 'Model' })
    await model.click()
    await page
      .getByRole('option', { name: /gpt-4o/ })
      .first()
      .click()
    const message = page.getByRole('textbox', { name: /message/i })
    await message.fill('Anybody there?')
    await message.press('Enter')
    await page.getByText('Hello from the other side.').waitFor()
    expect(upstream.calls.at(-1)?.json['stream']).toBe(true)
  })

  it('finds the exact charge in the usage log', async () => {
    await page.goto(`${gateway.url}/log`)
    const row = page.getByRole('row', { name: /playground-default/ })
    await row.waitFor()
    expect(await row.textContent()).toContain('$0.004500')
    await row.getByText('$0.004500').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('heading', { name: 'Charge' }).waitFor()
    // (1000 + 200 × 4) × 1.25
    expect(await sheet.getByRole('row', { name: /^Charged/ }).textContent()).toBe('Charged$0.004500')
  })

  it('met no error in the browser on its way', () => {
    expect(complaints).toEqual([])
  })
})
