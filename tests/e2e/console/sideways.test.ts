import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { playOutage } from '../../support/console/outage.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(90_000))

const paths = [
  '/detail',
  '/playground',
  '/token',
  '/token/add',
  '/log',
  '/midjourney',
  '/task',
  '/channel',
  '/channel/add',
  '/models',
  '/correction',
  '/route',
  '/redemption',
  '/spend',
  '/orders',
  '/user',
  '/audit',
  '/security',
  '/nodes',
  '/topup',
  '/personal',
  '/setting?tab=operation',
  '/setting?tab=system',
  '/setting?tab=models',
  '/pricing',
  '/docs',
  '/about',
]
const widths = [390, 820, 1440]

/** A gateway without a channel, a key or a call, and one in the middle of an outage. */
const installations = {
  'an empty installation': async () => {
    const gateway = await startTollgate()
    await operate(gateway.url)
    return { url: gateway.url, stop: () => gateway.stop() }
  },
  'an outage': async () => {
    const outage = await playOutage()
    return { url: outage.gateway.url, stop: () => outage.stop() }
  },
}

describe.skipIf(!hasChromium()).each(Object.entries(installations))('with %s', (_name, install) => {
  let installation: { readonly url: string; readonly stop: () => Promise<void> }
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    installation = await install()
    ;({ browser, page } = await openConsole(installation.url, { reducedMotion: 'reduce' }))
  })
  afterAll(async () => {
    await browser?.close()
    await installation?.stop()
  })

  it.each(paths)('no part of %s lies outside of its window', async (path) => {
    await page.goto(installation.url + path)
    await page.locator('main :is(h1, h2)').first().waitFor()
    await page.waitForFunction(nothingLoads)
    const wider: string[] = []
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const excess = await excessOf(page)
      if (excess > 0) wider.push(`${width} px: ${excess} px too wide`)
    }
    expect(wider).toEqual([])
  })
})

/** What lies below the window loads when it is scrolled to. */
function nothingLoads(): boolean {
  return [...document.querySelectorAll('.skeleton, [aria-busy="true"]')].every(
    (place) => place.getBoundingClientRect().top > window.innerHeight,
  )
}

/** By how many pixels the page is wider than its window, once it has its new width. */
function excessOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}
