import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  type MidjourneyUpstream,
  proxySecret,
  startMidjourneyUpstream,
} from '../../support/tasks/midjourney.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let upstream: MidjourneyUpstream
let operator: Operator
let user: Operator
let key: string

beforeAll(async () => {
  upstream = await startMidjourneyUpstream()
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '3600' } })
  operator = await operate(gateway.url)
  await operator.option('ServerAddress', gateway.url)
  await operator.option('MjNotifyEnabled', 'true')
  await operator.addChannel({
    name: 'mj',
    type: 2,
    base_url: upstream.url,
    key: proxySecret,
    models: 'mj_imagine',
  })
  user = await addUser(gateway, 'painter', 5_000_000)
  key = (await user.addKey({ unlimited_quota: true })).key
})

afterAll(async () => {
  const audited = await gateway.run('audit')
  await gateway.stop()
  await upstream.stop()
  expect(audited.code).toBe(0)
})

async function imagine(notifyHook?: string): Promise<{ id: string; hook: string }> {
  const reply = await fetch(`${gateway.url}/mj/submit/imagine`, {
    method: 'POST',
    headers: { 'mj-api-secret': key },
    body: JSON.stringify({ prompt: 'cat', ...(notifyHook !== undefined && { notifyHook }) }),
  })
  const { result } = (await reply.json()) as { result: string }
  const sent = JSON.parse(upstream.calls.at(-1)?.body ?? '{}') as { notifyHook?: string }
  return { id: result, hook: sent.notifyHook ?? '' }
}

async function notify(hook: string, body: unknown) {
  const reply = await fetch(hook, { method: 'POST', body: JSON.stringify(body) })
  return { status: reply.status, text: await reply.text() }
}

async function task(id: string) {
  const reply = await fetch(`${gateway.url}/mj/task/${id}/fetch`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return (await reply.json()) as Record<string, unknown>
}

const unknown = { description: 'midjourney_task_not_found', type: 'upstream_error', code: 4 }

describe('a notice', () => {
  it('tells of the task that its address was made for', async () => {
    const { id, hook } = await imagine()
    expect(hook).toStartWith(`${gateway.url}/mj/notify/`)
    expect(await notify(hook, { id, status: 'IN_PROGRESS', progress: '40%' })).toEqual({
      status: 200,
      text: '',
    })
    expect(await task(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '40%' })
    expect(await notify(hook, { id, status: 'SUCCESS', progress: '100%' })).toMatchObject({ status: 200 })
    expect(await task(id)).toMatchObject({ status: 'SUCCESS', progress: '100%' })
  })

  it('of a failure gives back what was held, once, however often it comes', async () => {
    const before = await user.quota()
    const { id, hook } = await imagine()
    const fail = () => notify(hook, { id, status: 'FAILURE', failReason: 'banned' })
    await Promise.all(Array.from({ length: 8 }, fail))
    await notify(hook, { id, status: 'IN_PROGRESS', progress: '0%', submitTime: 1 })
    await fail()
    expect(await task(id)).toMatchObject({ status: 'FAILURE', failReason: 'banned' })
    expect(await user.quota()).toBe(before)
  })

  it('is believed of no other task, and by no other address', async () => {
    const one = await imagine()
    const other = await imagine()
    const secretless = `${gateway.url}/mj/notify`
    const fail = { id: other.id, status: 'FAILURE', failReason: 'x', imageUrl: 'http://127.0.0.1/' }
    for (const hook of [one.hook, secretless, `${other.hook}0`, `${secretless}/1-${'0'.repeat(36)}`]) {
      const { status, text } = await notify(hook, fail)
      expect([hook, status, JSON.parse(text)]).toEqual([hook, 400, unknown])
    }
    for (const body of [null, [], 'x', {}, { id: 5 }, { id: 'nobody' }])
      expect((await notify(other.hook, body)).status).toBe(400)
    expect(await task(other.id)).toMatchObject({ status: 'SUBMITTED', failReason: '' })
  })

  it('shows its address only to the upstream', async () => {
    const { id, hook } = await imagine()
    const secret = hook.slice(hook.lastIndexOf('/') + 1)
    const list = JSON.stringify(await operator.api('GET', `/api/mj/?p=0&mj_id=${id}`))
    expect(list + JSON.stringify(await task(id)) + gateway.logs()).not.toContain(secret)
  })
})

describe('a caller that left an address', () => {
  const received: Record<string, unknown>[] = []
  /** Statuses of the next responses; 204 behind them. */
  const statuses: number[] = []
  let receiver: ReturnType<typeof Bun.serve>
  let address: string

  beforeAll(() => {
    receiver = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        received.push((await request.json()) as Record<string, unknown>)
        return new Response(null, { status: statuses.shift() ?? 204 })
      },
    })
    address = `http://127.0.0.1:${receiver.port}/hook`
  })
  afterAll(async () => {
    await operator.option('OutboundAllowedRanges', '')
    await receiver.stop(true)
  })

  const states = (id: string) =>
    received.filter((reported) => reported.id === id).map(({ status, progress }) => [status, progress])

  it('receives changes there, where the gateway may call it', async () => {
    const closed = await imagine(address)
    expect(closed.hook).not.toBe(address)
    await notify(closed.hook, { id: closed.id, status: 'SUCCESS' })
    await operator.option('OutboundAllowedRanges', '127.0.0.1')
    const { id, hook } = await imagine(address)
    await notify(hook, { id, status: 'IN_PROGRESS', progress: '10%' })
    await notify(hook, { id, status: 'IN_PROGRESS', progress: '10%' })
    await notify(hook, { id, status: 'SUCCESS' })
    await until(() => received.length >= 2 || undefined)
    expect(received).toHaveLength(2)
    expect(states(id)).toEqual([
      ['IN_PROGRESS', '10%'],
      ['SUCCESS', '100%'],
    ])
    for (const odd of ['file:///etc/passwd', 'x', 'javascript:1'])
      expect((await imagine(odd)).id).not.toBe('')
  })

  it('receives no state behind a later one, and after a limit of its own what it missed', async () => {
    const [passed, last] = [await imagine(address), await imagine(address)]
    const report = async ({ id, hook }: typeof passed, status: string, ofReceiver: number) => {
      statuses.push(ofReceiver)
      const count = states(id).length
      await notify(hook, { id, status })
      await until(() => states(id).length > count || undefined)
    }
    await report(passed, 'IN_PROGRESS', 503)
    await report(passed, 'SUCCESS', 204)
    await report(last, 'SUCCESS', 429)
    await until(() => states(last.id).length === 2 || undefined, 5000)
    expect(states(passed.id).map(([status]) => status)).toEqual(['IN_PROGRESS', 'SUCCESS'])
  })
})

