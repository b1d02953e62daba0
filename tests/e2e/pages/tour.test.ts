import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, openConsole } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { logIn, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(130_000))

/** From an empty installation to a paid call and the agent's configuration. */
const mostSeconds = 120

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let context: BrowserContext
let page: Page

const step = (name: RegExp) =>
  page.getByRole('list').filter({ hasText: 'Make a call' }).getByRole('link', { name })

describe.skipIf(!hasChromium())('the first steps', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.on(
      'gpt-4o',
      respond({ text: 'Hello there.', usage: { promptTokens: 100, completionTokens: 20 } }),
    )
    gateway = await startTollgate()
    browser = await launchChromium()
    context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    page = await context.newPage()
    page.setDefaultTimeout(deadline(10_000))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('lead from an empty installation to a paid call and the agent’s configuration within two minutes', async () => {
    const began = performance.now()
    await page.goto(gateway.url)
    await page.waitForURL('**/setup')
    await page.getByRole('textbox', { name: 'Administrator username' }).fill(rootAccount.username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(rootAccount.password)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(rootAccount.password)
    await page.getByRole('button', { name: 'Set up the system' }).click()

    await step(/Add a channel/).click()
    const form = page.getByRole('dialog', { name: 'Add channel' })
    await form.getByRole('textbox', { name: /^Name/ }).fill('Main')
    await form.getByRole('textbox', { name: /^Key/ }).fill('sk-my-own-key-0000001')
    await form.getByRole('textbox', { name: /Base URL/ }).fill(upstream.url)
    await form.getByRole('button', { name: 'Fetch models' }).click()
    const picker = page.getByRole('dialog', { name: /The upstream offers/ })
    await picker.getByRole('checkbox', { name: 'gpt-4o' }).check()
    await picker.getByRole('button', { name: 'Add 1 model' }).click()
    await form.getByRole('button', { name: 'Test', exact: true }).click()
    await form.getByRole('status').filter({ hasText: 'Test passed' }).waitFor()
    await form.getByRole('button', { name: /^Add channel/ }).click()
    await page.getByText('Main is saved').waitFor()

    // Left in the middle: another visit goes on where this one ended.
    await page.goto(gateway.url)
    await step(/Create an API key/).waitFor()
    expect(await step(/Add a channel|Price your models/).count()).toBe(0)
    await step(/Create an API key/).click()
    const keyForm = page.getByRole('dialog', { name: 'Create key' })
    await keyForm.getByRole('textbox', { name: /^Name/ }).fill('agent')
    await keyForm.getByRole('button', { name: /^Create key/ }).click()
    const setup = page.getByRole('dialog', { name: /agent/ })
    await setup.getByRole('tab', { name: 'Claude Code' }).waitFor()
    await setup
      .getByText(/ANTHROPIC_BASE_URL/)
      .first()
      .waitFor()
    const key = (await setup.locator('code').first().textContent()) ?? ''
    await setup.getByRole('button', { name: 'Done' }).click()

    await page.goto(gateway.url)
    await step(/Make a call/).click()
    await page
      .getByRole('textbox', { name: /message/i })
      .first()
      .fill('Hi')
    // Enter sends nothing before the models are there.
    await page.getByRole('button', { name: 'Send' }).click({ trial: true })
    await page.keyboard.press('Enter')
    await page.getByText('Hello there.').waitFor()
    const seconds = (performance.now() - began) / 1000
    expect(seconds).toBeLessThan(mostSeconds)

    const root = await logIn(gateway.url, rootAccount)
    expect((await root.consumption(1)).quota).toBeGreaterThan(0)
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(answer.status).toBe(200)
    await page.goto(`${gateway.url}/detail`)
    await page.getByText('Nothing needs your attention').waitFor()
    expect(await page.getByText('First steps').count()).toBe(0)
  })

  it('go out of the way, and come back by the palette', async () => {
    const other = await startTollgate()
    await operate(other.url)
    const view = await openConsole(other.url, { path: '/detail', reducedMotion: 'reduce' })
    const card = view.page.getByRole('heading', { name: 'First steps' })
    await card.waitFor()
    expect(await brokenRules(view.page)).toEqual([])
    await view.page.getByRole('button', { name: 'Hide first steps' }).click()
    await card.waitFor({ state: 'detached' })
    await view.page.reload()
    await view.page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(await card.count()).toBe(0)
    await view.page.keyboard.press('Control+k')
    await view.page.keyboard.type('first steps')
    await view.page.getByRole('option', { name: /Show first steps/ }).click()
    await card.waitFor()
    await view.browser.close()
    await other.stop()
  })
})
