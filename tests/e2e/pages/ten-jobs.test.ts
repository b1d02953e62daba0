import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type ConsoleWindow, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Outage, playOutage, unpricedModel } from '../../support/console/outage.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'

setDefaultTimeout(deadline(60_000))

let outage: Outage
let view: ConsoleWindow
let page: Page

/** Typing costs nothing; the first page is where each job begins. */
const mostClicks = 5

/** A job from the first page on. Its end is what the gateway then has; it counts the clicks until there. */
async function job(most: number, work: (click: (target: Locator) => Promise<void>) => Promise<void>) {
  let clicks = 0
  await page.goto(`${outage.gateway.url}/detail`)
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await work(async (target) => {
    await target.click()
    clicks++
  })
  expect(clicks).toBeLessThanOrEqual(Math.min(most, mostClicks))
}

const link = (name: string | RegExp) => page.getByRole('link', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const problem = (name: string) =>
  page
    .locator('main li')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
const channel = async (name: string) => {
  const rows = await outage.root.api<{ id: number; name: string; status: number; priority: number }[]>(
    'GET',
    '/api/channel/?p=0&page_size=50',
  )
  const found = rows.find((row) => row.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

describe.skipIf(!hasChromium())('ten jobs of an operator, each within five clicks of the first page', () => {
  beforeAll(async () => {
    outage = await playOutage()
    view = await openConsole(outage.gateway.url, { path: '/detail', reducedMotion: 'reduce' })
    page = view.page
  })
  afterAll(async () => {
    await view?.browser.close()
    await outage?.stop()
  })

  it('learns why calls fail this hour', () =>
    job(1, async (click) => {
      await click(link('Why, this hour'))
      await page.getByRole('dialog', { name: 'Why calls failed' }).getByText('Channel key refused').waitFor()
    }))

  it('finds the calls that one user was refused', () =>
    job(2, async (click) => {
      await click(link('Why, this hour'))
      await click(button(/Balance too low · emil/))
      await page.getByText('1–9 of 9').waitFor()
    }))

  it('gives a user balance', () =>
    job(2, async (click) => {
      await click(problem('emil').getByRole('link', { name: 'Add balance' }))
      await click(button('Add $25'))
      await until(async () => ((await outage.call('model-01', 'emil')).status === 200 ? true : undefined))
    }))

  it('prices a model', () =>
    job(2, async (click) => {
      await click(problem(unpricedModel).getByRole('link', { name: 'Set price' }))
      await page.getByRole('textbox', { name: 'Input', exact: true }).fill('2')
      await click(button(/^Save price/))
      await until(async () => ((await outage.call(unpricedModel)).status === 200 ? true : undefined))
    }))

  it('replaces the key of a channel', () =>
    job(2, async (click) => {
      outage.upstream.on('model-03', respond({ text: 'Hello.' }))
      await click(problem('channel 03').getByRole('link', { name: 'Open channel' }))
      await page.getByRole('textbox', { name: /^New key/ }).fill('sk-fresh-key-0000001')
      await click(button(/^Save channel/))
      await page.getByText('Channel updated').waitFor()
      await until(async () => ((await outage.call('model-03')).status === 200 ? true : undefined))
    }))

  it('takes a channel out of service', () =>
    job(2, async (click) => {
      await click(link('Channels'))
      await click(button('Disable channel 09'))
      await until(async () => ((await channel('channel 09')).status === 2 ? true : undefined))
    }))

  it('adds a channel', () =>
    job(4, async (click) => {
      await click(link('Channels'))
      await click(link('Add channel'))
      const form = page.getByRole('dialog', { name: 'Add channel' })
      await form.getByRole('textbox', { name: /^Name/ }).fill('channel 13')
      await form.getByRole('textbox', { name: /^Key/ }).fill('sk-another-key-000001')
      await form.getByRole('combobox', { name: /^Models/ }).fill('model-13')
      await page.keyboard.press('Enter')
      await click(form.getByRole('button', { name: /^Add channel/ }))
      await until(async () => channel('channel 13').catch(() => undefined))
    }))

  it('creates a key', () =>
    job(4, async (click) => {
      await click(link('API keys'))
      await click(link(/^Create/))
      await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('for the agent')
      await click(page.getByRole('dialog').getByRole('button', { name: /^Create key/ }))
      await page.getByText(/sk-/).first().waitFor()
    }))

  it('sees what a user spent, by model', () =>
    job(3, async (click) => {
      await click(link('Spend by user'))
      await page.getByRole('row').filter({ hasText: 'root' }).first().waitFor()
    }))

  it('learns what a call was charged for', () =>
    job(3, async (click) => {
      await click(link('Usage log'))
      await click(page.getByRole('row').filter({ hasText: '$0.00' }).first())
      await page.getByRole('dialog').getByText(/input/i).first().waitFor()
    }))
})
