import type { Browser, BrowserContext } from 'playwright-core'
import { brokenRules, type PageBudget, pageBudgets } from './budgets.ts'
import { measureLargestPaint, measurePageLoad, type PageLoad } from './page-load.ts'
import { startSampleConsole } from './sample-console.ts'

export interface MeasuredPage {
  readonly budget: PageBudget
  readonly load: PageLoad
  readonly broken: readonly string[]
  /** Time in milliseconds; `undefined` unless it was requested. */
  readonly largestPaintMs: number | undefined
}

/** A visit mostly waits until its page is quiet. What it counts does not depend on time, so that several wait side by side. */
const lanes = 3

/**
 * Visits every page of the built console, each with an empty cache.
 * @param timed visits it once more on a machine that is so much slower, for the time of its largest paint
 */
export async function measurePages(
  browser: Browser,
  timed?: { readonly cpuSlowdown: number },
): Promise<readonly MeasuredPage[]> {
  const console = await startSampleConsole(browser)
  const visit = async <T>(
    loggedIn: boolean,
    measure: (context: BrowserContext) => Promise<T>,
  ): Promise<T> => {
    const context = await console.context(loggedIn)
    return measure(context).finally(() => context.close())
  }
  const measure = async (budget: PageBudget): Promise<MeasuredPage> => {
    const url = console.url + budget.path
    const load = await visit(budget.loggedIn, (context) => measurePageLoad(context, url))
    const largestPaintMs =
      timed &&
      (await visit(budget.loggedIn, (context) => measureLargestPaint(context, url, timed.cpuSlowdown)))
    return { budget, load, broken: brokenRules(budget, load), largestPaintMs }
  }
  try {
    return await inLanes(pageBudgets, timed ? 1 : lanes, measure)
  } finally {
    await console.stop()
  }
}

/** Works on all items, so many at once; returns what came of them in their order. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: count }, lane))
  return results
}
