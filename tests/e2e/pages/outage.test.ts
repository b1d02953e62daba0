import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, type ConsoleWindow, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import {
  deadChannels,
  dryUsers,
  failures,
  type Outage,
  playOutage,
  unpricedModel,
} from '../../support/console/outage.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'

setDefaultTimeout(deadline(90_000))

/** How a person uses the console: a window and a language, and how a link or button is pressed there. */
interface Person {
  readonly name: string
  readonly options: BrowserContextOptions
  readonly words: Words
  press(target: Locator): Promise<void>
}

/** What the console says in one language. */
interface Words {
  readonly openChannel: string
  readonly addBalance: string
  readonly setPrice: string
  readonly showAll: string
  readonly why: string
  readonly attempts: (failed: number, all: number) => RegExp
  readonly refused: (count: number) => RegExp
  readonly when: RegExp
}

const english: Words = {
  openChannel: 'Open channel',
  addBalance: 'Add balance',
  setPrice: 'Set price',
  showAll: 'Show all problems',
  why: 'Why, this hour',
  attempts: (failed, all) => new RegExp(`Last hour: ${failed} of ${all} attempts failed`),
  refused: (count) => new RegExp(`${count} calls refused in the last 24 hours, the last one`),
  when: /now|ago/,
}
const chinese: Words = {
  openChannel: '打开渠道',
  addBalance: '增加余额',
  setPrice: '设置价格',
  showAll: '显示全部问题',
  why: '最近一小时的原因',
  attempts: (failed, all) => new RegExp(`${all} 次尝试中 ${failed} 次失败`),
  refused: (count) => new RegExp(`24 小时拒绝了 ${count} 次调用`),
  when: /刚刚|前/,
}

