import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { deadline, startDeadline } from '../../scripts/deadline/deadline.mjs'
import { launchChromium } from './chromium.ts'
import { type Credentials, logIn, rootAccount } from './operator.ts'

/** The console in a browser of its own, with a person logged in. */
export interface ConsoleWindow {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** Errors that scripts of the page threw, and calls of the page with fields that the gateway does not know. */
  readonly thrown: string[]
  /** The same, and the errors that the browser's console shows. */
  readonly complaints: string[]
}

export interface ConsoleOptions extends BrowserContextOptions {
  /** The first page; the list of keys by default. */
  readonly path?: string
  /** The super administrator by default. */
  readonly as?: Credentials
}

/**
 * Opens the console on a desk in English, logged in through the API: a test of the log-in types it instead. The
 * service worker is off, because it stores the console's files beside the test; `console/resilience` tests it.
 */
export async function openConsole(url: string, options: ConsoleOptions = {}): Promise<ConsoleWindow> {
  const { path = '/token', as = rootAccount, ...more } = options
  const browser = await launchChromium()
  const context = await browser.newContext({
    ...deskInEnglish,
    storageState: await loggedIn(url, as),
    serviceWorkers: 'block',
    // What moves is drawn again and again, and clicks wait until it stands still.
    reducedMotion: 'reduce',
    ...more,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(deadline(10_000))
  const thrown: string[] = []
  const complaints: string[] = []
  page.on('pageerror', (error) => {
    thrown.push(String(error))
    complaints.push(String(error))
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  // The console sends no field that the gateway does not know.
  page.on('response', (response) => {
    const warning = response.headers()['x-tollgate-warning'] ?? ''
    if (!/not known here/.test(warning)) return
    thrown.push(`${response.request().method()} ${response.url()}: ${warning}`)
    complaints.push(warning)
  })
  await page.goto(url + path)
  return { browser, context, page, thrown, complaints }
}

export const deskInEnglish = { viewport: { width: 1440, height: 900 }, locale: 'en-US' } as const

/** Returns the state that a browser stores after a log-in, for `newContext({ storageState })`. */
export async function loggedIn(url: string, who: Credentials = rootAccount): Promise<StorageState> {
  const { cookie, user } = await logIn(url, who)
  const [name = '', value = ''] = cookie.split('=')
  return {
    cookies: [
      {
        name,
        value,
        domain: new URL(url).hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Lax',
      },
    ],
    origins: [{ origin: url, localStorage: [{ name: 'user', value: JSON.stringify(user) }] }],
  }
}

type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>

/** Logs another person in, in place of the current one, and opens the list of keys. */
export async function switchUser(page: Page, url: string, who: Credentials): Promise<void> {
  const { cookies, origins } = await loggedIn(url, who)
  await page.context().clearCookies()
  await page.context().addCookies(cookies)
  const user = origins[0]?.localStorage[0]?.value ?? ''
  await page.evaluate((text) => localStorage.setItem('user', text), user)
  await page.goto(`${url}/token`)
}

/**
 * Opens another page of the console that a page shows, as its links do: a sixth of the processor time of `page.goto`, which loads, compiles and
 * starts the console again. What the page knows stays, the rules of `brokenRules` among it, but for messages on screen. Resolves when the
 * page has drawn its route with what it asked for: until then it may show the rows of the address before.
 */
export async function openWithin(page: Page, path: string): Promise<void> {
  // A form that was saved leads on to its list when its answer comes, wherever the page is by then.
  await page.locator('button[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await settled(page)
  await page.evaluate(async (href) => {
    const nextFrame = () => new Promise(requestAnimationFrame)
    const inMessages = (part: string) => document.querySelectorAll<HTMLElement>(`[data-sonner-toast]${part}`)
    for (const close of inMessages(' [data-close-button]')) close.click()
    while (inMessages('').length > 0) await nextFrame()
    // TanStack puts it there, in every build.
    const { __TSR_ROUTER__: router } = window as unknown as { readonly __TSR_ROUTER__: ConsoleRouter }
    // What was typed on the page before is left, as by another address in the bar.
    await router.navigate({ href, ignoreBlocker: true })
    while (router.state.resolvedLocation?.href !== router.state.location.href) await nextFrame()
  }, path)
  await settled(page)
}

/** Resolves when the calls of a page are answered and what came is drawn. A response that is streamed has no end: it is waited for in vain. */
async function settled(page: Page): Promise<void> {
  const unanswered = unansweredOf(page)
  const limit = startDeadline(2000)
  await drawn(page)
  while (unanswered.size > 0 && limit.remainingMs() > 0) {
    await Bun.sleep(10)
    if (unanswered.size === 0) await drawn(page)
  }
}

/** Resolves when a page has drawn two frames. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Calls of a page that have no complete response yet, from the first look on. */
const unansweredCalls = new WeakMap<Page, Set<Request>>()

function unansweredOf(page: Page): ReadonlySet<Request> {
  const known = unansweredCalls.get(page)
  if (known !== undefined) return known
  const open = new Set<Request>()
  unansweredCalls.set(page, open)
  page.on('request', (request) => request.resourceType() === 'fetch' && open.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => open.delete(request))
  return open
}

interface ConsoleRouter {
  /** `resolvedLocation` is what is drawn. */
  readonly state: { readonly location: Address; readonly resolvedLocation?: Address }
  navigate(to: Address & { readonly ignoreBlocker: true }): Promise<void>
}
interface Address {
  readonly href: string
}

/** A width of the window and a theme. */
export type Look = readonly [width: number, theme: 'light' | 'dark']

export const everyLook: readonly Look[] = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
]
export const desk: readonly Look[] = [
  [1440, 'light'],
  [1440, 'dark'],
]
/** Looks with each width once and each theme once: `theme-contrast.test.ts` proves every pair of text and ground in both themes. */
export const deskAndPhone: readonly Look[] = [
  [1440, 'light'],
  [390, 'dark'],
]
const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Returns the rules of WCAG A and AA that the page breaks, in each look. Where the light theme of a width is among the looks, the dark
 * one is checked for contrast alone: it has other colours and nothing else. Of rows that are alike, the first is checked for all; below an open
 * modal dialog nothing is.
 * @param exclude selector of elements that no rule can judge
 */
export async function brokenRules(
  page: Page,
  looks: readonly Look[] = deskAndPhone,
  exclude?: string,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [width, theme] of looks) {
    await look(page, width, theme)
    await page.waitForFunction(
      (wanted) =>
        document.documentElement.dataset['theme'] === wanted && document.getAnimations().length === 0,
      theme,
    )
    // One page without frames: the legacy mode needs no second page to gather reports in. A document loads the rules once.
    const isLoaded = await page.evaluate(() => 'axe' in window)
    const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: 'undefined' }) })
      .setLegacyMode()
      .options({ resultTypes: ['violations'], selectors: false })
    if (exclude !== undefined) axe.exclude(exclude)
    if (await page.evaluate(markRepeated, repeated)) axe.exclude(`[${repeated}]`)
    // Most of the time goes to colours of a page that nobody reaches before the dialog over it is closed.
    if ((await page.locator(belowModal).count()) > 0) axe.exclude(belowModal)
    const isRepeated =
      theme === 'dark' && looks.some(([other, light]) => other === width && light === 'light')
    const rules = isRepeated ? axe.withRules('color-contrast') : axe.withTags(conformance)
    const { violations } = await rules.analyze()
    for (const { id, nodes } of violations)
      found.push(
        ...nodes.map(({ html, failureSummary }) => `${id}, ${width} px, ${theme}: ${html} ${failureSummary}`),
      )
  }
  await look(page, deskInEnglish.viewport.width, 'light')
  return found
}

