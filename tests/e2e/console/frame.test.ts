import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, desk, deskInEnglish, loggedIn, typeLogIn } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let browser: Browser
let context: BrowserContext
let page: Page
let session: BrowserContextOptions['storageState'] & {}

/** A browser of its own, with the operator logged in. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  context = await browser.newContext({
    ...deskInEnglish,
    storageState: session,
    ...options,
  })
  page = await context.newPage()
  page.setDefaultTimeout(deadline(20_000))
  await page.goto(gateway.url + path)
}

/** The same with a session that ends with the test. */
async function openAlone(): Promise<void> {
  await open('/token', { storageState: await loggedIn(gateway.url) })
}

const input = () => page.getByRole('combobox', { name: 'Command palette' })

describe.skipIf(!hasChromium())('the frame of the console', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    await addUser(gateway, 'ann', 0)
    const operator = await operate(gateway.url)
    await operator.addKey({ name: 'laptop' })
    await operator.addChannel({ name: 'Main upstream', base_url: 'http://127.0.0.1:9', models: 'gpt-4o' })
    browser = await launchChromium()
    session = await loggedIn(gateway.url)
  })
  afterEach(async () => {
    await context?.close()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  describe('what happens in another tab', () => {
    it('leaves with it when it logs out', async () => {
      await openAlone()
      await page.getByText('laptop').first().waitFor()
      const other = await context.newPage()
      await other.goto(`${gateway.url}/channel`)
      await other.getByText('Main upstream').first().waitFor()
      await other.getByRole('button', { name: /account menu/ }).click()
      await other.getByRole('menuitem', { name: 'Log out' }).click()
      await page.waitForURL(`${gateway.url}/login`)
      await page.getByText('laptop').first().waitFor({ state: 'detached' })
    })

    it('shows the user who logs in there', async () => {
      await openAlone()
      await page.getByRole('link', { name: 'Channels' }).click()
      await page.getByText('Main upstream').first().waitFor()
      const other = await context.newPage()
      await other.goto(`${gateway.url}/login?expired=true`)
      await typeLogIn(other, { username: 'ann', password: 'a-long-password' })
      await other.waitForURL('**/token')
      // A page behind another one is drawn when the browser has time for it.
      await page.bringToFront()
      await page.getByText('You don’t have access').waitFor()
      expect(await page.getByText('Main upstream').count()).toBe(0)
    })

    it('becomes them too when it learned first that its own session is over', async () => {
      await openAlone()
      const other = await context.newPage()
      await other.goto(`${gateway.url}/login?expired=true`)
      const held = Promise.withResolvers<void>()
      // The browser has the new session already, the console of that tab does not know of it yet.
      await other.route('**/api/user/login', async (route) => {
        const response = await route.fetch()
        const refused = page.waitForResponse((reply) => reply.status() === 401)
        await page.getByRole('link', { name: 'Channels' }).dispatchEvent('click')
        await refused
        held.resolve()
        await route.fulfill({ response })
      })
      await typeLogIn(other, { username: 'ann', password: 'a-long-password' })
      await held.promise
      await other.waitForURL('**/token')
      await page.bringToFront()
      await page.getByText('You don’t have access').waitFor()
    })

    it('keeps its session when another tab takes it for over', async () => {
      await openAlone()
      await page.getByText('laptop').first().waitFor()
      const other = await context.newPage()
      await other.goto(`${gateway.url}/channel`)
      await page.evaluate(() => localStorage.removeItem('user'))
      await other.waitForFunction(() => localStorage.getItem('user') !== null)
      await other.getByText('Main upstream').first().waitFor()
      expect(new URL(other.url()).pathname).toBe('/channel')
    })

    it('takes on the theme and the language', async () => {
      await open('/token')
      const other = await context.newPage()
      await other.goto(`${gateway.url}/token`)
      await other.getByRole('button', { name: 'Theme' }).click()
      await other.getByRole('menuitemradio', { name: 'Dark' }).click()
      await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
      await other.getByRole('button', { name: 'Language' }).click()
      await other.getByRole('menuitemradio', { name: '简体中文' }).click()
      await page.getByRole('link', { name: '渠道' }).waitFor()
    })
  })

  describe('the command palette', () => {
    async function openPalette(): Promise<void> {
      await open('/token')
      await page.getByText('laptop').first().waitFor()
      await page.keyboard.press('Control+k')
    }
    const option = (name: string | RegExp) => page.getByRole('option', { name })

    it('leads to what fits by keyboard alone', async () => {
      await openPalette()
      await input().fill('Main up')
      await option('Main upstream').waitFor()
      expect(await brokenRules(page, desk)).toEqual([])
      await page.keyboard.press('Enter')
      await page.waitForURL('**/channel/edit/*')
      // Escape before the sheet is there would leave it open.
      await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => url.pathname === '/channel')
      await page.keyboard.press('Control+k')
      await input().fill('add user')
      await page.getByRole('option').first().filter({ hasText: 'Add user' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/user/add')
    })

    it('has every key after the one that opens it while its code is on its way, and the page has none', async () => {
      await open('/token')
      await page.getByText('laptop').first().waitFor()
      const arrived = Promise.withResolvers<void>()
      await page.route('**/assets/command-palette-*.js', async (route) => {
        await arrived.promise
        await route.continue()
      })
      await page.reload({ waitUntil: 'commit' })
      await page.getByText('laptop').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('g c laptop')
      expect(new URL(page.url()).pathname).toBe('/token')
      arrived.resolve()
      await page.keyboard.type('x')
      await input().waitFor()
      expect(await input().inputValue()).toBe('g c laptopx')
      expect(new URL(page.url()).pathname).toBe('/token')
    })

    it('opens by a press that came before the code of the console', async () => {
      await open('/about')
      const pressed = Promise.withResolvers<void>()
      await page.route('**/assets/app-*.js', async (route) => {
        await pressed.promise
        await route.continue()
      })
      await page.reload({ waitUntil: 'commit' })
      await page.locator('#shell').waitFor()
      await page.keyboard.press('Control+k')
      pressed.resolve()
      await input().waitFor()
    })

    it('opens a setting where it is changed', async () => {
      await openPalette()
      await input().fill('RetryTimes')
      await option(/./).first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/setting?tab=operation&keyword=RetryTimes')
    })
  })

  it('opens a page at its top where one before was scrolled, and goes back to where that was', async () => {
    await open('/setting', { viewport: { width: 1440, height: 500 } })
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    // The box of the pages scrolls on a desk. Both pages have been read by the second visit, so that neither is short for a moment.
    const box = page.locator(':has(> #content)').last()
    const scrolled = () => box.evaluate(({ scrollTop }) => scrollTop)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL('**/detail')
    await menu.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.waitForURL('**/setting')
    await box.evaluate((element) => element.scrollTo(0, 300))
    await menu.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Failed calls by cause' }).waitFor()
    expect(await scrolled()).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await until(async () => (await scrolled()) === 300 || undefined)
  })

  it('shows the entry of the open page where the menu is longer than the window', async () => {
    await open('/topup', { viewport: { width: 1440, height: 500 } })
    const menu = page.getByRole('navigation', { name: 'Pages' })
    const inView = (name: string) =>
      until(async () => {
        const [whole, entry] = [
          await menu.boundingBox(),
          await menu.getByRole('link', { name }).boundingBox(),
        ]
        return (
          ((entry?.y ?? 0) >= (whole?.y ?? 0) && (entry?.y ?? 0) < (whole?.y ?? 0) + (whole?.height ?? 0)) ||
          undefined
        )
      })
    await inView('Wallet')
    await page.keyboard.press('Control+k')
    await input().fill('Playground')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/playground')
    await inView('Playground')
  })

  it('shows a sheet with its outline, never an empty one', async () => {
    await open('/user')
    await page.addInitScript(() => {
      const frames = { empty: 0, all: 0 }
      const look = () => {
        const sheet = document.querySelector('[role="dialog"]')
        if (sheet !== null) frames.all++
        if (sheet?.childElementCount === 0 && getComputedStyle(sheet, '::before').content === 'none')
          frames.empty++
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
      Object.assign(window, { frames })
    })
    await page.goto(`${gateway.url}/user/edit/1`)
    await page.getByRole('dialog').getByLabel('Username').waitFor()
    const frames = await page.evaluate(
      () => (window as unknown as { frames: { empty: number; all: number } }).frames,
    )
    expect(frames.all).toBeGreaterThan(0)
    expect(frames.empty).toBe(0)
  })

  it('says at once that a record is gone, and asks nobody for an address without a number', async () => {
    await open('/token')
    for (const list of ['channel', 'user', 'token', 'redemption']) {
      await page.goto(`${gateway.url}/${list}/edit/999`)
      const sheet = page.getByRole('dialog')
      await sheet.getByText('Record not found').waitFor()
      expect(await sheet.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      await page.goto(`${gateway.url}/${list}/edit/abc`)
      await page.getByText('This page does not exist').waitFor()
    }
  })

  describe('the first of January', () => {
    it('surprises with fireworks that end by themselves', async () => {
      await open('/token', { timezoneId: 'UTC' })
      await page.clock.install({ time: '2027-01-01T12:00:00Z' })
      // Chance decides how long they last: here as long as they may.
      await page.addInitScript('Math.random = () => 0.99')
      await page.reload()
      await page.getByRole('button', { name: 'Happy New Year' }).click()
      const loaded = page.waitForEvent('load')
      await page.getByRole('heading', { name: 'Happy New Year 2027' }).waitFor()
      expect(await brokenRules(page, desk)).toEqual([])
      await page.clock.fastForward(10_000)
      await loaded
    })

    it('is the only such day', async () => {
      await open('/token', { timezoneId: 'UTC' })
      await page.clock.install({ time: '2027-01-02T12:00:00Z' })
      await page.reload()
      await page.getByText('laptop').first().waitFor()
      expect(await page.getByRole('button', { name: 'Happy New Year' }).count()).toBe(0)
    })
  })

  describe('messages', () => {
    it('of failures stay until they are closed, beside everything that can be pressed', async () => {
      await open('/channel', { serviceWorkers: 'block' })
      await page.clock.install()
      await page.reload()
      await page.getByText('Main upstream').first().waitFor()
      await page.route('**/api/user/logout', (route) => route.fulfill({ status: 500, json: {} }))
      await page.getByRole('button', { name: /account menu/ }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      const message = page.getByText('Internal server error, contact the administrator')
      await message.waitFor()
      await page.clock.fastForward(60_000)
      expect(await message.isVisible()).toBe(true)
      expect(await brokenRules(page, desk)).toEqual([])
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await message.waitFor({ state: 'detached' })
    })
  })

  it('can be installed', async () => {
    await open('/token')
    const address = (await page.locator('link[rel="manifest"]').getAttribute('href')) ?? ''
    const reply = await page.request.get(gateway.url + address)
    expect(reply.headers()['content-type']).toContain('application/manifest+json')
    const manifest = (await reply.json()) as { icons: { src: string; sizes: string; purpose: string }[] }
    expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ])
    for (const { src } of manifest.icons)
      expect((await page.request.get(gateway.url + src)).headers()['content-type']).toBe('image/png')
  })
})
