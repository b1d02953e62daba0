import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../scripts/lib/console.mjs'
import { fillPages } from '../../size/sample-console.ts'
import { brokenRules, deskInEnglish, loggedIn, openWithin } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { everyPage, fittingTables, looksHere, type WalkedPage } from '../../support/console/every-page.ts'
import { openStates, type StateIds } from '../../support/console/open-states.ts'
import { dryUsers, type Outage, playOutage } from '../../support/console/outage.ts'
import { layoutFaults, untilDrawn } from '../../support/console/page-layout.ts'
import { writeTasks } from '../../support/console/sample-rows.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

const longName = 'Engineering department, research and development, Berlin 7x'
const longModel = 'a-model-with-a-very-long-name-for-the-purpose-of-breaking-tables-2026-11'

let browser: Browser
let gateway: Tollgate
let upstream: Upstream
let outage: Outage | undefined
/** Page of a visitor; the other is root's. Each stays open over its pages, as it does for people. */
let guest: Page
let owner: Page

async function openPage(storageState?: Awaited<ReturnType<typeof loggedIn>>): Promise<Page> {
  const context = await browser.newContext({
    ...deskInEnglish,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    ...(storageState && { storageState }),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(deadline(10_000))
  return page
}

/** All that is wrong with a page in sentences. */
async function faultsOf(walked: WalkedPage): Promise<readonly string[]> {
  const page = walked.loggedIn ? owner : guest
  await openWithin(page, walked.path)
  await untilDrawn(page)
  return [
    ...(await layoutFaults(page, fittingTables.includes(walked.path))),
    ...(await brokenRules(page, looksHere(walked))),
  ]
}

/** Two orders at a cashier, one of which is paid. */
async function orderTopUps(root: Operator): Promise<void> {
  for (const [key, value] of [
    ['ServerAddress', root.url],
    ['PayAddress', 'https://cashier.example'],
    ['EpayId', '1001'],
    ['EpayKey', 'the key of the merchant'],
  ] as const)
    await root.option(key, value)
  const order = (amount: number, method: string) =>
    root.call('POST', '/api/user/pay', { amount, payment_method: method })
  await order(10, 'zfb')
  const paid = (await order(20, 'wx')) as unknown as { readonly trade_no: string }
  await root.api('POST', '/api/topup/complete', { trade_no: paid.trade_no })
}

/** The user and the key that addresses of states name. */
async function stateIds(): Promise<StateIds> {
  if (outage === undefined) throw new Error('there was no outage')
  const { root, userId } = outage
  await orderTopUps(root)
  const [key] = await root.api<{ id: number }[]>('GET', '/api/token/?p=0&size=1')
  return { userId: userId(dryUsers[0]), keyId: key?.id ?? 0 }
}

describe.skipIf(!hasChromium())('every page of a busy installation in an outage', () => {
  beforeAll(async () => {
    await ensureConsole(() => undefined)
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1200, completionTokens: 300 } }))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    const operator = await operate(gateway.url)
    await fillPages(operator, upstream.url)
    outage = await playOutage(async () => gateway)
    const { root } = outage
    await root.addKey({ name: longName.slice(0, 30) })
    await root.addChannel({ name: longName, base_url: 'http://127.0.0.1:9', models: longModel })
    await root.api('POST', '/api/redemption/', { name: 'launch week codes', quota: 500_000, count: 3 })
    writeTasks(gateway.dataDir, root.userId, Date.now() - 90_000)
    browser = await launchChromium()
    guest = await openPage()
    owner = await openPage(await loggedIn(gateway.url))
    await owner.goto(`${gateway.url}/detail`)
    await guest.goto(`${gateway.url}/login`)
  })
  afterAll(async () => {
    await browser?.close()
    await (outage ?? gateway)?.stop()
    await upstream?.stop()
  })

  it.each(everyPage)('$path keeps its layout in every window, and WCAG A and AA', async (page) => {
    expect(await faultsOf(page)).toEqual([])
  })

  it('what people open on them meets WCAG A and AA, in both languages', async () => {
    const broken: string[] = []
    let current: string | undefined
    for (const { name, path, language = 'en', act, visible, looks } of openStates(await stateIds())) {
      await owner.setViewportSize(deskInEnglish.viewport)
      if (language === current) await openWithin(owner, path)
      else {
        await owner.evaluate((code) => localStorage.setItem('language', code), language)
        await owner.goto(gateway.url + path)
      }
      current = language
      await act?.(owner)
      await visible(owner).first().waitFor()
      broken.push(...(await brokenRules(owner, looks)).map((rule) => `${name}: ${rule}`))
    }
    await owner.evaluate(() => localStorage.setItem('language', 'en'))
    expect(broken).toEqual([])
  })

  it('an open list has the name of its field', async () => {
    await owner.goto(`${gateway.url}/token/add`)
    const list = async (name: string) => {
      await owner.getByRole('combobox', { name }).click()
      await owner.getByRole('listbox', { name }).waitFor()
      expect(await brokenRules(owner)).toEqual([])
      await owner.keyboard.press('Escape')
      await owner.getByRole('listbox', { name }).waitFor({ state: 'detached' })
    }
    await list('Group')
    await owner.locator('summary').click()
    await owner.getByText('Only some models').click()
    await list('Allowed models')
  })
})
