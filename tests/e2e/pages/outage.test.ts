import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { figures as linkedFigures } from '../../../apps/web/src/lib/figures/figures.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { userPassword } from '../../support/add-user.ts'
import { brokenRules, deskInEnglish, loggedIn, openWithin } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { maxClicks, withinClicks } from '../../support/console/clicks.ts'
import {
  deadChannels,
  dryUsers,
  failures,
  type Outage,
  playOutage,
  unpricedModel,
} from '../../support/console/outage.ts'
import { type ClickedFigure, clickFigures } from '../../support/figures/click.ts'
import { rootAccount } from '../../support/operator.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'

setDefaultTimeout(deadline(90_000))

/** Words of the console in one language. */
interface Words {
  readonly openChannel: string
  readonly addBalance: string
  readonly setPrice: string
  readonly showAll: string
  readonly why: string
  readonly lost: (calls: number) => RegExp
  readonly when: RegExp
}

const english: Words = {
  openChannel: 'Open channel',
  addBalance: 'Add balance',
  setPrice: 'Set price',
  showAll: 'Show all problems',
  why: 'Why, this hour',
  lost: (calls) => new RegExp(`${calls} calls lost`),
  when: /now|ago/,
}
const chinese: Words = {
  openChannel: '打开渠道',
  addBalance: '增加余额',
  setPrice: '设置价格',
  showAll: '显示全部问题',
  why: '最近一小时的原因',
  lost: (calls) => new RegExp(`损失 ${calls} 次调用`),
  when: /刚刚|前/,
}

const windows = [
  { width: '1440 px', viewport: { width: 1440, height: 900 } },
  { width: '390 px', viewport: { width: 390, height: 844 } },
] as const
const languages = [
  { language: 'English', locale: 'en-US', words: english },
  { language: 'Chinese', locale: 'zh-CN', words: chinese },
] as const
const people = windows.flatMap((window) => languages.map((language) => ({ ...window, ...language })))

let outage: Outage
let browser: Browser
/** Errors that scripts of the pages threw. */
const thrown: string[] = []

/** The pages on which the console's table has figures for a reader, but for sheets of one record. */
function pagesOfFigures(isAdministrator: boolean): readonly string[] {
  const visible = Object.values(linkedFigures).filter(
    ({ readers }) => isAdministrator || readers === 'everybody',
  )
  return [...new Set(visible.map(({ page }) => page))].filter((page) => !page.includes('$'))
}

const emilAccount = { username: 'emil', password: userPassword }

/** The pages that need no account, a link to a charge and one to its day among them. */
async function publicPages(): Promise<readonly string[]> {
  const { root } = outage
  await root.option('StatusPageEnabled', 'true')
  const { items } = await root.api<{ items: { id: number; created_at: number; user_id: number }[] }>(
    'GET',
    '/api/log/?p=1&page_size=1&type=2',
  )
  const [charge] = items
  if (charge === undefined) throw new Error('no call was charged')
  const { id: log_id, created_at: at, user_id } = charge
  const day = new Date(at * 1000).toISOString().slice(0, 10)
  const linked = [
    { log_id, at },
    { user_id, day, time_zone: 'UTC' },
  ].map(async (body) => (await root.api<{ path: string }>('POST', '/api/log/link', body)).path)
  return ['/', '/pricing', '/status', '/docs', '/about', ...(await Promise.all(linked))]
}

/** A window of its own, with root logged in. */
async function open(options: { readonly viewport: Size; readonly locale: string }): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    storageState: await loggedIn(outage.gateway.url),
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(deadline(10_000))
  page.on('pageerror', (error) => thrown.push(String(error)))
  return page
}
type Size = { readonly width: number; readonly height: number }

/** The addresses of links that Tab reaches until the page has been gone through once from its top. */
async function reachedByTab(page: Page): Promise<readonly string[]> {
  const reached: string[] = []
  let ends = 0
  for (let pressed = 0; pressed < 250; pressed++) {
    await page.keyboard.press('Tab')
    const address = await page.evaluate(() => {
      const focused = document.activeElement
      return focused === document.body ? undefined : (focused?.getAttribute('href') ?? '')
    })
    if (address !== undefined) reached.push(address)
    // What was pressed before is where the first round begins.
    else if (++ends === 2) return reached
  }
  throw new Error('Tab does not come to the end of the page')
}

/** Something that is wrong. */
type Cause = ReturnType<typeof causesIn>[number]

/** Returns the problems that the first page names: the target of each, and its number and time. */
function causesIn({ openChannel, addBalance, setPrice, lost, when }: Words) {
  const channels = deadChannels.map(({ name }) => ({
    name,
    action: openChannel,
    leadsTo: /\/channel\/edit\/\d+/,
    says: [lost(failures.channel), when],
  }))
  const users = dryUsers.map((name) => ({
    name,
    action: addBalance,
    leadsTo: new RegExp(`/user/edit/${outage.userId(name)}`),
    says: [lost(failures[name]), when],
  }))
  const price = { action: setPrice, leadsTo: /price=model-new/, says: [lost(failures.unpriced), when] }
  return [...channels, ...users, { name: unpricedModel, ...price }]
}

