import type { PageLoad } from './page-load.ts'

/** A page, who opens it, and what its first load may bring: bytes as sent, every lazy file and style counted. */
export interface PageBudget {
  readonly path: string
  readonly loggedIn: boolean
  readonly bytes: number
  /** Where a page has more of its own than others; `mostRequests` unless told. */
  readonly requests?: number
}

/** Requests of one first load, fonts, pictures and calls counted. */
const mostRequests = 20

const loginBytes = 160_000
const consoleBytes = 250_000
const dashboardBytes = 380_000
const settingBytes = 260_000

const publicPages = ['/', '/about', '/pricing', '/docs']
const consolePages: readonly Omit<PageBudget, 'loggedIn' | 'bytes'>[] = [
  { path: '/token' },
  { path: '/log' },
  // Two runs over all channels may be under way, and each is asked after.
  { path: '/channel', requests: 22 },
  { path: '/user' },
  { path: '/redemption' },
  { path: '/topup', requests: 25 },
  { path: '/playground' },
  { path: '/audit' },
  { path: '/midjourney' },
  { path: '/task' },
]

export const pageBudgets: readonly PageBudget[] = [
  { path: '/login', loggedIn: false, bytes: loginBytes },
  // Nine calls fill the dashboard's parts, each as soon as its own figures are there.
  { path: '/detail', loggedIn: true, bytes: dashboardBytes, requests: 28 },
  ...publicPages.map((path) => ({ path, loggedIn: false, bytes: consoleBytes })),
  ...consolePages.map((page) => ({ ...page, loggedIn: true, bytes: consoleBytes })),
  // All tabs are searched and checked as one form, so all of them are here at once.
  { path: '/setting', loggedIn: true, bytes: settingBytes, requests: 22 },
]

/** What is wrong with a page's first load, in sentences; none when it keeps its budget. */
export function brokenRules(
  { path, bytes, requests = mostRequests }: PageBudget,
  load: PageLoad,
): readonly string[] {
  return [
    ...(load.bytes > bytes ? [`${path} loads ${load.bytes} bytes, ${bytes} are allowed`] : []),
    ...(load.requests > requests ? [`${path} makes ${load.requests} requests, ${requests} are allowed`] : []),
    ...load.repeated.map((call) => `${path} asks twice: ${call}`),
    ...load.careless.map((asset) => `${path} gets ${asset} uncompressed or not to keep`),
  ]
}
