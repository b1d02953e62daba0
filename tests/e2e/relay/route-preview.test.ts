import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

interface Preview {
  readonly blockers: readonly string[]
  readonly channels: readonly {
    readonly name: string
    readonly step: number
    readonly skip: string | null
    readonly attempts: number
    readonly failures: number
    readonly cost: number | null
  }[]
}

interface WhatIf {
  readonly calls: number
  readonly before: { readonly failed: number; readonly retried: number; readonly cost: number }
  readonly after: { readonly failed: number; readonly retried: number; readonly cost: number }
}

describe('the route simulator', () => {
  let [good, bad]: readonly [Upstream?, Upstream?] = []
  let gateway: Tollgate
  let root: Operator

  beforeAll(async () => {
    ;[good, bad] = [await startUpstream(), await startUpstream()]
    good?.otherwise(respond({ text: 'hello', usage: { promptTokens: 1000, completionTokens: 100 } }))
    bad?.otherwise(refuse(503, { message: 'overloaded' }))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    root = await operate(gateway.url)
    await root.option('RetryTimes', '2')
    const channel = (name: string, fields: object) =>
      root.addChannel({ name, base_url: good?.url ?? '', models: 'gpt-4o', ...fields })
    await channel('Overloaded', { base_url: bad?.url, priority: 10 })
    await channel('Frankfurt', { priority: 5, setting: JSON.stringify({ cost_factor: 0.5 }) })
    await channel('Virginia', { priority: 0 })
    await channel('For guests', { group: 'guests' })
    const { id } = await channel('Old account', {})
    await root.api('PUT', '/api/channel/', { id, status: 2 })
    const { key } = await root.addKey({ name: 'laptop' })
    for (let made = 0; made < 10; made += 1)
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }),
      }).then((reply) => reply.text())
    await root.consumption(10)
    await until(async () => {
      const [frankfurt, virginia] = (await preview('')).channels
      return frankfurt?.attempts === 10 && frankfurt.cost !== null && virginia?.cost !== null
        ? true
        : undefined
    })
  })
  afterAll(async () => {
    await gateway?.stop()
    await good?.stop()
    await bad?.stop()
  })

  const preview = (query: string) => root.api<Preview>('GET', `/api/route/preview?model=gpt-4o&${query}`)
  const ids = async () =>
    new Map(
      (await root.api<{ id: number; name: string }[]>('GET', '/api/channel/')).map(({ id, name }) => [
        name,
        id,
      ]),
    )

  it('gives the channels in the order in which calls try them, and why others are passed by', async () => {
    const { channels, blockers } = await preview('')
    expect(blockers).toEqual([])
    const order = channels.map(({ name, step, skip }) => [name, step, skip])
    // After ten failures the first is in cooldown: calls reach it only when no other is left.
    expect(order).toEqual([
      ['Frankfurt', 2, null],
      ['Virginia', 3, null],
      ['Overloaded', 1, 'cooling'],
      ['For guests', 0, 'group'],
      ['Old account', 0, 'disabled'],
    ])
    const [frankfurt, virginia] = channels
    expect(frankfurt).toMatchObject({ attempts: 10, failures: 0 })
    expect((virginia?.cost ?? 0) / (frankfurt?.cost ?? 1)).toBeCloseTo(2, 1)
    expect((await preview('group=guests')).channels[0]).toMatchObject({
      name: 'For guests',
      step: 1,
      skip: null,
    })
  })

  it('says why a key could not make the call', async () => {
    const ann = await addUser(gateway, 'ann', 0)
    const hers = await ann.addKey({ name: 'hers', model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
    expect((await preview(`token_id=${hers.id}`)).blockers).toEqual(['key-model', 'balance-empty'])
    expect((await root.api<Preview>('GET', '/api/route/preview?model=never-priced')).blockers).toEqual([
      'no-price',
    ])
    const gone = await root.call('GET', '/api/route/preview?model=gpt-4o&token_id=999999')
    expect(gone).toMatchObject({ success: false, code: 'record_not_found' })
  })

  it('routes last week’s calls again: what was seen before, and cost and failures after', async () => {
    const channels = await ids()
    const overloaded = channels.get('Overloaded') ?? 0
    const ask = (changes: object[]) =>
      root.api<WhatIf>('POST', '/api/route/what_if', { group: 'default', changes })
    const same = await ask([])
    expect(same.after).toEqual(same.before)
    expect(same.calls).toBe(10)
    expect(same.before.failed).toBeCloseTo(0, 5)
    expect(same.before.retried).toBeGreaterThan(5)
    const moved = await ask([{ id: overloaded, priority: -1, weight: 1 }])
    expect(moved.after.retried).toBeCloseTo(0, 5)
    const dear = await ask([{ id: channels.get('Virginia'), priority: 20, weight: 1 }])
    // Nobody has seen it fail or succeed yet: it gets the failure rate of all.
    expect(dear.after.cost / same.before.cost).toBeGreaterThan(1.5)
    expect(dear.after.retried).toBeGreaterThan(0)
    for (const body of [
      { changes: 'all' },
      { changes: [{ id: 0, priority: 1, weight: 1 }] },
      { changes: [{ id: 1, priority: 1e9, weight: 1 }] },
    ])
      expect((await root.call('POST', '/api/route/what_if', body)).success).toBe(false)
  })
})
