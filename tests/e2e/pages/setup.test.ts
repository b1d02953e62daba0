import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, desk } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(30_000))

let gateway: Tollgate
let browser: Browser
let page: Page

describe.skipIf(!hasChromium())('the first run', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    page.setDefaultTimeout(deadline(10_000))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  it('leads every page to the setup, which warns of SQLite and explains its modes', async () => {
    await page.goto(`${gateway.url}/pricing`)
    await page.waitForURL('**/setup')
    await page.getByText('Database: SQLite').waitFor()
    await page.getByRole('button', { name: 'About the modes' }).click()
    await page.getByRole('dialog', { name: 'Usage modes' }).getByText('Every model needs a price:').waitFor()
    expect(await brokenRules(page, desk)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('says what is wrong beside the field', async () => {
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('short')
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('other')
    await page.getByRole('button', { name: 'Set up the system' }).click()
    await page.getByText('Username must not be empty').waitFor()
    await page.getByText('Password must have at least 8 characters').waitFor()
    await page.getByText('The two passwords entered are inconsistent').waitFor()
    expect(await brokenRules(page, desk)).toEqual([])
  })

  it('ends with the administrator logged in, and cannot be done twice', async () => {
    await page.getByRole('textbox', { name: 'Administrator username' }).fill('root')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct-horse-battery')
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('correct-horse-battery')
    await page.getByRole('radio', { name: /Self-use/ }).check()
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Set up the system' }).click()
    expect((await sent).postDataJSON()).toEqual({
      username: 'root',
      password: 'correct-horse-battery',
      confirmPassword: 'correct-horse-battery',
      SelfUseModeEnabled: true,
      DemoSiteEnabled: false,
    })
    await page.getByRole('link', { name: /Add a channel/ }).click()
    await page.getByRole('dialog', { name: 'Add channel' }).waitFor()
    await page.goto(`${gateway.url}/setup`)
    await page.waitForURL(`${gateway.url}/detail`)
  })
})
