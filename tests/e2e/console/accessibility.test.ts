import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, typeLogIn } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page

describe.skipIf(!hasChromium())('every page meets WCAG A and AA, at both widths and in both themes', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.on('gpt-4o', respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 200 } }))
    gateway = await startTollgate()
    const operator = await operate(gateway.url)
    await operator.addChannel({ name: 'Main upstream', base_url: upstream.url, models: 'gpt-4o' })
    const { key } = await operator.addKey({ name: 'laptop' })
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await operator.consumption(1)
    browser = await launchChromium()
    const context = await browser.newContext({ locale: 'en-US' })
    page = await context.newPage()
    page.setDefaultTimeout(deadline(10_000))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('login', async () => {
    await page.goto(`${gateway.url}/login`)
    await page.getByRole('textbox', { name: /username/i }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await typeLogIn(page)
    await page.waitForURL('**/token')
  })

  const pages = [
    ['token list', '/token', () => page.getByText('laptop').first()],
    ['token form', '/token/add', () => page.getByRole('dialog', { name: 'Create key' })],
    ['channel list', '/channel', () => page.getByText('Main upstream').first()],
    ['channel form', '/channel/add', () => page.getByRole('dialog', { name: 'Add channel' })],
    ['usage log', '/log', () => page.getByText('gpt-4o').first()],
    ['playground', '/playground', () => page.getByRole('textbox', { name: /message/i })],
    ['API reference', '/docs?call=tokens.create', () => page.getByText('remain_quota').first()],
    ['home', '/', () => page.getByRole('heading').first()],
  ] as const

  it.each(pages)('%s', async (_name, path, ready) => {
    await page.goto(gateway.url + path)
    await ready().waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('open lists, which have the names of their fields', async () => {
    await page.goto(`${gateway.url}/token/add`)
    const list = async (name: string) => {
      await page.getByRole('combobox', { name }).click()
      await page.getByRole('listbox', { name }).waitFor()
      expect(await brokenRules(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('listbox', { name }).waitFor({ state: 'detached' })
    }
    await list('Group')
    await page.locator('summary').click()
    await page.getByText('Only some models').click()
    await list('Allowed models')
  })
})
