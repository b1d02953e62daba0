/**
 * Takes pictures of the console at desk and phone size, light and dark, from the stub (start it first).
 *
 *   bun apps/web/dev/screenshots.ts <folder> [address]
 */
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'

const [folder = 'screenshots', address = 'http://127.0.0.1:3100'] = process.argv.slice(2)
await mkdir(folder, { recursive: true })

const say = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})

const user = { id: 1, username: 'ada', display_name: 'Ada Lovelace', role: 100, status: 1, group: 'default' }
const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const pages = process.env.PAGES?.split(',') ?? [
  '/',
  '/login?expired=true',
  '/setup',
  '/token',
  '/channel',
  '/log',
  '/playground',
  '/nowhere',
]

for (const [size, viewport] of Object.entries(sizes)) {
  for (const theme of ['light', 'dark']) {
    for (const language of theme === 'light' ? ['en', 'zh'] : ['en']) {
      const context = await browser.newContext({
        viewport,
        deviceScaleFactor: size === 'phone' ? 2 : 1,
        locale: 'en-US',
      })
      await context.addInitScript(
        (values) => {
          for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
        },
        {
          'theme-mode': theme,
          language,
          'page-size': '20',
          ...(process.env.GUEST ? {} : { user: JSON.stringify(user) }),
        },
      )
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') say(size, theme, message.text())
      })
      page.on('pageerror', (error) => say(size, theme, error.message))
      for (const path of pages) {
        await page.goto(address + path)
        await page.waitForLoadState('networkidle')
        const name = `${path.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '') || 'home'}-${size}-${theme}-${language}`
        await page.screenshot({ path: `${folder}/${name}.png` })
      }
      await context.close()
    }
  }
}
await browser.close()
