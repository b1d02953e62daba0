import type { BrowserContext, Page } from 'playwright-core'

/** Measures of a visit to a page. */
export interface Visit {
  /** Milliseconds from the start of the visit to its largest paint. */
  readonly largestPaintMs: number
  readonly layoutShift: number
  /** The shifts that the layout made, the largest first: what moved, and how much that counts. */
  readonly shifts: readonly Shift[]
}

export interface Shift {
  readonly value: number
  readonly moved: readonly string[]
}

interface Observed {
  largestPaintMs: number
  readonly shifts: { value: number; at: number; moved: string[] }[]
}

declare global {
  interface Window {
    observed?: Observed
  }
}

/** Opens an address in a new page without cache and waits until it is quiet. */
export async function visit(
  context: BrowserContext,
  url: string,
  { cpuSlowdown }: { readonly cpuSlowdown: number },
): Promise<Visit> {
  const page = await context.newPage()
  await observeVisits(page)
  await slowDown(page, cpuSlowdown)
  await page.goto(url, { waitUntil: 'networkidle' })
  const seen = await readVisit(page)
  await page.close()
  return seen
}

/** Observes every visit of a page from now on, before its scripts run. */
export async function observeVisits(page: Page): Promise<void> {
  await page.addInitScript(observe)
}

/** Begins the visit of another page in an observed one: from now on its shifts count, and no page has its responses already. */
export async function forgetVisit(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = window as unknown as {
      readonly __TSR_ROUTER__: { readonly options: { readonly context: { queryClient: { clear(): void } } } }
    }
    router.options.context.queryClient.clear()
    window.observed?.shifts.splice(0)
  })
}

/** Waits until an observed page is quiet, and returns what the visit felt like. */
export async function readVisit(page: Page): Promise<Visit> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await page.evaluate(twoFrames)
  const { largestPaintMs, shifts } = await page.evaluate(() => window.observed as Observed)
  return {
    largestPaintMs,
    layoutShift: largestWindow(shifts),
    shifts: shifts.toSorted((left, right) => right.value - left.value),
  }
}

/** Milliseconds from a click on the link of a list to its first row, on a page that does not have the list's code yet. */
export async function clickToRows(
  context: BrowserContext,
  origin: string,
  { from, path, cpuSlowdown }: { readonly from: string; readonly path: string; readonly cpuSlowdown: number },
): Promise<number> {
  const page = await context.newPage()
  await slowDown(page, cpuSlowdown)
  await page.goto(origin + from, { waitUntil: 'networkidle' })
  const link = page.locator(`a[href="${path}"]`).first()
  await link.waitFor()
  const milliseconds = page.evaluate(untilRows, path)
  await link.click()
  const taken = await milliseconds
  await page.close()
  return taken
}

async function slowDown(page: Page, rate: number): Promise<void> {
  if (rate === 1) return
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate })
}

/**
 * Makes every call of the console take so long at least: what is drawn before its response is then seen. The page itself waits, because a
 * request that the browser hands out loses its cache.
 */
export async function delayCalls(page: Page, milliseconds: number): Promise<void> {
  await page.addInitScript((delayMs) => {
    const send = window.fetch.bind(window)
    const sendLate = async (input: string | URL | Request, init?: RequestInit) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
      if (pathname.startsWith('/api/')) await new Promise((done) => setTimeout(done, delayMs))
      return send(input, init)
    }
    Object.assign(window, { fetch: sendLate })
  }, milliseconds)
}

/** Shifts count together while less than a second lies between two of them and five between first and last. */
function largestWindow(shifts: Observed['shifts']): number {
  let largest = 0
  let sum = 0
  let first = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { value, at } of shifts) {
    if (at - last >= 1000 || at - first >= 5000) {
      sum = 0
      first = at
    }
    sum += value
    last = at
    largest = Math.max(largest, sum)
  }
  return largest
}

/** Runs in the page, before its scripts. */
function observe(): void {
  const observed: Observed = { largestPaintMs: 0, shifts: [] }
  window.observed = observed
  const nameOf = (node: Node | null): string => {
    if (!(node instanceof Element)) return node?.parentElement ? nameOf(node.parentElement) : '?'
    const text = node.textContent?.trim().slice(0, 30) ?? ''
    return `<${node.localName} class="${node.getAttribute('class')?.slice(0, 60) ?? ''}"> ${text}`
  }
  new PerformanceObserver((list) => {
    observed.largestPaintMs = Math.round(list.getEntries().at(-1)?.startTime ?? 0)
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, startTime, sources } = entry as PerformanceEntry & {
        readonly value: number
        readonly hadRecentInput: boolean
        readonly sources: readonly { readonly node: Node | null }[]
      }
      if (!hadRecentInput)
        observed.shifts.push({ value, at: startTime, moved: sources.map(({ node }) => nameOf(node)) })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Runs in the page: what a frame shows is reported in the next. */
function twoFrames(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))
}

/** Runs in the page, before the click. */
function untilRows(path: string): Promise<number> {
  return new Promise((done, fail) => {
    addEventListener(
      'click',
      ({ timeStamp }) => {
        const look = () => {
          const row = document.querySelector('main tbody tr:not(:has(.skeleton))')
          if (location.pathname === path && row) done(Math.round(performance.now() - timeStamp))
          else if (performance.now() - timeStamp > 20_000) fail(new Error(`${path} shows no rows`))
          else requestAnimationFrame(look)
        }
        look()
      },
      { capture: true, once: true },
    )
  })
}
