import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from './chromium.ts'

setDefaultTimeout(deadline(30_000))

describe.skipIf(!hasChromium())('launchChromium', () => {
  it('shows a page served on loopback, in the middle of its day', async () => {
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
      expect(await page.evaluate(() => new Date().getHours())).toBeOneOf([12, 13])
    } finally {
      await browser.close()
    }
  })

  it('drops a request in flight that its page responds to', async () => {
    const browser = await launchChromium()
    const context = await browser.newContext()
    const page = await context.newPage()
    const arrived = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const fetched = Promise.withResolvers<unknown>()
    await page.route('http://127.0.0.1/**', async (route) => {
      arrived.resolve()
      await closed.promise
      const fetching = route.fetch()
      fetching.catch(fetched.resolve)
      await fetching
    })
    page.goto('http://127.0.0.1/').catch(() => undefined)
    await arrived.promise
    await context.close()
    closed.resolve()
    // What the handler throws would fail this test.
    expect(await fetched.promise).toBeInstanceOf(Error)
    await browser.close()
  })
})
