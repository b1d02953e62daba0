import type { Browser, BrowserContext } from 'playwright-core'
import { type SampleConsole, startSampleConsole } from '../size/sample-console.ts'
import { clickToRows, type Shift, visit } from './observe.ts'
import { type VitalPage, vitalPages } from './pages.ts'

/** The medians of several visits of a page. */
export interface Vitals {
  readonly path: string
  readonly largestPaintMs: number
  readonly layoutShift: number
  /** `undefined` where there are no rows to wait for. */
  readonly clickToRowsMs: number | undefined
  /** Shifts of the visit whose layout shifted most. */
  readonly shifts: readonly Shift[]
}

export interface MeasureOptions {
  readonly visits: number
  readonly cpuSlowdown: number
  /** Pages to measure; all of them when absent. */
  readonly paths?: readonly string[]
}

/** Visits the pages of the built console in the browser of a slow machine, each time with an empty cache. */
export async function measureVitals(browser: Browser, options: MeasureOptions): Promise<readonly Vitals[]> {
  const console = await startSampleConsole(browser, { busy: true })
  const chosen = vitalPages.filter(({ path }) => options.paths?.includes(path) ?? true)
  const measured: Vitals[] = []
  try {
    for (const page of chosen) measured.push(await measurePage(console, page, options))
    return measured
  } finally {
    await console.stop()
  }
}

async function measurePage(
  console: SampleConsole,
  { path, loggedIn, from }: VitalPage,
  { visits, cpuSlowdown }: MeasureOptions,
): Promise<Vitals> {
  const inContext = async <T>(measure: (context: BrowserContext) => Promise<T>): Promise<T> => {
    const context = await console.context(loggedIn)
    return measure(context).finally(() => context.close())
  }
  const seen = await times(visits, () =>
    inContext((context) => visit(context, console.url + path, { cpuSlowdown })),
  )
  const clicks =
    from === undefined
      ? undefined
      : await times(visits, () =>
          inContext((context) => clickToRows(context, console.url, { from, path, cpuSlowdown })),
        )
  const worst = seen.reduce((left, right) => (right.layoutShift > left.layoutShift ? right : left))
  return {
    path,
    largestPaintMs: median(seen.map(({ largestPaintMs }) => largestPaintMs)),
    layoutShift: median(seen.map(({ layoutShift }) => layoutShift)),
    clickToRowsMs: clicks && median(clicks),
    shifts: worst.shifts,
  }
}

async function times<T>(count: number, run: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  for (let time = 0; time < count; time++) results.push(await run())
  return results
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
