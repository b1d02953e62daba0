import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../scripts/lib/console.mjs'
import { brokenRules as budgetFaults, pageBudgets } from '../../size/budgets.ts'
import { openMeasured } from '../../size/page-load.ts'
import { fillPages } from '../../size/sample-console.ts'
import { deskInEnglish, loggedIn, openWithin } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'
import { delayCalls, forgetVisit, observeVisits, readVisit } from '../../vitals/observe.ts'
import { maxLayoutShift } from '../../vitals/pages.ts'

setDefaultTimeout(deadline(90_000))

/** Time that calls take: long enough that every page is drawn without their responses first. */
const callMs = 120
const longName = 'Engineering department, research and development, Berlin 7x'
const onPhone = { viewport: { width: 390, height: 900 } }

let browser: Browser
let gateway: Tollgate
let upstream: Upstream
let visitor: Person
let root: Person

/** Somebody with two windows: a desk whose cache is emptied before each visit, and a phone on which the console stays open. */
interface Person {
  readonly desk: Page
  readonly phone: Page
  emptyCache(): Promise<unknown>
}

async function openPerson(
  firstPage: string,
  storageState?: Awaited<ReturnType<typeof loggedIn>>,
): Promise<Person> {
  const windowOf = async (options: { readonly viewport: { width: number; height: number } }) => {
    const context = await browser.newContext({
      ...deskInEnglish,
      ...options,
      serviceWorkers: 'block',
      ...(storageState && { storageState }),
    })
    const page = await context.newPage()
    page.setDefaultTimeout(deadline(10_000))
    await observeVisits(page)
    await delayCalls(page, callMs)
    return page
  }
  const [desk, phone] = [await windowOf(deskInEnglish), await windowOf(onPhone)]
  const devtools = await desk.context().newCDPSession(desk)
  await phone.goto(gateway.url + firstPage)
  return { desk, phone, emptyCache: () => devtools.send('Network.clearBrowserCache') }
}

/** Returns what of the layout of a visited page moved too far while responses arrived. */
async function shiftsOf(page: Page): Promise<readonly string[]> {
  const { layoutShift, shifts } = await readVisit(page)
  const width = page.viewportSize()?.width
  const moved = `shifts by ${layoutShift.toFixed(3)} at ${width} px: ${shifts[0]?.moved.join(', ')}`
  return layoutShift < maxLayoutShift ? [] : [moved]
}

/** Channels, keys and calls with texts as long as they may be. */
async function fillWithLongNames(operator: Operator): Promise<void> {
  await fillPages(operator, upstream.url)
  await operator.addKey({ name: longName.slice(0, 30) })
  await operator.addChannel({ name: longName, base_url: 'http://127.0.0.1:9', models: 'a-model' })
}

describe.skipIf(!hasChromium())('a visit of a page of a busy installation', () => {
  beforeAll(async () => {
    await ensureConsole(() => undefined)
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1200, completionTokens: 300 } }))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    await fillWithLongNames(await operate(gateway.url))
    browser = await launchChromium()
    visitor = await openPerson('/login')
    root = await openPerson('/detail', await loggedIn(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('keeps the layout of the first page on a phone that opens the console', async () => {
    expect([...(await shiftsOf(visitor.phone)), ...(await shiftsOf(root.phone))]).toEqual([])
  })

  it.each(pageBudgets)(
    '$path keeps its budget with an empty cache, and its layout while responses arrive on a desk and a phone',
    async (budget) => {
      const { desk, phone, emptyCache } = budget.loggedIn ? root : visitor
      await emptyCache()
      const load = await openMeasured(desk, gateway.url + budget.path)
      await forgetVisit(phone)
      await openWithin(phone, budget.path)
      expect([...budgetFaults(budget, load), ...(await shiftsOf(desk)), ...(await shiftsOf(phone))]).toEqual(
        [],
      )
    },
  )
})
