import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  type MidjourneyUpstream,
  proxySecret,
  startMidjourneyUpstream,
} from '../../support/tasks/midjourney.ts'
import { type MusicUpstream, startMusicUpstream } from '../../support/tasks/music.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let gateway: Tollgate
let operator: Operator
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
    operator = await operate(gateway.url)
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
    await row.getByText('root').waitFor()
    await row.getByText('$0.1').waitFor()
    await row.getByRole('cell').first().click()
    const image = page.getByRole('dialog').getByRole('img', { name: 'a red fox' })
    await image.waitFor()
    expect(await image.getAttribute('src')).toBe(`/mj/image/${id}`)
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
    await page.keyboard.press('Escape')
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('row').filter({ hasText: 'mj_imagine' }).getByText('$0.1').first().waitFor()
  })

  it('goes on from a drawing by the buttons of its upstream, and orders it again, at the price of who presses', async () => {
    const id = await submit('/mj/submit/imagine', { prompt: 'a blue owl' })
    const buttons = [
      { customId: 'MJ::JOB::upsample::1', label: 'U1', emoji: '' },
      { customId: 'MJ::JOB::reroll', label: '', emoji: '🔄' },
    ]
    const imageUrl = drawings.show('/owl.png', () => new Response(pixel))
    drawings.tell({ id, status: 'SUCCESS', progress: '100%', imageUrl, buttons, finishTime: Date.now() })
    await page.goto(`${gateway.url}/midjourney?open=${id}`)
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'U1' }).click()
    const pressed = await until(() => drawings.calls.find(({ path }) => path === '/mj/submit/action'))
    expect(JSON.parse(pressed.body)).toMatchObject({ taskId: id, customId: 'MJ::JOB::upsample::1' })
    await page.waitForURL((url) => url.searchParams.get('open') !== id)
    const next = new URL(page.url()).searchParams.get('open') ?? ''
    drawings.tell({ id: next, status: 'SUCCESS', progress: '100%', imageUrl, finishTime: Date.now() })
    await page.goto(`${gateway.url}/midjourney?open=${id}`)
    const before = drawings.calls.length
    await sheet.getByRole('button', { name: 'Run again' }).click()
    const again = await until(() => drawings.calls[before])
    expect(JSON.parse(again.body)).toMatchObject({ prompt: 'a blue owl' })
    const logged = () => operator.api<{ total: number }>('GET', '/api/log/?token_name=playground-default')
    await until(async () => ((await logged()).total > 0 ? true : undefined))
    await page.goto(`${gateway.url}/log?token=playground-default`)
    await page.getByRole('row').filter({ hasText: 'mj_upscale' }).first().waitFor()
  })

  it('shows drawings as tiles, and remembers it', async () => {
    await page.goto(`${gateway.url}/midjourney`)
    await page.getByRole('button', { name: 'Grid' }).click()
    const tile = page.getByRole('listitem').filter({ hasText: 'a blue owl' }).last()
    await tile.locator('img').waitFor()
    await page.reload()
    await tile.getByRole('button').click()
    await page.getByRole('dialog').getByRole('img', { name: 'a blue owl' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('row').filter({ hasText: 'root' }).first().waitFor()
  })

  it('refuses orders of a session from another site and without its user', async () => {
    const order = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/pg/mj/submit/imagine`, { method: 'POST', headers, body: '{"prompt":"a thief"}' })
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    expect((await order({ cookie: cookies })).status).toBe(401)
    const foreign = {
      cookie: cookies,
      'new-api-user': '1',
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    }
    expect((await order(foreign)).status).toBe(401)
    expect((await order({ authorization: `Bearer ${key}` })).status).toBe(401)
    expect(drawings.calls.some(({ body }) => body.includes('a thief'))).toBe(false)
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
    const player = page.getByRole('dialog').locator('audio')
    expect(await player.getAttribute('src')).toBe(`https://cdn.example/${sung}.mp3`)
    await page.keyboard.press('Escape')
    await rowOf(failed).getByRole('cell').first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).waitFor()
    await page.getByRole('dialog').getByText('no melody').first().waitFor()
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('row').filter({ hasText: 'suno_music' }).getByText('no melody').first().waitFor()
    expect(await page.getByText(/returned status/).count()).toBe(0)
  })
})
