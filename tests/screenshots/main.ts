import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { startInstallation } from './installation.ts'

/** Writes the pictures that the README shows to `docs/images`. */
const folder = join(import.meta.dir, '..', '..', 'docs', 'images')
const maxBytes = 200_000

if (!hasChromium()) {
  console.error('screenshots need Chromium; name it in TOLLGATE_TEST_CHROMIUM')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const installation = await startInstallation()
const browser = await launchChromium()
await take(browser, 'dashboard', '/detail', 'light')
await take(browser, 'channels', '/channel', 'dark')
await take(browser, 'request', `/log/request/${installation.requestId}`, 'light')
await browser.close()
await installation.stop()

async function take(from: Browser, name: string, path: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await from.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${installation.url}/login`)
  await page.getByRole('textbox', { name: /username/i }).fill('root')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct-horse-battery')
  await page.keyboard.press('Enter')
  await page.waitForURL((address) => address.pathname !== '/login')
  await page.goto(installation.url + path, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  const picture = await page.screenshot({ type: 'png' })
  await context.close()
  if (picture.length > maxBytes) throw new Error(`${name} is too large: ${picture.length} bytes`)
  writeFileSync(join(folder, `${name}.png`), picture)
}
