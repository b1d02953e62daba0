import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator } from '../../support/add-user.ts'
import { brokenRules, openConsole, switchUser } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

const gone = {
  id: 'a',
  version: '0.1.0',
  address: 'host-a:3000',
  state: 'gone',
  started_at: 1_800_000_000,
  seen_at: 1_800_000_100,
  calls_per_second: 12.5,
  journal_seq: 4321,
  journal_lag: 7,
  shares: 3,
  jobs: [],
}

describe.skipIf(!hasChromium())('the page of nodes', () => {
  let gateway: Tollgate
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    gateway = await startTollgate()
    await operate(gateway.url)
    ;({ browser, page } = await openConsole(gateway.url, { path: '/nodes', reducedMotion: 'reduce' }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  const responding = async (respond: Parameters<Page['route']>[1]) => {
    await page.route('**/api/nodes', respond)
    await page.goto(`${gateway.url}/nodes`)
  }

  it('shows the node that serves it', async () => {
    const row = page.getByRole('row').filter({ hasText: new URL(gateway.url).port })
    await row.getByText('Live').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('says what to do about a node that is gone, and shows what its journal had', async () => {
    await responding((call) => call.fulfill({ json: { success: true, message: '', data: [gone] } }))
    await page.getByText('tollgate recover --journal DIR').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'host-a:3000' })
    await row.getByText('Gone').waitFor()
    await row.getByTitle('Last call in its journal: no. 4,321').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('explains a list without nodes, and one that cannot be read', async () => {
    await responding((call) => call.fulfill({ json: { success: true, message: '', data: [] } }))
    await page.getByText('No nodes yet').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await responding((call) => call.fulfill({ status: 500, json: { success: false, message: 'broken' } }))
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('is for the super administrator alone', async () => {
    await switchUser(page, gateway.url, await addAdministrator(gateway, 'ann'))
    await page.goto(`${gateway.url}/nodes`)
    await page.getByText('Only the root administrator can open this page.').waitFor()
    expect(await page.getByRole('link', { name: 'Nodes' }).count()).toBe(0)
  })
})
