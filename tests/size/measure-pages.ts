import type { Browser, BrowserContext } from 'playwright-core'
import { brokenRules, type PageBudget, pageBudgets } from './budgets.ts'
import { measureLargestPaint, measurePageLoad, type PageLoad } from './page-load.ts'
import { startSampleConsole } from './sample-console.ts'

export interface MeasuredPage {
  readonly budget: PageBudget
  readonly load: PageLoad
  readonly broken: readonly string[]
  /** In milliseconds; `undefined` unless it was asked for. */
  readonly largestPaintMs: number | undefined
}

/**
 * Visits every page of the built console, each with an empty cache.
 * @param timed visits it once more on a machine that is so much slower, for the time of its largest paint
 */
export async function measurePages(
  browser: Browser,
  timed?: { readonly cpuSlowdown: number },
): Promise<readonly MeasuredPage[]> {
  const console = await startSampleConsole(browser)
  const measured: MeasuredPage[] = []
  const visit = async <T>(
    loggedIn: boolean,
    measure: (context: BrowserContext) => Promise<T>,
  ): Promise<T> => {
    const context = await console.context(loggedIn)
    return measure(context).finally(() => context.close())
  }
  try {
    for (const budget of pageBudgets) {
      const url = console.url + budget.path
      const load = await visit(budget.loggedIn, (context) => measurePageLoad(context, url))
      const largestPaintMs =
        timed &&
        (await visit(budget.loggedIn, (context) => measureLargestPaint(context, url, timed.cpuSlowdown)))
      measured.push({ budget, load, broken: brokenRules(budget, load), largestPaintMs })
    }
    return measured
  } finally {
    await console.stop()
  }
}
