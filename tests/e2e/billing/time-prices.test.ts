import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { createClock } from '../../support/clock.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(30_000))

const zone = 'Europe/Berlin'
const night = { days: ['sat'], from: '22:00', to: '06:00', ratio: 0.5 }
const reply = { text: 'yes', usage: { promptTokens: 1000, completionTokens: 100 } }
/** Charge at ratio 50, with output at the price of input. */
const standard = 55_000

interface Row {
  readonly created_at: number
  readonly quota: number
  readonly cost?: number
  readonly other: string
}

/** A gateway whose clock the test sets. Saturdays of 2027 on which clocks change at night in Berlin: 27 March, 30 October. */
describe.skipIf(findTool('faketime') === undefined)('a price by time', () => {
  let upstream: Upstream
  let gateway: Tollgate
  let root: Operator
  let key = ''
  let calls = 0
  const clock = createClock()
  const jump = (moment: string) => clock.set(Date.parse(moment) / 1000)
  /** The same with a session, which ends with the jump: nobody logs in before the gateway has seen it. */
  async function setClock(moment: string): Promise<void> {
    jump(moment)
    await until(async () => {
      const { headers } = await fetch(`${gateway.url}/api/status`)
      const apartMs = Math.abs(Date.parse(headers.get('date') ?? '') - Date.parse(moment))
      return apartMs < 5000 ? true : undefined
    })
    root = await operate(gateway.url)
  }

  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond(reply))
    jump('2027-03-26T12:00:00Z')
    gateway = await startTollgate({ env: { ...consoleWithoutLimits, ...clock.env } })
    root = await operate(gateway.url)
    key = (await root.addKey()).key
    await root.addChannel({ name: 'one', base_url: upstream.url, models: 'house' })
    await root.option('ModelRatio', JSON.stringify({ house: 50 }))
    await root.option('ModelCost', JSON.stringify({ house: { model_ratio: 40, completion_ratio: 1 } }))
    await root.option('TimePrice', JSON.stringify({ house: { zone, windows: [night] } }))
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    clock.remove()
  })

  async function call(model = 'house'): Promise<Row> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'word '.repeat(900) }] }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    calls += 1
    return (await root.consumption(calls)) as unknown as Row
  }

  it.each([
    ['2027-03-27T20:59:50Z', 1, 'ten seconds before 22:00 in winter'],
    ['2027-03-27T21:00:05Z', 0.5, 'at 22:00'],
    ['2027-03-28T03:59:30Z', 0.5, 'at 05:59 of the night that is an hour shorter'],
    ['2027-03-28T04:00:05Z', 1, 'at 06:00 after it, in summer'],
    ['2027-03-28T22:30:00Z', 1, 'on Sunday night'],
    ['2027-10-30T19:59:30Z', 1, 'before 22:00 in summer'],
    ['2027-10-30T20:00:05Z', 0.5, 'at 22:00 in summer'],
    ['2027-10-31T04:59:30Z', 0.5, 'at 05:59 of the night that is an hour longer'],
    ['2027-10-31T05:00:05Z', 1, 'at 06:00 after it, in winter'],
  ])('at %s has the ratio %d: %s', async (moment, ratio) => {
    await setClock(moment)
    const row = await call()
    expect(row.quota).toBe(standard * ratio)
    expect(JSON.parse(row.other).price_window).toEqual(ratio === 1 ? undefined : { ...night, zone })
  })

  it('is that of the moment at which the call is accepted, for corrections too', async () => {
    upstream.otherwise(respond({ ...reply, delayMs: 3100 }))
    const begin = Date.parse('2027-11-06T21:00:00Z') / 1000
    await setClock('2027-11-06T20:50:00Z')
    jump('2027-11-06T20:59:57Z')
    const row = await call()
    upstream.otherwise(respond(reply))
    const { accepted_at, price_window } = JSON.parse(row.other)
    expect([accepted_at < begin, row.created_at >= begin]).toEqual([true, true])
    expect([row.quota, price_window]).toEqual([standard, undefined])
    await setClock('2027-11-07T05:10:00Z')
    const preview = await root.api<object>('POST', '/api/correction/preview', {
      from: Date.parse('2027-03-01') / 1000,
      to: Date.parse('2027-11-07') / 1000,
    })
    expect(preview).toMatchObject({ calls, changed: 0, unknown_calls: 0 })
  })

  it('that was another within a window is corrected there alone, by the window of each call', async () => {
    await root.option('TimePrice', JSON.stringify({ house: { zone, windows: [{ ...night, ratio: 0.25 }] } }))
    const span = { from: Date.parse('2027-03-01') / 1000, to: Date.parse('2027-11-07') / 1000 }
    const preview = await root.api<{ confirmation: string }>('POST', '/api/correction/preview', span)
    expect(preview).toMatchObject({ calls, changed: 4, amount: -4 * standard * 0.25 })
    const before = await root.quota()
    const order = { ...span, confirmation: preview.confirmation, reason: 'nights at a quarter' }
    await root.api('POST', '/api/correction/', order)
    expect(await root.quota()).toBe(before + 4 * standard * 0.25)
    const { output, code } = await gateway.run('audit')
    expect([output, code]).toEqual([expect.stringContaining('Everything adds up.'), 0])
  })

  it('and a cost by time follow a model that is renamed, to margins and the models that lose', async () => {
    await root.option('TimePrice', JSON.stringify({ house: { zone, windows: [night] } }))
    const losing = () =>
      root
        .api<{ model_name: string }[]>('GET', '/api/data/costs?losing=true')
        .then((rows) => rows.map(({ model_name }) => model_name))
    // At night, 25 are charged for what costs 40.
    expect(await losing()).toEqual(['house'])
    await root.option('TimeCost', JSON.stringify({ house: { zone, windows: [{ ...night, ratio: 0.5 }] } }))
    expect(await losing()).toEqual([])
    const renaming = { model_name: 'house', new_name: 'villa' }
    const requested = await root.call('POST', '/api/models/rename', renaming)
    const { confirmation } = requested as unknown as { readonly confirmation?: string }
    if (!requested.success) await root.api('POST', '/api/models/rename', { ...renaming, confirmation })
    await setClock('2027-11-13T22:00:00Z')
    const row = await call('villa')
    expect([row.quota, row.cost]).toEqual([standard * 0.5, (standard * 0.5 * 40) / 50])
    expect(await losing()).toEqual([])
  })
})
