import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { measurePages } from '../../size/measure-pages.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { unsteadyPages } from '../../vitals/measure-shifts.ts'

setDefaultTimeout(deadline(240_000))

let browser: Browser

describe.skipIf(!hasChromium())('first load of every page', () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
  })

  it('stays within its budget of bytes and requests, and requests nothing twice', async () => {
    const pages = await measurePages(browser)
    expect(pages.flatMap(({ broken }) => broken)).toEqual([])
  })

  it('keeps its layout while responses arrive, on a desk and on a phone', async () => {
    expect(await unsteadyPages(browser, [1440, 390])).toEqual([])
  })
})