const byMouse = (target: Locator) => target.click()
/** Goes through the page by Tab until the target has the focus. */
async function byKeyboard(target: Locator): Promise<void> {
  await target.waitFor()
  const page = target.page()
  for (let pressed = 0; pressed < 250; pressed++) {
    if (await target.evaluate((element) => element === document.activeElement))
      return page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target}`)
}

const ways = [
  { way: 'the mouse', press: byMouse },
  { way: 'the keyboard alone', press: byKeyboard },
] as const
const windows = [
  { width: '1440 px', viewport: { width: 1440, height: 900 } },
  { width: '390 px', viewport: { width: 390, height: 844 } },
] as const
const languages = [
  { language: 'English', locale: 'en-US', words: english },
  { language: 'Chinese', locale: 'zh-CN', words: chinese },
] as const

const people: readonly Person[] = ways.flatMap(({ way, press }) =>
  windows.flatMap(({ width, viewport }) =>
    languages.map(({ language, locale, words }) => ({
      name: `${way}, at ${width}, in ${language}`,
      options: { viewport, locale },
      words,
      press,
    })),
  ),
)

let outage: Outage

/** What is wrong, as the first page names it: where it leads, and that it says how often and when. */
function causesIn({ openChannel, addBalance, setPrice, attempts, refused, when }: Words) {
  const channels = deadChannels.map(({ name }) => ({
    name,
    action: openChannel,
    leadsTo: /\/channel\/edit\/\d+/,
    says: [attempts(failures.channel, failures.channel + 2), when],
  }))
  const users = dryUsers.map((name) => ({
    name,
    action: addBalance,
    leadsTo: new RegExp(`/user/edit/${outage.userId(name)}`),
    says: [refused(failures[name]), when],
  }))
  const price = { action: setPrice, leadsTo: /price=model-new/, says: [refused(failures.unpriced), when] }
  return [...channels, ...users, { name: unpricedModel, ...price }]
}

/** Its row, hidden ones of a phone too. */
function rowOf(page: Page, name: string): Locator {
  return page
    .locator('main section')
    .first()
    .locator('li')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
}

describe.skipIf(!hasChromium())('an outage', () => {
  beforeAll(async () => {
    outage = await playOutage()
  })
  afterAll(async () => {
    await outage?.stop()
  })

  for (const { name, options, words, press } of people)
    it(`is named on the first page with count and time, two clicks from each way out, with ${name}`, async () => {
      const { browser, page, thrown } = await openConsole(outage.gateway.url, { path: '/detail', ...options })
      for (const { name: cause, action, leadsTo, says } of causesIn(words)) {
        let clicks = 0
        const click = async (target: Locator) => {
          await press(target)
          clicks++
        }
        const row = rowOf(page, cause)
        await row.waitFor({ state: 'attached' })
        if (!(await row.isVisible())) await click(page.getByRole('button', { name: words.showAll }))
        const text = (await row.textContent()) ?? ''
        for (const said of says) expect(text).toMatch(said)
        await click(row.getByRole('link', { name: action }))
        await page.waitForURL(leadsTo)
        expect(clicks).toBeLessThanOrEqual(2)
        await page.goBack()
      }
      expect(thrown).toEqual([])
      await browser.close()
    })

  describe('on a desk', () => {
    let view: ConsoleWindow
    beforeAll(async () => {
      view = await openConsole(outage.gateway.url, { path: '/detail', reducedMotion: 'reduce' })
    })
    afterAll(async () => {
      await view?.browser.close()
    })

    it('has its causes listed one click from the first page, each a filter of the log', async () => {
      const { page } = view
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
      const { page } = view
      const database = new Database(join(outage.gateway.dataDir, 'tollgate.db'), { readonly: true })
      const one = (sql: string) => Number(Object.values(database.query(sql).get() as object)[0])
      const spent = one('select sum(quota) from logs where type = 2')
      const rows = one('select count(*) from logs where type in (2, 5)')
      const failed = one('select count(*) from logs where type = 5')
      const refused = one(`select count(*) from logs where type = 5 and username in ('emil', 'ida')`)
      await page.goto(`${outage.gateway.url}/detail`)
      const figures = page.getByRole('region', { name: 'Key figures' })
      await figures
        .getByText(`$${(spent / 500_000).toFixed(3)}`)
        .first()
        .waitFor()
      const shown = (await figures.textContent()) ?? ''
      expect(shown).toContain(`Calls today${rows}`)
      // Callers without a balance are no failure of the gateway.
      expect(shown).toContain(`Error rate today${Math.round(((failed - refused) / rows) * 100)} %`)
      for (const { name, model } of deadChannels) {
        const row = `select count(*) from logs where model = '${model}'`
        const [all, lost] = [one(row), one(`${row} and type = 5`)]
        await rowOf(page, name).getByText(`Last hour: ${lost} of ${all} attempts failed`).waitFor()
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

    it('is mended from there: a key, a balance and a price', async () => {
      const { page } = view
      const { upstream, gateway, call } = outage
      upstream.on('model-03', respond({ text: 'Hello.' }))
      await page.goto(`${gateway.url}/detail`)
      await rowOf(page, 'channel 03').getByRole('link', { name: 'Open channel' }).click()
      const form = page.getByRole('dialog', { name: 'channel 03' })
      await form.getByRole('textbox', { name: /^New key/ }).fill('sk-fresh-key-0000001')
      await form.getByRole('button', { name: /^Save channel/ }).click()
      await page.getByText('Channel updated').waitFor()
      await until(async () => ((await call('model-03')).status === 200 ? true : undefined))

      expect((await call('model-01', 'emil')).status).toBe(403)
      await page.goto(`${gateway.url}/detail`)
      await rowOf(page, 'emil').getByRole('link', { name: 'Add balance' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: 'Add $25' }).click()
      await until(async () => ((await call('model-01', 'emil')).status === 200 ? true : undefined))

      expect((await call(unpricedModel)).status).toBe(400)
      await page.goto(`${gateway.url}/detail`)
      await rowOf(page, unpricedModel).getByRole('link', { name: 'Set price' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Input', exact: true }).fill('2')
      await page.keyboard.press('Control+Enter')
      await page.getByText(`Price of ${unpricedModel} saved`).waitFor()
      expect((await call(unpricedModel)).status).toBe(200)

      await page.goto(`${gateway.url}/detail`)
      await rowOf(page, 'ida').waitFor()
      expect(await rowOf(page, 'emil').count()).toBe(0)
      expect(await page.locator('main').getByText('No price').count()).toBe(0)
    })
  })
})
