import type { Browser, Locator, Page } from 'playwright-core'
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
  for (const [act, find, run] of acts(page, path, lists.includes(path))) {
    const at = await find()
    if (at === undefined) continue
    const cost = await mainThreadOf(browser, page, () => run(at)).catch((cause: unknown) => {
      throw new Error(`${path} is not quiet after: ${act}`, { cause })
    })
    costs.push({ path, act, ...cost })
  }
  await context.close()
  return costs
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Acts of a person, each with its name, the point at which it begins, and what they do. The point is found before: a locator reads the whole
 * page in the page's own thread, which a person does not.
 */
function acts(
  page: Page,
  path: string,
  isList: boolean,
): readonly (readonly [string, () => Promise<Point | undefined>, (at: Point) => Promise<void>])[] {
  const open = ['open', () => middleOf(linkTo(page, path)), (at: Point) => openAt(page, path, at)] as const
  if (!isList) return [open]
  const anywhere = async () => ({ x: 700, y: 500 })
  const allRows = page.getByRole('checkbox', { name: 'Select all rows on this page' })
  const row = page.locator('main tbody tr').nth(1)
  return [
    open,
    ['scroll', anywhere, (at) => scrollDown(page, at)],
    ['choose all', () => middleOf(allRows), (at) => chooseAll(page, at)],
    ['search', anywhere, () => search(page)],
    ['open a row', () => middleOf(row), (at) => openRow(page, at)],
  ]
}

const linkTo = (page: Page, path: string) => page.locator(`a[href="${path}"]:visible`).first()

/** `undefined` for what the page does not have. */
async function middleOf(locator: Locator): Promise<Point | undefined> {
  if ((await locator.count()) === 0) return undefined
  await locator.scrollIntoViewIfNeeded()
  const box = await locator.boundingBox()
  return box === null ? undefined : { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function openAt(page: Page, path: string, { x, y }: Point): Promise<void> {
  await page.mouse.click(x, y)
  await arrived(page, path)
}

async function openByMenu(page: Page, path: string): Promise<void> {
  await linkTo(page, path).click()
  await arrived(page, path)
}

/** Waits until a page has drawn itself in place of the one before, which is quiet too. */
async function arrived(page: Page, path: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    // TanStack puts it there, in every build.
    const { __TSR_ROUTER__: router } = window as unknown as {
      readonly __TSR_ROUTER__: {
        readonly state: { readonly resolvedLocation?: { readonly pathname: string } }
      }
    }
    return location.pathname === wanted && router.state.resolvedLocation?.pathname === wanted
  }, path)
  await quiet(page)
}

async function scrollDown(page: Page, { x, y }: Point): Promise<void> {
  await page.mouse.move(x, y)
  for (let step = 0; step < 10; step += 1) {
    await page.mouse.wheel(0, 400)
    await page.waitForTimeout(30)
  }
}

async function chooseAll(page: Page, { x, y }: Point): Promise<void> {
  await page.mouse.click(x, y)
  await page.waitForTimeout(300)
  await page.mouse.click(x, y)
  await page.waitForTimeout(300)
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type('filled-1', { delay: 20 })
  await quiet(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await quiet(page)
}

async function openRow(page: Page, { x, y }: Point): Promise<void> {
  await page.mouse.click(x, y)
  // The sheet's own code may be on its way, and nothing on the page says so.
  await page.waitForTimeout(600)
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