/** Gives the window its width and theme at once: a page lays out and paints again for each change that it sees. */
async function look(page: Page, width: number, theme: Look[1]): Promise<void> {
  await Promise.all([
    page.setViewportSize({ width, height: deskInEnglish.viewport.height }),
    page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' }),
  ])
}

/** Selector of what lies below an open modal dialog: the kit hides it from readers and from the keyboard. */
const belowModal = '[data-base-ui-inert][aria-hidden="true"]'

/** Attribute of the rows that are like one before them. */
const repeated = 'data-repeated-row'

/**
 * Marks the rows, entries and cards that have the same elements with the same classes and states as one before them in their list, whatever
 * their names and texts. Runs in the page; returns whether there are any.
 */
function markRepeated(mark: string): boolean {
  for (const marked of document.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark)
  // The values of the others say the state of a row, and styles follow them.
  const naming =
    /^(id|for|name|value|href|src|alt|title|datetime|aria-(label|labelledby|describedby|controls))$/
  const shapeOf = (element: Element): string => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      naming.test(name) && value !== '' ? name : `${name}=${value}`,
    )
    const inner = [...element.childNodes].map((node) =>
      node instanceof Element ? shapeOf(node) : (node.textContent ?? '').trim() === '' ? '' : '…',
    )
    return `<${element.tagName} ${attributes.join(' ')}>${inner.join('')}</>`
  }
  for (const list of document.querySelectorAll('tbody, ul, ol, [role="list"]')) {
    const shapes = new Set<string>()
    for (const row of list.children) {
      const shape = shapeOf(row)
      if (shapes.has(shape)) row.setAttribute(mark, '')
      shapes.add(shape)
    }
  }
  return document.querySelector(`[${mark}]`) !== null
}

/** Fills the log-in form that the page shows and sends it. */
export async function typeLogIn(
  page: Page,
  { username, password }: Credentials = rootAccount,
): Promise<void> {
  await page.getByRole('textbox', { name: /username/i }).fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.keyboard.press('Enter')
}
