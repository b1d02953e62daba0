import { pageBudgets } from '../../size/budgets.ts'
import { everyLook, type Look } from '../browser.ts'

/** A page of the console, and who opens it. */
export interface WalkedPage {
  readonly path: string
  readonly loggedIn: boolean
}

const besideMenu = ['/pricing', '/status', '/docs', '/about'].map((path) => ({ path, loggedIn: true }))
const openForms = ['/token/add', '/channel/add', '/user/add', '/redemption/add'].map((path) => ({
  path,
  loggedIn: true,
}))
const settingTabs = ['operation', 'system', 'models'].map((tab) => ({
  path: `/setting?tab=${tab}`,
  loggedIn: true,
}))
const openCall = { path: '/docs?call=tokens.create', loggedIn: false }

/** Every page: those that have a budget, and what people see beside the menu, in tabs and in sheets. */
export const everyPage: readonly WalkedPage[] = [
  ...pageBudgets,
  openCall,
  ...besideMenu,
  ...openForms,
  ...settingTabs,
]

const byRecord = 'names a record'

/** Routes that the walk leaves out, each with what opens them: a route that is neither here nor in the walk fails a test. */
export const unwalkedRoutes: Readonly<Record<string, string>> = {
  '/token/edit/$id': `${byRecord}: console/every-page opens it among its states`,
  '/channel/edit/$id': `${byRecord}: pages/channel-form`,
  '/user/edit/$id': `${byRecord}: console/every-page opens it among its states`,
  '/user/key/$id': `${byRecord}: pages/users`,
  '/redemption/edit/$id': `${byRecord}: the sheet of /redemption/add, filled in`,
  '/log/request/$id': `${byRecord}: pages/log`,
  '/charge/$token': `${byRecord}: the component test of explained charges`,
  '/user/edit': 'leads on to the reader’s own edit',
  '/chat': 'shows another program’s page in a frame',
  '/chat/$id': 'shows another program’s page in a frame',
  '/chat2link': 'leads on to another program',
  '/oauth/$provider': 'is where providers send a browser back: accounts/oidc-login',
  '/setup': 'is gone once there is an administrator: console/story',
  '/invitation': 'needs a link that was sent: pages/users',
  '/user/reset': 'needs a link that was mailed: pages/public',
}

/** The pages that somebody sees who is logged in, for an installation in which nothing has happened. */
export const pagesOfOwner: readonly string[] = everyPage
  .filter(({ loggedIn }) => loggedIn)
  .map(({ path }) => path)

/** Lists whose columns give way to a narrower window. `/spend` has a column for each model, and scrolls. */
export const fittingTables: readonly string[] = [
  '/token',
  '/channel',
  '/models',
  '/group',
  '/log',
  '/user',
  '/redemption',
  '/orders',
  '/topup',
  '/midjourney',
  '/task',
  '/audit',
  '/incidents',
  '/security',
  '/nodes',
  '/pricing',
]

/** Pages that no suite of their own looks at. */
const lookedAtHereAlone = [
  '/spend',
  '/route',
  '/nodes',
  '/midjourney',
  '/task',
  '/security',
  '/correction',
  '/group',
  '/incidents',
  '/statement',
  '/register',
  openCall.path,
]

/**
 * Returns the looks in which the walk checks a page against WCAG. A page with a suite of its own has a light desk and a dark phone there, and
 * `theme-contrast.test.ts` proves every pair of text and ground in both themes.
 */
export function looksHere({ path, loggedIn }: WalkedPage): readonly Look[] {
  return lookedAtHereAlone.includes(path) || (path === '/about' && !loggedIn) ? everyLook : []
}
