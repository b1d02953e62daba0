import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, desk, deskInEnglish, loggedIn, typeLogIn } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const account = { username: 'root', password: 'correct-horse-battery' }
const recoveryMs = 5000

let gateway: Tollgate
let operator: Operator
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
  page.setDefaultTimeout(deadline(10_000))
  await page.goto(gateway.url + path)
}

const bar = () => page.getByRole('status').filter({ hasText: 'Unable to connect to server' })
const keyName = () => page.getByRole('dialog').getByRole('textbox', { name: 'Name' })

const gone = { status: 404, json: { success: false, message: 'Not found' } }

/**
 * The server has another build than the page: a file of the old one is missing. Returns the function that ends this.
 */
async function replaceBuild(file: RegExp): Promise<() => Promise<void>> {
  const isPage = (url: URL) => url.pathname === '/'
  await page.route(file, (route) => route.fulfill(gone))
  await page.route(isPage, async (route) => {
    const reply = await route.fetch()
    const body = (await reply.text()).replace(/\/assets\/app-[\w-]+\.js/, '/assets/app-NEW.js')
    await route.fulfill({ response: reply, body })
  })
  return () => page.unrouteAll({ behavior: 'wait' })
}

/** Takes the session away under the page, as an administrator or the years would. */
const endSession = () => context.clearCookies()

describe.skipIf(!hasChromium())('the console goes on through', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    operator = await operate(gateway.url)
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

  describe('a server that is stopped', () => {
    it('shows a notice above the page, leaves the rows, and refreshes them within five seconds', async () => {
      await open('/token')
      await page.getByText('laptop').first().waitFor()
      await gateway.kill()
      // A page whose code this browser has never seen.
      await page.getByRole('link', { name: 'Channels' }).click()
      await bar().waitFor()
      expect(page.url()).toBe(`${gateway.url}/channel`)
      expect(await brokenRules(page, desk)).toEqual([])
      const [above, content] = await Promise.all([
        bar().boundingBox(),
        page.locator('#content').boundingBox(),
      ])
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(content?.y ?? 0)
      await page.goBack()
      await page.getByText('laptop').first().waitFor()
      await page.goForward()

      await gateway.start()
      const back = performance.now()
      await page
        .getByText('Main upstream')
        .first()
        .waitFor({ timeout: deadline(recoveryMs) })
      expect(performance.now() - back).toBeLessThan(recoveryMs * slowness())
      await bar().waitFor({ state: 'detached' })
    })

    it('does not lose typed text', async () => {
      await open('/token/add')
      await keyName().fill('typed before')
      await gateway.kill()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /create/i })
        .click()
      await page.getByText('Unable to connect to server').first().waitFor()
      await gateway.start()
      await bar().waitFor({ state: 'detached', timeout: deadline(recoveryMs) })
      expect(await keyName().inputValue()).toBe('typed before')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /create/i })
        .click()
      await until(async () => {
        const keys = await operator.api<{ name: string }[]>('GET', '/api/token/?p=0&size=100')
        return keys.some(({ name }) => name === 'typed before') || undefined
      })
    })

    it('opens the console even when the page is read anew', async () => {
      await open('/token')
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
      await page.reload()
      await page.getByText('laptop').first().waitFor()
      await gateway.kill()
      await page.reload()
      await bar().waitFor()
      await gateway.start()
      await page
        .getByText('laptop')
        .first()
        .waitFor({ timeout: deadline(recoveryMs) })
    })
  })

  describe('an ended session', () => {
    it('asks for the password over a form, and the save can be repeated', async () => {
      await open('/token/add')
      await keyName().fill('kept through login')
      await endSession()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /create/i })
        .click()
      const dialog = page.getByRole('dialog', { name: 'Log in again to continue' })
      await dialog.waitFor()
      expect(await brokenRules(page, desk)).toEqual([])
      await dialog.getByRole('textbox', { name: 'Password' }).fill('wrong')
      await page.keyboard.press('Enter')
      await dialog.getByRole('alert').waitFor()
      await dialog.getByRole('textbox', { name: 'Password' }).fill(account.password)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect(await keyName().inputValue()).toBe('kept through login')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /create/i })
        .click()
      await until(async () => {
        const keys = await operator.api<{ name: string }[]>('GET', '/api/token/?p=0&size=100')
        return keys.some(({ name }) => name === 'kept through login') || undefined
      })
    })

    it('leads to the login and back to the same page when nothing is typed', async () => {
      await open('/token?keyword=lap')
      await page.getByText('laptop').first().waitFor()
      await endSession()
      await page.getByRole('link', { name: 'Channels' }).click()
      await page.waitForURL(/\/login\?expired=true/)
      await page.getByText('Not logged in or login expired, please log in again').waitFor()
      await typeLogIn(page)
      await page.waitForURL('**/channel')
    })
  })

  it('loads a part that failed without a reload, and keeps what is typed', async () => {
    await open('/token/add', { serviceWorkers: 'block' })
    const palette = '**/assets/command-palette-*.js'
    await page.route(palette, (route) => route.fulfill({ status: 503 }))
    await keyName().fill('kept without a part')
    await page.keyboard.press('Control+k')
    await page.getByText('Part of the console failed to load').waitFor()
    await page.unroute(palette)
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await keyName().inputValue()).toBe('kept without a part')
  })

  describe('a new build under an old tab', () => {
    const channelPage = /assets\/channels-[\w-]+\.js/
    const palette = /assets\/command-palette-[\w-]+\.js/

    it('reads the page anew when nothing is typed', async () => {
      await open('/token', { serviceWorkers: 'block' })
      await page.getByText('laptop').first().waitFor()
      const restore = await replaceBuild(channelPage)
      const reloaded = page.waitForRequest((request) => request.isNavigationRequest())
      await page.getByRole('link', { name: 'Channels' }).click()
      await reloaded
      await restore()
      await page.getByText('Main upstream').first().waitFor()
    })

    it('does so once, and then says what is wrong', async () => {
      await open('/token', { serviceWorkers: 'block' })
      await page.getByText('laptop').first().waitFor()
      await replaceBuild(channelPage)
      let loads = 0
      page.on('load', () => loads++)
      await page.getByRole('link', { name: 'Channels' }).click()
      await page.getByText('Part of the console failed to load').waitFor()
      expect(loads).toBe(1)
      expect(await brokenRules(page, desk)).toEqual([])
    })

    it('says so and waits when something is typed', async () => {
      await open('/token/add', { serviceWorkers: 'block' })
      // The palette loads with the first move of a person: the build is another one before that.
      await replaceBuild(palette)
      await keyName().fill('kept through a new build')
      await page.keyboard.press('Control+k')
      await page.getByText('A new version of the console is ready').waitFor()
      expect(await brokenRules(page, desk)).toEqual([])
      expect(await keyName().inputValue()).toBe('kept through a new build')
    })
  })
})
