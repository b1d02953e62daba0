import type { Browser, Page } from 'playwright-core'
import { untilDrawn } from '../../support/console/page-layout.ts'
import { type BigConsole, type ListSizes, startBigConsole } from './big-lists.ts'
import { type MainThread, mainThreadOf } from './main-thread.ts'

/** The cost of one thing that a person does on a page with a long list. */
export interface ListCost extends MainThread {
  readonly path: string
  readonly act: string
}

/** Memory of a page that stays open, after a collection. */
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
  { visits }: { readonly visits: number },
): Promise<ListWalk> {
  const console = await startBigConsole(browser, sizes)
  try {
    const costs: ListCost[] = []
    for (const path of [...lists, ...others]) costs.push(...(await costsOf(browser, console, path)))
    return { costs, heap: await heapOver(console, visits) }
  } finally {
    await console.stop()
  }
}

async function costsOf(browser: Browser, console: BigConsole, path: string): Promise<readonly ListCost[]> {
  const context = await console.context()
  const page = await context.newPage()
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
async function heapOver(console: BigConsole, visits: number): Promise<readonly HeapSample[]> {
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
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
    samples.push({ visits: visit, heapMegabytes: usedSize / 1e6, nodes, listeners: jsEventListeners })
  }
  await context.close()
  return samples
}
