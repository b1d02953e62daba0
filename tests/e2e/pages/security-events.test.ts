import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser } from '../../support/add-user.ts'
import { brokenRules, deskAndPhone, openConsole, switchUser } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

describe.skipIf(!hasChromium())('the page of security events', () => {
  let gateway: Tollgate
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    gateway = await startTollgate({ env: { CRITICAL_RATE_LIMIT: '1000' } })
    await addUser(gateway, 'ann', 0)
    for (let time = 0; time < 3; time += 1)
      await fetch(`${gateway.url}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.1' },
        body: JSON.stringify({ username: 'ann', password: 'not it' }),
      })
    ;({ browser, page } = await openConsole(gateway.url, { path: '/security', reducedMotion: 'reduce' }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  const rows = () => page.locator('tbody').getByRole('row')

  it('lists events of all accounts, with the program and the address', async () => {
    await rows().filter({ hasText: 'ann' }).filter({ hasText: 'Log-in failed' }).first().waitFor()
    await rows().filter({ hasText: 'curl' }).filter({ hasText: '127.0.0.1' }).first().waitFor()
    await rows().filter({ hasText: 'root' }).filter({ hasText: 'Logged in' }).first().waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
  })

  it('filters by user, kind and address, says when nothing matches, and exports what is shown', async () => {
    await page.goto(`${gateway.url}/security?user=ann&kind=login-failed`)
    await rows().filter({ hasText: 'curl' }).nth(2).waitFor()
    expect(await rows().count()).toBe(3)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^security-events-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await Bun.file((await download.path()) ?? '').text()).trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(',ann,')
    await page.goto(`${gateway.url}/security?address=203.0.113.1`)
    await page.getByText('Enter the full username or address').waitFor()
    await page.goto(`${gateway.url}/security?kind=never-heard-of`)
    await rows().filter({ hasText: 'root' }).first().waitFor()
  })

  it('opens from a user’s menu', async () => {
    await page.goto(`${gateway.url}/user`)
    await page.getByRole('button', { name: 'More actions for ann' }).click()
    await page.getByRole('menuitem', { name: 'Show security events' }).click()
    await page.waitForURL(`${gateway.url}/security?user=ann`)
    await rows().filter({ hasText: 'ann' }).first().waitFor()
    expect(await rows().filter({ hasText: 'root' }).count()).toBe(0)
  })

  it('says in Chinese what happened', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto(`${gateway.url}/security`)
    await page.getByRole('heading', { name: '安全事件' }).waitFor()
    await rows().filter({ hasText: '登录失败' }).first().waitFor()
    await page.evaluate(() => localStorage.setItem('language', 'en'))
  })

  it('is for root alone, and shows a failure of the server in place', async () => {
    await page.route('**/api/security_event/**', (call) => call.fulfill({ status: 500, body: '{}' }))
    await page.goto(`${gateway.url}/security`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await switchUser(page, gateway.url, await addAdministrator(gateway, 'boss'))
    await page.goto(`${gateway.url}/security`)
    await page.getByText('Only the root administrator can open this page.').waitFor()
  })
})

describe.skipIf(!hasChromium())('a duty of two-factor authentication', () => {
  it('is said on the pages of administrators, with the way to it', async () => {
    const gateway = await startTollgate({ env: { CRITICAL_RATE_LIMIT: '1000' } })
    const operator = await operate(gateway.url)
    const admin = await addAdministrator(gateway, 'boss')
    const { secret } = await operator.api<{ secret: string }>('POST', '/api/user/self/2fa/begin', {})
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await operator.api('POST', '/api/user/self/2fa/confirm', { code })
    await operator.option('AdminSecondFactorRequired', 'true')
    const { browser, page } = await openConsole(gateway.url, { path: '/channel', as: admin })
    await page.getByText('Two-factor authentication is required').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('link', { name: 'Open personal settings' }).first().click()
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    await browser.close()
    await gateway.stop()
  })
})
