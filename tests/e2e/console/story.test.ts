import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { logIn, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(130_000))

/** Seconds from an empty installation to a paid call and the agent's configuration. */
const maxSeconds = 120

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page
let startedAt: number
/** Errors in the pages' console. */
const complaints: string[] = []

/** Finds a link of the first steps; another visit continues where the one before ended. */
const step = (name: RegExp) =>
  page.getByRole('list').filter({ hasText: 'Make a call' }).getByRole('link', { name })

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

  it('leads a first visitor to the setup, once, and has the administrator logged in then', async () => {
    startedAt = performance.now()
    await page.goto(gateway.url)
    await page.waitForURL('**/setup')
    await page.getByRole('textbox', { name: 'Administrator username' }).fill(rootAccount.username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(rootAccount.password)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(rootAccount.password)
    await page.getByRole('button', { name: 'Set up the system' }).click()
    await step(/Add a channel/).waitFor()
    await page.goto(`${gateway.url}/setup`)
    await page.waitForURL(`${gateway.url}/detail`)
  })

  it('is not set up twice', async () => {
    await page.goto(`${gateway.url}/setup`)
    await page.waitForURL(`${gateway.url}/detail`)
  })

  it('adds a channel with the models of its upstream, once its test passes', async () => {
    await step(/Add a channel/).click()
    const form = page.getByRole('dialog', { name: 'Add channel' })
    await form.getByRole('textbox', { name: /^Name/ }).fill('Main upstream')
    await form.getByRole('textbox', { name: /^Key/ }).fill('sk-upstream-secret-0001')
    await form.getByRole('textbox', { name: /Base URL/ }).fill(upstream.url)
    await form.getByRole('button', { name: 'Fetch models' }).click()
    const picker = page.getByRole('dialog', { name: /The upstream offers/ })
    await picker.getByRole('checkbox', { name: 'gpt-4o' }).check()
    await picker.getByRole('button', { name: 'Add 1 model' }).click()
    await form.getByRole('button', { name: 'Test', exact: true }).click()
    await form.getByRole('status').filter({ hasText: 'Test passed' }).waitFor()
    await form.getByRole('button', { name: /^Add channel/ }).click()
    await page.getByText('Main upstream is saved').waitFor()
  })

  it('creates a key, shown once with what to do with it', async () => {
    await page.goto(`${gateway.url}/detail`)
    await step(/Create an API key/).waitFor()
    expect(await step(/Add a channel|Price your models/).count()).toBe(0)
    await step(/Create an API key/).click()
    const form = page.getByRole('dialog', { name: 'Create key' })
    await form.getByRole('textbox', { name: /^Name/ }).fill('laptop')
    await form.getByRole('button', { name: /^Create key/ }).click()
    const setup = page.getByRole('dialog', { name: /laptop/ })
    await setup.getByRole('tab', { name: 'Claude Code' }).waitFor()
    await setup
      .getByText(/ANTHROPIC_BASE_URL/)
      .first()
      .waitFor()
    const text =
      (await setup
        .getByText(/sk-[0-9A-Za-z]{48}/)
        .first()
        .textContent()) ?? ''
    const [key = ''] = /sk-[0-9A-Za-z]{48}/.exec(text) ?? []
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(((await models.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['gpt-4o'])
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(response.status).toBe(200)
    await response.text()
    await setup.getByRole('button', { name: 'Done' }).click()
  })

  it('streams a response in the playground, within two minutes of the first visit', async () => {
    await page.goto(`${gateway.url}/playground`)
    await page
      .getByRole('textbox', { name: /message/i })
      .first()
      .fill('Anybody there?')
    // Enter sends nothing before the models are there.
    await page.getByRole('button', { name: 'Send' }).click({ trial: true })
    await page.keyboard.press('Enter')
    await page.getByText('Hello from the other side.').waitFor()
    expect((performance.now() - startedAt) / 1000).toBeLessThan(maxSeconds)
    expect(upstream.calls.at(-1)?.json['stream']).toBe(true)
    const root = await logIn(gateway.url, rootAccount)
    expect((await root.consumption(2)).quota).toBeGreaterThan(0)
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

  it('is at its end on a dashboard without first steps and without a problem', async () => {
    await page.goto(`${gateway.url}/detail`)
    await page.getByText('Nothing needs your attention').waitFor()
    expect(await page.getByText('First steps').count()).toBe(0)
  })

  it('met no error in the browser on its way', () => {
    expect(complaints).toEqual([])
  })
})