describe('a picture', () => {
  const png = { headers: { 'content-type': 'image/png', 'set-cookie': 'a=b', server: 'secret' } }

  async function drawn(imageUrl: string, status = 'SUCCESS'): Promise<Response> {
    const { id, hook } = await imagine()
    await notify(hook, { id, status, imageUrl })
    return fetch(`${gateway.url}/mj/image/${id}`)
  }

  it('is shown to everybody, as it is at the upstream', async () => {
    const visible = await drawn(upstream.show('/p/1.png', () => new Response('PNG', png)))
    expect([visible.status, visible.headers.get('content-type'), await visible.text()]).toEqual([
      200,
      'image/png',
      'PNG',
    ])
    expect(visible.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(visible.headers.get('x-content-type-options')).toBe('nosniff')
    expect(visible.headers.get('set-cookie')).toBeNull()
    const [row] = await user.api<{ image_url: string }[]>('GET', '/api/mj/self/?p=0')
    expect(row?.image_url).toBe(visible.url)
    const plain = await drawn(
      upstream.show('/p/2', () => new Response(new Uint8Array([1, 2]))),
      'IN_PROGRESS',
    )
    expect([plain.headers.get('content-type'), plain.headers.get('cache-control')]).toEqual([
      'image/jpeg',
      'no-store',
    ])
    const head = await fetch(plain.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  it('is one of a task that is known', async () => {
    for (const id of ['nobody', '..', '%2e%2e%2f', 'a%00b']) {
      const reply = await fetch(`${gateway.url}/mj/image/${id}`)
      if (new URL(reply.url).pathname.startsWith('/mj/image/'))
        expect([reply.status, await reply.json()]).toEqual([400, { error: 'midjourney_task_not_found' }])
    }
  })

  it('tells what its own upstream refuses it with', async () => {
    const missing = await drawn(upstream.show('/p/3', () => new Response('no such picture', { status: 404 })))
    expect([missing.status, await missing.json()]).toEqual([404, { error: 'no such picture' }])
  })

  it('is nothing that a page would run, and ends where it is too large', async () => {
    const failed = { error: 'http_get_image_failed' }
    for (const type of ['text/html', 'image/svg+xml', 'application/javascript']) {
      const page = await drawn(
        upstream.show('/p/4', () => new Response('<script>', { headers: { 'content-type': type } })),
      )
      expect([type, page.status, await page.json()]).toEqual([type, 500, failed])
    }
    const megabyte = new Uint8Array(1024 * 1024)
    const endless = () =>
      new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(megabyte) })
    const large = await drawn(upstream.show('/p/5', () => new Response(endless(), png)))
    expect(
      await large.bytes().then(
        () => 'whole',
        () => 'cut',
      ),
    ).toBe('cut')
  })

  it('comes from nowhere inside the network but the channel itself', async () => {
    const inside = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('secret', png) })
    const address = `http://127.0.0.1:${inside.port}/`
    try {
      const redirected = upstream.show('/p/6', () => Response.redirect(address, 302))
      const positions = [
        address,
        redirected,
        'http://169.254.169.254/latest',
        'file:///etc/passwd',
        'http://[::1]:1/',
        '',
      ]
      for (const position of positions) {
        const reply = await drawn(position)
        expect([position, reply.status, await reply.json()]).toEqual([
          position,
          500,
          { error: 'http_get_image_failed' },
        ])
      }
    } finally {
      await inside.stop(true)
    }
  })
})
