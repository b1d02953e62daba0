import type { Page } from 'playwright-core'
import { startDeadline } from '../../../scripts/deadline/deadline.mjs'
import { openWithin } from '../browser.ts'

/** A figure of a page that leads to a list: the number that it says, and the rows that the list then has. */
export interface ClickedFigure {
  readonly page: string
  readonly text: string
  readonly value: number
  readonly listed: number
}

/** A count in a link's text: `42 (28 %)`, `6 calls tried it`, `failover rescued 3`, `All 13 models`. */
const count = /^([\d,]+)(?: \(\d+\s%\)| calls? tried it)?$|^failover rescued ([\d,]+)$|^All ([\d,]+) models$/

interface Link {
  readonly text: string
  readonly href: string
}

/** Clicks each link of a page to a list that says a number, and reads how many rows are listed there. */
export async function clickFigures(
  page: Page,
  origin: string,
  path: string,
): Promise<readonly ClickedFigure[]> {
  const clicked: ClickedFigure[] = []
  for (const { text, href } of await linksOf(page, origin, path)) {
    const value = valueIn(text)
    if (value === undefined) continue
    await openWithin(page, path)
    await page.locator(`main a[href="${href}"]`, { hasText: text }).first().click()
    await page.waitForURL(`**${href}`)
    clicked.push({ page: path, text, value, listed: await listedRows(page) })
  }
  return clicked
}

/** The links of a page once they stay as they are; a busy machine loads parts long after the network seems idle. */
async function linksOf(page: Page, origin: string, path: string): Promise<readonly Link[]> {
  await page.goto(origin + path)
  await page.waitForLoadState('networkidle')
  const limit = startDeadline(2000)
  let [links, former] = [await readLinks(page), '']
  while (limit.remainingMs() > 0 && (links.length === 0 || JSON.stringify(links) !== former)) {
    former = JSON.stringify(links)
    await Bun.sleep(200)
    links = await readLinks(page)
  }
  return links
}

async function readLinks(page: Page): Promise<readonly Link[]> {
  return await page.locator('main :is(a[href^="/log?"], a[href^="/pricing"])').evaluateAll((links) =>
    links.map((link) => ({
      text: (link.textContent ?? '').trim(),
      href: link.getAttribute('href') ?? '',
    })),
  )
}

function valueIn(text: string): number | undefined {
  const found = count.exec(text)
  const digits = found?.slice(1).find((part) => part !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

/** Reads the total below the list. */
async function listedRows(page: Page): Promise<number> {
  const range = page.getByText(/^\d[\d,]*–[\d,]+ of [\d,]+$/).first()
  const text = (await range.textContent()) ?? ''
  return Number(text.split(' of ')[1]?.replaceAll(',', ''))
}
