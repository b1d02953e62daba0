import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { untilDrawn } from '../../support/console/page-layout.ts'
import { type BigConsole, type ListSizes, startBigConsole } from './big-lists.ts'
import { objectMegabytes } from './heap-size.ts'
import { type MainThread, mainThreadOf } from './main-thread.ts'

/** The cost of one thing that a person does on a page with a long list. */
export interface ListCost extends MainThread {
  readonly path: string
  readonly act: string
}

/** Memory of the objects of a page that stays open, after a collection. */
export interface HeapSample {
  readonly visits: number
  readonly heapMegabytes: number
  readonly nodes: number
  readonly listeners: number
}

export interface ListWalk {
  readonly costs: readonly ListCost[]
  readonly heap: readonly HeapSample[]
}

/** Gets each figure as soon as it is measured: the walk takes minutes, and one that is stopped has figures too. */
export interface ListObserver {
  readonly onCost: (cost: ListCost) => void
  readonly onSample: (sample: HeapSample) => void
}

const lists = ['/token', '/channel', '/user', '/log', '/orders', '/redemption', '/task', '/midjourney']
const others = ['/detail', '/spend', '/statement', '/models', '/audit', '/incidents', '/group', '/playground']
const start = '/personal'

/**
 * Opens every long list by its link in the menu, scrolls, sorts, searches, chooses all rows and opens one, and the pages that sum the lists up;
 * then visits them again and again in one tab.
 */
export async function walkLists(
  browser: Browser,
  sizes: ListSizes,
  { visits, ...seen }: { readonly visits: number } & ListObserver,
): Promise<ListWalk> {
  const console = await startBigConsole(browser, sizes)
  try {
    const costs: ListCost[] = []
    for (const path of [...lists, ...others]) {
      const found = await costsOf(browser, console, path)
      found.forEach(seen.onCost)
      costs.push(...found)
    }
    return { costs, heap: await heapOver(console, visits, seen) }
  } finally {
    await console.stop()
  }
}

async function costsOf(browser: Browser, console: BigConsole, path: string): Promise<readonly ListCost[]> {
  const context = await console.context()
  const page = await context.newPage()
  page.setDefaultTimeout(deadline(60_000))
  await page.goto(console.url + start, { waitUntil: 'networkidle' })
  const costs: ListCost[] = []
  for (const [act, run] of acts(page, path, lists.includes(path))) {
    const cost = await mainThreadOf(browser, page, run).catch((cause: unknown) => {
      throw new Error(`${path} is not quiet after: ${act}`, { cause })
    })
    costs.push({ path, act, ...cost })
  }
  await context.close()
  return costs
}

function acts(
  page: Page,
  path: string,
  isList: boolean,
): readonly (readonly [string, () => Promise<void>])[] {
  const open = ['open', () => openByMenu(page, path)] as const
  if (!isList) return [open]
  return [
    open,
    ['scroll', () => scrollDown(page)],
    ['choose all', () => chooseAll(page)],
    ['search', () => search(page)],
    ['open a row', () => openRow(page)],
  ]
}

async function openByMenu(page: Page, path: string): Promise<void> {
  await page.locator(`a[href="${path}"]:visible`).first().click()
  await page.waitForURL((address) => address.pathname === path)
  await quiet(page)
}

async function scrollDown(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (let step = 0; step < 10; step += 1) {
    await page.mouse.wheel(0, 400)
    await page.waitForTimeout(30)
  }
}

async function chooseAll(page: Page): Promise<void> {
  const box = page.getByRole('checkbox', { name: 'Select all rows on this page' })
  if ((await box.count()) === 0) return
  await box.check()
  await page.waitForTimeout(100)
  await box.uncheck()
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type('filled-1', { delay: 20 })
  await quiet(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await quiet(page)
}

async function openRow(page: Page): Promise<void> {
  const row = page.locator('main tbody tr').nth(1)
  if ((await row.count()) === 0) return
  await row.click()
  await quiet(page)
}

async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await untilDrawn(page)
}

/** Visits the pages in turn by the menu. A sample is taken each round. */
async function heapOver(
  console: BigConsole,
  visits: number,
  seen: ListObserver,
): Promise<readonly HeapSample[]> {
  const context = await console.context()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await page.goto(console.url + start, { waitUntil: 'networkidle' })
  const samples: HeapSample[] = []
  for (let visit = 1; visit <= visits; visit += 1) {
    await openByMenu(page, lists[visit % lists.length] ?? start)
    if (visit % 10 > 0) continue
    await openByMenu(page, start)
    await devtools.send('HeapProfiler.collectGarbage')
    const heapMegabytes = await objectMegabytes(devtools)
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
    const sample = { visits: visit, heapMegabytes, nodes, listeners: jsEventListeners }
    seen.onSample(sample)
    samples.push(sample)
  }
  await context.close()
  return samples
}
