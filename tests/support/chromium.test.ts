import { describe, expect, it } from 'bun:test'
import { hasChromium, launchChromium } from './chromium.ts'

describe.skipIf(!hasChromium())('launchChromium', () => {
  it('shows a page served on loopback', async () => {
    const html = { headers: { 'content-type': 'text/html' } }
    using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('<h1>Open</h1>', html),
    })
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(server.url.href)
      expect(await page.textContent('h1')).toBe('Open')
    } finally {
      await browser.close()
    }
  }, 30_000)
})
