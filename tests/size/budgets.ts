import type { PageLoad } from './page-load.ts'

/** A page, who opens it, and what its first load may bring: bytes as sent, every lazy file and style counted. */
export interface PageBudget {
  readonly path: string
  readonly loggedIn: boolean
  readonly bytes: number
}

/** Requests of one first load, fonts, pictures and calls counted; texts of a page are three files. */
const maxRequests = 21

const loginBytes = 160_000
const consoleBytes = 250_000
/** The labels and hints of every option are among it, the rows of prices by time, the question before prices change, whether each asks for a recent proof, its part, what an edit was made on, the options of sign-in, trust of its addresses and rooms. */
const settingBytes = 280_400
/** The panel that shows a record while it loads is among it. */
const playgroundBytes = 250_200
/** The models that the account may call are among it, of a busy installation where the walk measures it, and its tokens and sessions. */
const personalBytes = 257_000
/** The rows of a busy installation are among it, what the last test took out of service, and the names of providers. */
const channelBytes = 255_300
/** Prices and costs of every model of a busy installation are among it: 23 kB; and what is asked before a price changes. */
const modelsBytes = 257_000
/** The contract of every call is among it: with groups, refunds, incidents, the status page, invitations, links to charges and the questions of reverts 55 kB, and 5 kB of summaries in Chinese. */
const docsBytes = 289_600

const publicPages = ['/', '/about', '/pricing', '/status', '/register', '/reset']
const consolePages = [
  '/topup',
  '/token',
  '/detail',
  '/log',
  '/group',
  '/correction',
  '/user',
  '/redemption',
  '/orders',
  '/spend',
  '/statement',
  '/audit',
  '/incidents',
  '/security',
  '/route',
  '/nodes',
  '/midjourney',
  '/task',
]

export const pageBudgets: readonly PageBudget[] = [
  { path: '/login', loggedIn: false, bytes: loginBytes },
  { path: '/setting', loggedIn: true, bytes: settingBytes },
  { path: '/docs', loggedIn: false, bytes: docsBytes },
  { path: '/personal', loggedIn: true, bytes: personalBytes },
  { path: '/channel', loggedIn: true, bytes: channelBytes },
  { path: '/models', loggedIn: true, bytes: modelsBytes },
  { path: '/playground', loggedIn: true, bytes: playgroundBytes },
  ...publicPages.map((path) => ({ path, loggedIn: false, bytes: consoleBytes })),
  ...consolePages.map((path) => ({ path, loggedIn: true, bytes: consoleBytes })),
]

/** The excess of a page's first load, in sentences; empty within its budget. */
export function brokenRules({ path, bytes }: PageBudget, load: PageLoad): readonly string[] {
  return [
    ...(load.bytes > bytes ? [`${path} loads ${load.bytes} bytes, ${bytes} are allowed`] : []),
    ...(load.requests > maxRequests
      ? [`${path} makes ${load.requests} requests, ${maxRequests} are allowed`]
      : []),
    ...load.repeated.map((call) => `${path} asks twice: ${call}`),
    ...load.careless.map((asset) => `${path} gets ${asset} uncompressed or not to keep`),
  ]
}
