import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(60_000)

const account = { username: 'root', password: 'correct-horse-battery' }
const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const widths = [1440, 390] as const
const themes = ['light', 'dark'] as const

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page

/** In the page: it has taken on the theme, and no colour is on its way any more. */
function settledIn(theme: string): boolean {
  return document.documentElement.dataset['theme'] === theme && document.getAnimations().length === 0
}

/** What breaks the rules on the page as it stands, at both widths and in both themes. */
async function broken(): Promise<readonly string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction(settledIn, colorScheme)
      // The other theme is other colours and nothing else. No frames here, so no second page to gather reports in.
      const axe = new AxeBuilder({ page }).setLegacyMode()
      const rules = colorScheme === 'light' ? axe.withTags(conformance) : axe.withRules('color-contrast')
      const { violations } = await rules.analyze()
      for (const { id, nodes } of violations)
        found.push(
          ...nodes.map(
            ({ html, failureSummary }) => `${id}, ${width} px, ${colorScheme}: ${html} ${failureSummary}`,
          ),
        )
    }
  }
  return found
}

describe.skipIf(!hasChromium())('every page keeps WCAG A and AA, at both widths and in both themes', () => {
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
    page.setDefaultTimeout(10_000)
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('login', async () => {
    await page.goto(`${gateway.url}/login`)
    await page.getByRole('textbox', { name: /username/i }).waitFor()
    expect(await broken()).toEqual([])
    await page.getByRole('textbox', { name: /username/i }).fill(account.username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password)
    await page.keyboard.press('Enter')
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
    await page.setViewportSize({ width: widths[0], height: 900 })
    await page.goto(gateway.url + path)
    await ready().waitFor()
    expect(await broken()).toEqual([])
  })
})
