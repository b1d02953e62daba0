import { expect, it } from 'bun:test'
import { calls, type LogEntry, type LogOther, logTypes, replayPath } from '@tollgate/api'
import { sampleChannels, sampleLogs } from '../../../../dev/samples.ts'
import { describePage, type PageTest, screen, within } from '../../../test-support/render-page.tsx'

const load = () => import('./replay-section.tsx')
const [sample] = sampleLogs()
if (sample === undefined) throw new Error('there is no sample of a call')
const serving = sampleChannels()
  .slice(0, 2)
  .map((channel) => ({ ...channel, models: 'm' }))
const [deadId = 0, aliveId = 0] = serving.map(({ id }) => id)

const failure: LogOther = { error: { code: 'upstream_error', status: 503 } }
const failed: LogEntry = {
  ...sample,
  id: 7,
  type: logTypes.error,
  model_name: 'm',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel: deadId,
  request_id: 'failed-call',
  other: JSON.stringify(failure),
}
const again: LogEntry = {
  ...failed,
  id: 8,
  type: logTypes.consumption,
  quota: 1500,
  prompt_tokens: 1000,
  completion_tokens: 500,
  channel: aliveId,
  request_id: 'replayed-call',
  other: '',
}

/** The log with the failed call and, once it was made, the other. */
function respond({ gateway }: PageTest, storedUntil: number): void {
  gateway.on(calls.logs.list, ({ query }) => {
    const items = [failed, again].filter(
      ({ request_id: id }) => id === (query.request_id ?? failed.request_id),
    )
    return { items, total: items.length, page: 1, page_size: 50 }
  })
  gateway.on(calls.logs.stat, { quota: 0, rpm: 0, tpm: 0 })
  gateway.on(calls.logs.histogram, { step_seconds: 60, steps: [] })
  gateway.on(calls.logs.retained, { expires_at: storedUntil })
  gateway.on(calls.channels.list, serving, () => ({ total: 2 }))
}

describePage('the replay of a failed call', load, (page) => {
  it('shows status, tokens, time and price beside those of the failed call', async () => {
    respond(page, Math.floor(Date.now() / 1000) + 86_400)
    const sent: unknown[] = []
    page.gateway.onContent(replayPath, ({ body }) => {
      sent.push(JSON.parse(body))
      return new Response('{}', { headers: { 'x-request-id': again.request_id } })
    })
    await page.open('/log?entry=failed-call')
    const sheet = await screen.findByRole('dialog')
    await within(sheet).findByRole('heading', { name: 'Replay' })
    // Another channel than the one at which it failed is offered.
    await page.user.click(await within(sheet).findByRole('button', { name: 'Replay' }))
    const table = await within(sheet).findByRole('table', { name: 'The call before and now' })
    await within(table).findByText('1,000 → 500')
    const lines = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent ?? '')
    expect(lines[1]).toBe('Status503200')
    expect(lines[3]).toContain('1,000 → 500')
    expect(lines[4]).toContain('$0.003')
    expect(sent).toEqual([{ request_id: 'failed-call', channel: aliveId }])
  })

  it('leads to the route of the call', async () => {
    respond(page, 0)
    await page.open('/log?entry=failed-call')
    const link = await screen.findByRole('link', { name: 'Simulate this route' })
    const address = new URL(link.getAttribute('href') ?? '', 'http://gateway.test')
    expect(address.pathname).toBe('/route')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      model: 'm',
      key: String(failed.token_id),
    })
  })

  it('says that a request is not stored', async () => {
    respond(page, 0)
    await page.open('/log?entry=failed-call')
    await screen.findByText('The request of this call is not kept', { exact: false })
  })
})