/** Its row, hidden ones of a phone too. */
function rowOf(page: Page, name: string): Locator {
  return page
    .locator('main section')
    .filter({ has: page.getByRole('link', { name: /Why, this hour|最近一小时的原因/ }) })
    .locator('li')
    .filter({ has: page.locator('p').first().getByText(name) })
    .first()
}

describe.skipIf(!hasChromium())('an outage', () => {
  beforeAll(async () => {
    outage = await playOutage()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await outage?.stop()
  })

  describe.each(people)(
    'is named on the first page with count and time, two clicks from each way out, at $width, in $language',
    ({ viewport, locale, words }) => {
      let page: Page
      /** The first page with all that is wrong in sight; returns the clicks that this took. */
      const showCauses = async (): Promise<number> => {
        await page.goto(`${outage.gateway.url}/detail`)
        await rowOf(page, unpricedModel).waitFor({ state: 'attached' })
        const all = page.getByRole('button', { name: words.showAll })
        if (!(await all.isVisible())) return 0
        await all.click()
        return 1
      }
      const linkOf = (cause: Cause) => rowOf(page, cause.name).getByRole('link', { name: cause.action })

      beforeAll(async () => {
        page = await open({ viewport, locale })
      })
      afterAll(async () => {
        await page?.context().close()
      })

      it('with the mouse', async () => {
        const causes = causesIn(words)
        const clicks = await showCauses()
        expect(clicks + 1).toBeLessThanOrEqual(2)
        for (const { name, says, leadsTo, action } of causes) {
          const row = rowOf(page, name)
          const text = (await row.textContent()) ?? ''
          for (const stated of says) expect(text).toMatch(stated)
          const link = row.getByRole('link', { name: action })
          // Nothing lies over it.
          await link.click({ trial: true })
          expect(await link.getAttribute('href')).toMatch(leadsTo)
        }
        for (const action of new Set(causes.map((cause) => cause.action))) {
          const cause = causes.find((one) => one.action === action) as Cause
          await showCauses()
          await linkOf(cause).click()
          await page.waitForURL(cause.leadsTo)
        }
      })

      it('with the keyboard alone', async () => {
        const clicks = await showCauses()
        expect(clicks + 1).toBeLessThanOrEqual(2)
        const causes = causesIn(words)
        const reached = await reachedByTab(page)
        for (const cause of causes) {
          const address = (await linkOf(cause).getAttribute('href')) ?? ''
          expect(reached).toContain(address)
          expect(address).toMatch(cause.leadsTo)
        }
        await linkOf(causes[0] as Cause).press('Enter')
        await page.waitForURL((causes[0] as Cause).leadsTo)
      })
    },
  )

  describe('on a desk', () => {
    let page: Page
    beforeAll(async () => {
      page = await open(deskInEnglish)
      await page.goto(`${outage.gateway.url}/detail`)
    })

    it('has its causes listed one click from the first page, each a filter of the log', async () => {
      await page.getByRole('link', { name: english.why }).click()
      const panel = page.getByRole('dialog', { name: 'Why calls failed' })
      await panel.getByText('Channel key refused').waitFor()
      const causes = (await panel.getByRole('listitem').allTextContents()).map((text) => text.trim())
      expect(causes.toSorted()).toEqual([
        'Balance too low · emil9Add balance',
        'Balance too low · ida4Add balance',
        'Channel key refused · channel 036Open channel',
        'Model has no price · model-new5Set price',
        'Upstream error · channel 096Open channel',
        'Upstream unreachable · channel 066Open channel',
      ])
      expect(
        await brokenRules(page, [
          [1440, 'light'],
          [390, 'dark'],
        ]),
      ).toEqual([])
      await panel.getByRole('button', { name: /emil/ }).click()
      await page.waitForURL(/user=emil/)
      await page.getByText('1–9 of 9').waitFor()
    })

    it('shows figures that a query over the rows gives', async () => {
      const database = new Database(join(outage.gateway.dataDir, 'tollgate.db'), { readonly: true })
      const one = (sql: string) => Number(Object.values(database.query(sql).get() as object)[0])
      const spent = one('select sum(quota) from logs where type = 2')
      const rows = one('select count(*) from logs where type in (2, 5)')
      const failed = one('select count(*) from logs where type = 5')
      await page.goto(`${outage.gateway.url}/detail`)
      const figures = page.getByRole('region', { name: 'Key figures' })
      await figures
        .getByText(`$${(spent / 500_000).toFixed(3)}`)
        .first()
        .waitFor()
      const visible = (await figures.textContent()) ?? ''
      expect(visible).toContain(`Calls today${rows}`)
      expect(visible).toContain(`Failed calls today${failed} (${Math.round((failed / rows) * 100)}\u00a0%)`)
      for (const { name, model } of deadChannels) {
        const row = `select count(*) from logs where model = '${model}'`
        const [all, lost] = [one(row), one(`${row} and type = 5`)]
        await rowOf(page, name).getByText(`${lost} calls lost`).waitFor()
        await page
          .getByRole('listitem')
          .filter({ hasText: model })
          .getByText(`${lost} of ${all}`, { exact: true })
          .waitFor()
      }
      await page.goto(`${outage.gateway.url}/log?range=1h`)
      const overview = page.getByRole('region', { name: /over time/i })
      await overview.getByText(`${rows - failed} calls`).waitFor()
      await overview.getByText(`${failed} errors`).waitFor()
      await page.getByText(`of ${rows}`).first().waitFor()
      database.close()
    })

    it.each([
      ['administrator', rootAccount, () => [...pagesOfFigures(true), '/channel', '/user', '/log'], 4],
      ['ordinary user', emilAccount, () => [...pagesOfFigures(false), '/log'], 2],
      ['visitor without an account', undefined, publicPages, 1],
    ] as const)('leads the %s from each figure to as many rows as it says', async (_, who, pathsOf, min) => {
      const paths = await pathsOf()
      const context = await browser.newContext({
        ...deskInEnglish,
        ...(who && { storageState: await loggedIn(outage.gateway.url, who) }),
        serviceWorkers: 'block',
      })
      const own = await context.newPage()
      own.setDefaultTimeout(deadline(10_000))
      const clicked: ClickedFigure[] = []
      for (const path of paths) clicked.push(...(await clickFigures(own, outage.gateway.url, path)))
      await context.close()
      expect(clicked.length).toBeGreaterThanOrEqual(min)
      expect(clicked.filter(({ value, listed }) => value !== listed)).toEqual([])
    })

    describe('is worked on by thirteen jobs of an operator, each within five clicks of the first page', () => {
      /** A job from the first page on. Its end is what the gateway then has. */
      async function job(max: number, work: (click: (target: Locator) => Promise<void>) => Promise<void>) {
        await openWithin(page, '/detail')
        await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
        await withinClicks(Math.min(max, maxClicks), work)
      }

      const link = (name: string | RegExp) => page.getByRole('link', { name })
      const button = (name: string | RegExp) => page.getByRole('button', { name })
      const problem = (name: string) =>
        page
          .locator('main li')
          .filter({ has: page.getByText(name) })
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

      it('learns why calls fail this hour', () =>
        job(1, async (click) => {
          await click(link('Why, this hour'))
          await page
            .getByRole('dialog', { name: 'Why calls failed' })
            .getByText('Channel key refused')
            .waitFor()
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
          expect((await outage.call('model-01', 'emil')).status).toBe(403)
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
        job(3, async (click) => {
          await click(link('Channels'))
          await click(button('Disable channel 09'))
          // No other channel serves its model.
          await page.getByRole('alertdialog').getByText('model-09 (default)').waitFor()
          await click(page.getByRole('alertdialog').getByRole('button', { name: 'Disable', exact: true }))
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

      it('accepts an incident for all administrators', () =>
        job(2, async (click) => {
          await click(problem('channel 06').getByRole('button', { name: 'Accept or snooze' }))
          await click(page.getByRole('menuitem', { name: 'Accept until it ends' }))
          await page.getByText('Accepted for all administrators').waitFor()
        }))

      it('plans when a channel goes off', () =>
        job(5, async (click) => {
          await click(link('Channels'))
          await click(button('More actions for channel 06'))
          await click(page.getByRole('menuitem', { name: 'Schedule' }))
          const dialog = page.getByRole('dialog', { name: 'Schedule channel 06' })
          await click(dialog.getByRole('button', { name: 'In 8 hours' }))
          await click(dialog.getByRole('button', { name: 'Save schedule' }))
          await page.getByText('Schedule of channel 06 saved').waitFor()
        }))

      it('reads the statement of a user', () =>
        job(3, async (click) => {
          await click(link('Users'))
          await click(page.getByRole('row').filter({ hasText: 'emil' }))
          await click(page.getByRole('dialog').getByRole('link', { name: 'Statement' }))
          await page.getByText('Closing balance').first().waitFor()
        }))

      it('names what was mended no more', async () => {
        await page.goto(`${outage.gateway.url}/detail`)
        await rowOf(page, 'ida').waitFor()
        expect(await rowOf(page, 'emil').count()).toBe(0)
        expect(await page.locator('main').getByText('has no price').count()).toBe(0)
      })
    })

    it('meets no error in the browser on its way', () => {
      expect(thrown).toEqual([])
    })
  })
})
