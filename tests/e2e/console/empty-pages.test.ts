import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../scripts/lib/console.mjs'
import { brokenRules, openConsole, openWithin } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { pagesOfOwner } from '../../support/console/every-page.ts'
import { layoutFaults, untilDrawn } from '../../support/console/page-layout.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(90_000))

const firstPage = '/detail'
/** Pages that teach what will be there; the others of an empty installation have nothing of their own to read. */
const teaching = [firstPage, '/redemption', '/orders']

let browser: Browser
let gateway: Tollgate
let page: Page

describe.skipIf(!hasChromium())('every page of an empty installation', () => {
  beforeAll(async () => {
    await ensureConsole(() => undefined)
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    await operate(gateway.url)
    ;({ browser, page } = await openConsole(gateway.url, { path: firstPage }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  it.each(pagesOfOwner)('%s has its layout in its window', async (path) => {
    await openWithin(page, path)
    await untilDrawn(page)
    // A table without rows has a column's room in any window: `console/every-page` measures them with rows.
    expect(await layoutFaults(page, false)).toEqual([])
    if (teaching.includes(path)) expect(await brokenRules(page)).toEqual([])
  })
})
