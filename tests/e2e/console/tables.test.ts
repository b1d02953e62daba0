import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type ConsoleWindow, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Outage, playOutage } from '../../support/console/outage.ts'
import { operate } from '../../support/operator.ts'

setDefaultTimeout(deadline(60_000))

const longName = 'Engineering department, research and development, Berlin 7x'
const longModel = 'a-model-with-a-very-long-name-for-the-purpose-of-breaking-tables-2026-11'
/** `/spend` has a column for each model, and scrolls. */
const lists = [
  '/token',
  '/channel',
  '/models',
  '/log',
  '/user',
  '/redemption',
  '/audit',
  '/security',
  '/nodes',
  '/pricing',
]
const widths = [768, 820, 1024, 1280, 1366, 1440]

let outage: Outage
let view: ConsoleWindow

describe.skipIf(!hasChromium())('the tables of the console', () => {
  beforeAll(async () => {
    outage = await playOutage()
    const root = await operate(outage.gateway.url)
    await root.addKey({ name: longName.slice(0, 30) })
    await root.addChannel({ name: longName, base_url: 'http://127.0.0.1:9', models: longModel })
    await root.api('POST', '/api/redemption/', { name: 'launch week codes', quota: 500_000, count: 3 })
    view = await openConsole(outage.gateway.url, { reducedMotion: 'reduce' })
  })
  afterAll(async () => {
    await view?.browser.close()
    await outage?.stop()
  })

  for (const path of lists)
    it(`of ${path} are no wider than their box, and cut no word to a few letters`, async () => {
      const { page } = view
      await page.goto(outage.gateway.url + path)
      await page.locator('main tbody tr:not(:has(.skeleton))').first().waitFor()
      const broken: string[] = []
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        broken.push(...(await crampedParts(page)).map((part) => `${width} px: ${part}`))
      }
      expect(broken).toEqual([])
    })
})

/** What of the tables has no room, in sentences. */
function crampedParts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const fewLetters = 60
    const isCut = (element: Element) =>
      element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow === 'hidden'
    return [...document.querySelectorAll('main table')].flatMap((table) => {
      const box = table.parentElement as HTMLElement
      const excess = box.scrollWidth - box.clientWidth
      const cut = [...table.querySelectorAll('td, td *, th')].filter(
        (element) => isCut(element) && element.clientWidth > 2 && element.clientWidth < fewLetters,
      )
      return [
        ...(excess > 1 ? [`the table is ${excess} px wider than its box`] : []),
        ...cut.map((element) => `“${element.textContent}” has ${element.clientWidth} px`),
      ]
    })
  })
}
