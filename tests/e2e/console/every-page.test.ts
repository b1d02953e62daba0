import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../scripts/lib/console.mjs'
import { brokenRules as budgetFaults } from '../../size/budgets.ts'
import { openMeasured } from '../../size/page-load.ts'
import { fillPages } from '../../size/sample-console.ts'
import { brokenRules, deskInEnglish, loggedIn } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import {
  everyPage,
  fittingTables,
  isColdVisited,
  isHeldHere,
  looksHere,
  pagesOfOwner,
  type WalkedPage,
} from '../../support/console/every-page.ts'
import { openStates, type StateIds } from '../../support/console/open-states.ts'
import { dryUsers, type Outage, playOutage } from '../../support/console/outage.ts'
import { layoutFaults, untilDrawn } from '../../support/console/page-layout.ts'
import { writeTasks } from '../../support/console/sample-rows.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'
import { delayCalls, observeVisits, readVisit } from '../../vitals/observe.ts'
import { maxLayoutShift } from '../../vitals/pages.ts'

setDefaultTimeout(deadline(90_000))

/** Time that calls take: long enough that every page is drawn without their responses first. */
const callMs = 120
const longName = 'Engineering department, research and development, Berlin 7x'
const longModel = 'a-model-with-a-very-long-name-for-the-purpose-of-breaking-tables-2026-11'
const phone = { width: 390, height: 900 }
const firstPage = '/detail'
/** Pages that teach what will be there; the others of an empty installation have nothing of their own to read. */
const teaching = [firstPage, '/redemption', '/orders']

let browser: Browser
let gateway: Tollgate
let upstream: Upstream
let outage: Outage | undefined
/** Browser of a visitor; the other is root's. */
let guest: Walker
let owner: Walker

/** A page with a session, and the way to empty its cache. */
interface Walker {
  readonly page: Page
  readonly devtools: CDPSession
}

async function openWalker(storageState?: Awaited<ReturnType<typeof loggedIn>>): Promise<Walker> {
  const context = await browser.newContext({
    ...deskInEnglish,
    serviceWorkers: 'block',
    ...(storageState && { storageState }),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(deadline(10_000))
  await observeVisits(page)
  await delayCalls(page, callMs)
  return { page, devtools: await context.newCDPSession(page) }
}

/** Opens a page in a window of this size. Returns its load, and what of its layout moved too far. */
async function openObserved({ page }: Walker, path: string, viewport: Size) {
  await page.emulateMedia({ reducedMotion: null })
  await page.setViewportSize(viewport)
  const load = await openMeasured(page, gateway.url + path)
  const { layoutShift, shifts } = await readVisit(page)
  const moved = `shifts by ${layoutShift.toFixed(3)} at ${viewport.width} px: ${shifts[0]?.moved.join(', ')}`
  return { load, shifts: layoutShift < maxLayoutShift ? [] : [moved] }
}
type Size = { readonly width: number; readonly height: number }

/** All that is wrong with a page in sentences. */
async function faultsOf(walked: WalkedPage): Promise<readonly string[]> {
  const { path } = walked
  const walker = walked.loggedIn ? owner : guest
  const { page } = walker
  const cold = isColdVisited(walked) ? await coldFaults(walker, walked) : await openWarm(page, path)
  await untilDrawn(page)
  return [
    ...cold,
    ...(await layoutFaults(page, fittingTables.includes(path))),
    ...(isHeldHere(walked) ? await brokenRules(page, looksHere(walked)) : []),
  ]
}

/**
 * Returns what the first visit of a page has too much of: on a phone that has seen other pages, and then with an empty cache on a desk, which
 * loads the most, and where the page stays open.
 */
async function coldFaults(walker: Walker, { path, loggedIn: isOwner, bytes }: WalkedPage) {
  const onPhone = await openObserved(walker, path, phone)
  await walker.devtools.send('Network.clearBrowserCache')
  const onDesk = await openObserved(walker, path, deskInEnglish.viewport)
  return [
    // What is wrong in an outage is known when the responses have come, and stands above the rest.
    ...(path === firstPage ? [] : [...onPhone.shifts, ...onDesk.shifts]),
    ...(bytes === undefined ? [] : budgetFaults({ path, loggedIn: isOwner, bytes }, onDesk.load)),
  ]
}

async function openWarm(page: Page, path: string): Promise<readonly string[]> {
  await page.setViewportSize(deskInEnglish.viewport)
  await page.goto(gateway.url + path)
  return []
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

describe.skipIf(!hasChromium())('every page of the console', () => {
  beforeAll(async () => {
    await ensureConsole(() => undefined)
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1200, completionTokens: 300 } }))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    await operate(gateway.url)
    browser = await launchChromium()
    guest = await openWalker()
    owner = await openWalker(await loggedIn(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await (outage ?? gateway)?.stop()
    await upstream?.stop()
  })

  describe('of an empty installation', () => {
    it.each(pagesOfOwner)('%s has its layout in its window', async (path) => {
      await openWarm(owner.page, path)
      await untilDrawn(owner.page)
      expect(await layoutFaults(owner.page, fittingTables.includes(path))).toEqual([])
      if (teaching.includes(path)) expect(await brokenRules(owner.page)).toEqual([])
    })
  })

  describe('of a busy installation', () => {
    beforeAll(async () => {
      await fillPages(await operate(gateway.url), upstream.url)
    })

    it('the first page keeps its layout while responses arrive', async () => {
      const onPhone = await openObserved(owner, firstPage, phone)
      const onDesk = await openObserved(owner, firstPage, deskInEnglish.viewport)
      expect([...onPhone.shifts, ...onDesk.shifts]).toEqual([])
    })
  })

  describe('of a busy installation in an outage', () => {
    beforeAll(async () => {
      outage = await playOutage(async () => gateway)
      const { root } = outage
      await root.addKey({ name: longName.slice(0, 30) })
      await root.addChannel({ name: longName, base_url: 'http://127.0.0.1:9', models: longModel })
      await root.api('POST', '/api/redemption/', { name: 'launch week codes', quota: 500_000, count: 3 })
      writeTasks(gateway.dataDir, root.userId, Date.now() - 90_000)
    })

    it.each(everyPage)(
      '$path keeps its budget, its layout while responses arrive and in every window, and WCAG A and AA',
      async (page) => {
        expect(await faultsOf(page)).toEqual([])
      },
    )

    it('what people open on them meets WCAG A and AA, in both languages', async () => {
      const { page } = owner
      const broken: string[] = []
      for (const { name, path, language = 'en', act, visible, looks } of openStates(await stateIds())) {
        await page.setViewportSize(deskInEnglish.viewport)
        await page.evaluate((code) => localStorage.setItem('language', code), language)
        await page.goto(gateway.url + path)
        await act?.(page)
        await visible(page).first().waitFor()
        broken.push(...(await brokenRules(page, looks)).map((rule) => `${name}: ${rule}`))
      }
      await page.evaluate(() => localStorage.setItem('language', 'en'))
      expect(broken).toEqual([])
    })

    it('an open list has the name of its field', async () => {
      const { page } = owner
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
})
