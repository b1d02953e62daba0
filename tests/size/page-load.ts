import type { BrowserContext, Page, Request } from 'playwright-core'

/** Load of one cold visit of a page over the wire. */
export interface PageLoad {
  /** Bytes of pages, scripts, styles and data as they were sent: compressed. */
  readonly bytes: number
  /** Bytes of fonts and pictures, which budgets leave out: they hold nothing up. */
  readonly fontAndImageBytes: number
  readonly requests: number
  /** Calls that were made more than once, as `GET /api/status`. */
  readonly repeated: readonly string[]
  /** Scripts and styles that came uncompressed or may not be kept for ever. */
  readonly careless: readonly string[]
  /** Each request and its bytes, the heaviest first. */
  readonly parts: readonly { readonly url: string; readonly bytes: number }[]
}

/** Opens an address in a new page without cache and waits until nothing is asked for any more. */
export async function measurePageLoad(context: BrowserContext, url: string): Promise<PageLoad> {
  const page = await context.newPage()
  const load = await openMeasured(page, url)
  await page.close()
  return load
}

/** Opens an address in a page, whose cache has to be empty, and waits until nothing is asked for any more. */
export async function openMeasured(page: Page, url: string): Promise<PageLoad> {
  const finished: Request[] = []
  const note = (request: Request) => finished.push(request)
  page.on('requestfinished', note)
  await page.goto(url, { waitUntil: 'networkidle' })
  page.off('requestfinished', note)
  return weigh(page, finished)
}

/**
 * Largest contentful paint of a visit, in milliseconds since it began.
 * @param cpuSlowdown how much slower than this machine the visitor's is
 */
export async function measureLargestPaint(
  context: BrowserContext,
  url: string,
  cpuSlowdown: number,
): Promise<number> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.locator('h1').first().waitFor()
  const milliseconds = await page.evaluate(largestPaint)
  await page.close()
  return milliseconds
}

async function weigh(page: Page, finished: readonly Request[]): Promise<PageLoad> {
  const { origin } = new URL(page.url())
  const requests = finished.filter((request) => request.url().startsWith(origin))
  const seen = await Promise.all(
    requests.map(async (request) => ({
      url: request.url().slice(origin.length),
      kind: request.resourceType(),
      bytes: (await request.sizes()).responseBodySize,
    })),
  )
  // What the browser takes from its own memory, such as the logo as the tab's icon, has a size below zero.
  const parts = seen.filter(({ bytes }) => bytes >= 0)
  const light = (kind: string) => kind === 'font' || kind === 'image'
  const sum = (chosen: typeof parts) => chosen.reduce((total, { bytes }) => total + bytes, 0)
  return {
    bytes: sum(parts.filter(({ kind }) => !light(kind))),
    fontAndImageBytes: sum(parts.filter(({ kind }) => light(kind))),
    requests: parts.length,
    repeated: repeatedCalls(requests),
    careless: await carelessAssets(requests),
    parts: parts.toSorted((left, right) => right.bytes - left.bytes),
  }
}

function repeatedCalls(requests: readonly Request[]): readonly string[] {
  const calls = requests
    .filter((request) => ['fetch', 'xhr'].includes(request.resourceType()))
    .map((request) => `${request.method()} ${request.url()} ${request.postData() ?? ''}`.trim())
  return [...new Set(calls.filter((call, index) => calls.indexOf(call) !== index))]
}

/** Below this a compressed file may be no smaller. */
const worthCompressing = 1024

async function carelessAssets(requests: readonly Request[]): Promise<readonly string[]> {
  const assets = requests.filter((request) => new URL(request.url()).pathname.startsWith('/assets/'))
  const careless = await Promise.all(
    assets.map(async (request) => {
      const response = await request.response()
      const headers = (await response?.allHeaders()) ?? {}
      const { responseBodySize } = await request.sizes()
      const compresses = ['script', 'stylesheet'].includes(request.resourceType())
      const compressed = headers['content-encoding'] === 'gzip' || responseBodySize < worthCompressing
      const retained = headers['cache-control']?.includes('immutable') === true
      return retained && (compressed || !compresses) ? [] : [new URL(request.url()).pathname]
    }),
  )
  return careless.flat()
}

/** Runs in the page. */
function largestPaint(): Promise<number> {
  return new Promise((done) => {
    const observer = new PerformanceObserver((list) => {
      const last = list.getEntries().at(-1)
      observer.disconnect()
      done(Math.round(last?.startTime ?? 0))
    })
    observer.observe({ type: 'largest-contentful-paint', buffered: true })
    setTimeout(() => done(0), 1000)
  })
}
