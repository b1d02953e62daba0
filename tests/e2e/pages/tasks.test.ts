import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  type MidjourneyUpstream,
  proxySecret,
  startMidjourneyUpstream,
} from '../../support/tasks/midjourney.ts'
import { type MusicUpstream, startMusicUpstream } from '../../support/tasks/music.ts'

setDefaultTimeout(60_000)

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let gateway: Tollgate
let drawings: MidjourneyUpstream
let songs: MusicUpstream
let browser: Browser
let page: Page
let key: string

describe.skipIf(!hasChromium())('work that is finished later, in the console', () => {
  beforeAll(async () => {
    drawings = await startMidjourneyUpstream()
    songs = startMusicUpstream()
    gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '1' } })
    const operator = await operate(gateway.url)
    const mj = { name: 'drawings', type: 2, key: proxySecret, base_url: drawings.url }
    await operator.addChannel({ ...mj, models: 'mj_imagine,mj_upscale' })
    await operator.addChannel({ name: 'songs', type: 36, base_url: songs.url, models: 'suno_music' })
    key = (await operator.addKey()).key
    ;({ browser, page } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await drawings?.stop()
    await songs?.stop()
  })

  async function submit(path: string, body: object): Promise<string> {
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    const { result, data } = (await reply.json()) as { result?: string; data?: string }
    return result ?? data ?? ''
  }

  it('shows a drawing on its way, and its image when it is done', async () => {
    await page.goto(`${gateway.url}/midjourney`)
    await page.getByText('No drawings in this period').first().waitFor()
    const id = await submit('/mj/submit/imagine', { prompt: 'a red fox' })
    const row = page.getByRole('row').filter({ hasText: id })
    await row.waitFor()
    const imageUrl = drawings.show(
      '/fox.png',
      () => new Response(pixel, { headers: { 'content-type': 'image/png' } }),
    )
    drawings.tell({ id, status: 'IN_PROGRESS', progress: '42%', imageUrl: '', failReason: '' })
    await row.getByText('42').waitFor()
    drawings.tell({ id, status: 'SUCCESS', progress: '100%', imageUrl, finishTime: Date.now() })
    await row.getByText('Succeeded').waitFor()
    await row.getByRole('button', { name: 'View' }).click()
    const image = page.getByRole('dialog').getByRole('img', { name: 'a red fox' })
    await image.waitFor()
    expect(await image.getAttribute('src')).toBe(`/mj/image/${id}`)
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
    await page.keyboard.press('Escape')
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('row').filter({ hasText: 'mj_imagine' }).getByText('$0.1').first().waitFor()
  })

  it('shows songs, those that failed with their reason, and what was asked about them', async () => {
    songs.rounds = 1
    const sung = await submit('/suno/submit/music', { prompt: 'sing' })
    const failed = await submit('/suno/submit/music', { prompt: 'fail' })
    await page.goto(`${gateway.url}/task`)
    const rowOf = (id: string) => page.getByRole('row').filter({ hasText: id })
    await rowOf(sung).getByText('Succeeded').waitFor()
    await rowOf(failed).getByText('Failed').waitFor()
    await rowOf(failed).getByText('no melody').waitFor()
    await rowOf(sung).getByRole('cell').first().click()
    await page.getByRole('dialog').getByText(`"audio_url": "https://cdn.example/${sung}.mp3"`).waitFor()
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('row').filter({ hasText: 'suno_music' }).getByText('no melody').first().waitFor()
    expect(await page.getByText(/returned status/).count()).toBe(0)
  })
})
