import type { Browser, Page } from 'playwright-core'

/** Processor time of the main thread's longest task while something was done, in milliseconds of this machine. */
export interface MainThread {
  readonly maxTaskMs: number
  readonly sumMs: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Processor time in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Measures what an action costs the page's main thread. Processor time, not time: other work on the machine lengthens that.
 * Nothing else may be traced in the browser meanwhile.
 */
export async function mainThreadOf(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<MainThread> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
  })
  let trace: Buffer
  try {
    await act()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  return tasksOf(traceEvents)
}

function tasksOf(events: readonly TraceEvent[]): MainThread {
  const isMain = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && isMain.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
  return { maxTaskMs: Math.max(0, ...tasks), sumMs: tasks.reduce((sum, ms) => sum + ms, 0) }
}
