import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findTool } from '../../scripts/lib/tools.mjs'
import { middayZone } from './console/midday.ts'
import { watchSentCalls } from './console/sent-calls.ts'
import { recordBrowserTime } from './processes/browser-time.ts'

/** Looks for a Chromium on this machine: `describe.skipIf(!hasChromium())`. */
export function hasChromium(): boolean {
  return findTool('chromium') !== undefined
}

/**
 * Chromium loads two pages of its address bar for every context; they take half a second of the processor, and a headless window
 * shows neither. Chromium obeys the last list of features alone, so this one repeats what Playwright turns off.
 */
const unwantedFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/**
 * No sandbox and no graphics card in a container, where a process of its own for the card only passes frames on; no traffic but what the
 * page itself makes.
 */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${unwantedFeatures.join(',')}`,
]

/** Options of the engine for pages that live for seconds: code that would be optimised for later is run as it is, a tenth less of the processor. */
const briefPages = '--js-flags=--max-lazy --single-threaded-gc --no-opt --no-maglev'

/**
 * Starts the system's Chromium without a window. In its time zone it is the middle of the day, unless a test names another. Throws when it is
 * not installed. Closing it throws when a page made a call of the console outside of the contract.
 * @param options `isMeasured`: the engine is as people have it
 */
export async function launchChromium({ isMeasured = false } = {}): Promise<Browser> {
  const executablePath = findTool('chromium')
  if (executablePath === undefined)
    throw new Error('no Chromium here; install one or name it in TOLLGATE_TEST_CHROMIUM')
  const browser = await chromium.launch({ executablePath, args: isMeasured ? flags : [...flags, briefPages] })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = (options) => newContext({ timezoneId: middayZone(), ...options })
  const close = browser.close.bind(browser)
  browser.close = async (options) => {
    recordBrowserTime()
    await close(options)
  }
  return dropRoutesOnClose(watchSentCalls(browser))
}

/**
 * A request that a test responds to can be in flight when the test closes its page. Its handler then throws, and the runner
 * counts that as a failure of the next test. So whatever closes drops its routes first.
 */
function dropRoutesOnClose(browser: Browser): Browser {
  browser.on('context', (context) => {
    dropFirst(context, () => [context, ...context.pages()])
    context.on('page', (page) => dropFirst(page, () => [page]))
  })
  dropFirst(browser, () => browser.contexts().flatMap((context) => [context, ...context.pages()]))
  return browser
}

function dropFirst(
  closed: { close(options?: object): Promise<void> },
  routed: () => (BrowserContext | Page)[],
) {
  const close = closed.close.bind(closed)
  closed.close = async (options) => {
    // A page may close by itself meanwhile.
    await Promise.allSettled(routed().map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })))
    await close(options)
  }
}
