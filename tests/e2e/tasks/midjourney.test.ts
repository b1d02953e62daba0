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

const models = [
  'mj_imagine',
  'mj_upscale',
  'mj_variation',
  'mj_reroll',
  'mj_describe',
  'mj_blend',
  'mj_shorten',
  'mj_modal',
  'mj_upload',
  'mj_inpaint',
  'mj_zoom',
  'mj_pan',
  'mj_high_variation',
  'swap_face',
].join(',')
const perUnit = 500_000
const image = 'data:image/png;base64,iVBORw0KGgo='

let gateway: Tollgate
let upstream: MidjourneyUpstream
let operator: Operator
let user: Operator
let otherUser: Operator
let key: string
let otherUsersKey: string
let channel: number

beforeAll(async () => {
  upstream = await startMidjourneyUpstream()
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '1' } })
  operator = await operate(gateway.url)
  const added = { name: 'mj', type: 5, base_url: upstream.url, key: proxySecret, models }
  channel = (await operator.addChannel(added)).id
  user = await addUser(gateway, 'painter', 10 * perUnit)
  otherUser = await addUser(gateway, 'stranger', 10 * perUnit)
  key = (await user.addKey({ unlimited_quota: true })).key
  otherUsersKey = (await otherUser.addKey({ unlimited_quota: true })).key
})

afterAll(async () => {
  const { code, output } = await gateway.run('audit')
  await gateway.stop()
  await upstream.stop()
  expect([code, output]).toEqual([0, expect.any(String)])
})

interface Requested {
  readonly key?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly raw?: string
}

async function mj(path: string, body?: unknown, { key: as = key, method, headers, raw }: Requested = {}) {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const reply = await fetch(gateway.url + path, {
    method: method ?? (text === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
    ...(text !== undefined && { body: text }),
  })
  const stated = await reply.text()
  return {
    status: reply.status,
    headers: reply.headers,
    body: stated === '' ? undefined : JSON.parse(stated),
  }
}

const imagine = async (prompt = 'cat') => String((await mj('/mj/submit/imagine', { prompt })).body.result)
const task = async (id: string, as = key) => (await mj(`/mj/task/${id}/fetch`, undefined, { key: as })).body
const ended = (id: string) =>
  until(async () => {
    const found = await task(id)
    return found.progress === '100%' ? found : undefined
  })
async function finished(prompt?: string): Promise<string> {
  const id = await imagine(prompt)
  const picture = upstream.show(
    `/pictures/${id}.png`,
    () => new Response('PNG', { headers: { 'content-type': 'image/png' } }),
  )
  upstream.tell({
    id,
    status: 'SUCCESS',
    progress: '100%',
    imageUrl: picture,
    buttons: [{ customId: 'MJ::JOB::upsample::1::u', label: 'U1' }],
  })
  await ended(id)
  return id
}
/** Measures the cost of an act for the painter. */
async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = await user.quota()
  await act()
  return Number(((before - (await user.quota())) / perUnit).toFixed(6))
}

describe('a drawing', () => {
  it('goes from its submission to its picture, and is paid for once', async () => {
    let id = ''
    const body =
      '{ "prompt":"a cat --fast", "state":"mine", "accountFilter":{"modes":["FAST"]}, "notifyHook":"http://h.example/x", "botType":"MID_JOURNEY" }'
    const price = await cost(async () => {
      const reply = await mj('/mj-fast/mj/submit/imagine?a=1', undefined, { raw: body })
      expect([reply.status, reply.body]).toEqual([
        200,
        { code: 1, description: 'success', result: expect.any(String), properties: {} },
      ])
      id = reply.body.result
    })
    expect(price).toBe(0.1)
    const call = upstream.calls.at(-1)
    expect([call?.path, call?.query, call?.headers.get('authorization')]).toEqual([
      '/mj/submit/imagine',
      '?a=1',
      null,
    ])
    expect(call?.body).toBe('{ "prompt":"a cat --fast", "state":"mine", "botType":"MID_JOURNEY" }')
    expect(await task(id)).toMatchObject({
      id,
      action: 'IMAGINE',
      prompt: 'a cat --fast',
      progress: '0%',
      state: 'mine',
      botType: 'MID_JOURNEY',
      imageUrl: '',
      buttons: null,
    })

    upstream.tell({
      id,
      status: 'IN_PROGRESS',
      progress: '42%',
      promptEn: 'A cat',
      imageUrl: `${upstream.url}/p.webp`,
      startTime: 1689231442755,
    })
    const going = await until(async () => {
      const found = await task(id)
      return found.progress === '42%' ? found : undefined
    })
    expect(going).toMatchObject({ status: 'IN_PROGRESS', promptEn: 'A cat', startTime: 1689231442755 })
    expect(going.imageUrl).toMatch(new RegExp(`^${gateway.url}/mj/image/${id}\\?rand=\\d{19}$`))

    upstream.tell({ id, status: 'SUCCESS', progress: '100%', properties: { finalPrompt: 'A cat --v 6' } })
    expect(await ended(id)).toMatchObject({
      status: 'SUCCESS',
      imageUrl: `${gateway.url}/mj/image/${id}`,
      properties: { finalPrompt: 'A cat --v 6' },
    })
    expect((await operator.consumption(1)).quota).toBe(0.1 * perUnit)
    expect(await user.quota()).toBe(9.9 * perUnit)
  })

  it('that fails, is cancelled or is reported as failed is refunded', async () => {
    for (const end of [
      { status: 'FAILURE', failReason: 'banned' },
      { status: 'CANCEL' },
      { status: 'IN_PROGRESS', failReason: 'gone' },
    ]) {
      const price = await cost(async () => {
        const id = await imagine()
        upstream.tell({ id, progress: '30%', ...end })
        expect(await ended(id)).toMatchObject({ status: 'FAILURE', failReason: end.failReason ?? 'CANCEL' })
        expect((await operator.api<{ quota: number }[]>('GET', `/api/mj/?p=0&mj_id=${id}`))[0]?.quota).toBe(0)
      })
      expect(price).toBe(0)
    }
  })

  it('is not confused by what an upstream tells of others, and in other shapes', async () => {
    for (const thing of [null, 5, [], { id: 'nobody', status: 'SUCCESS' }, { id: null }])
      upstream.tellOdd(thing)
    const id = await imagine()
    upstream.tell({ id, status: 7, progress: null, buttons: {}, startTime: 'x', properties: [] })
    const other = await finished()
    expect((await task(id)).progress).toBe('0%')
    upstream.tell({ id, status: 'SUCCESS' })
    await ended(id)
    expect(other).not.toBe(id)
  })

  it('waits while its upstream is away', async () => {
    const id = await imagine()
    upstream.tell({ id, status: 'SUCCESS', progress: '100%' })
    upstream.vanish(true)
    await Bun.sleep(700)
    expect((await task(id)).status).toBe('SUBMITTED')
    upstream.vanish(false)
    await until(async () => ((await task(id)).status === 'SUCCESS' ? true : undefined), 15_000)
  })
})

describe('every action', () => {
  it('is charged at its price, once, for the channel of its origin', async () => {
    const origin = await finished('origin')
    const button = (customId: string) => ({ taskId: origin, customId })
    const cases: readonly (readonly [string, object, string, number])[] = [
      ['submit/change', { taskId: origin, action: 'UPSCALE', index: 1 }, 'UPSCALE', 0.05],
      ['submit/change', { taskId: origin, action: 'REROLL' }, 'REROLL', 0.1],
      ['submit/simple-change', { content: `${origin} V2` }, 'VARIATION', 0.1],
      ['submit/action', button('MJ::JOB::pan_left::1::u::SOLO'), 'PAN', 0.1],
      ['submit/action', button('MJ::JOB::high_variation::1::u::SOLO'), 'HIGH_VARIATION', 0.1],
      ['submit/action', button('MJ::Outpaint::50::1::u::SOLO'), 'ZOOM', 0.1],
      ['submit/action', button('MJ::Inpaint::1::u::SOLO'), 'INPAINT', 0],
      ['submit/modal', { taskId: origin, prompt: 'dog' }, 'MODAL', 0.1],
      ['submit/describe', { base64: image }, 'DESCRIBE', 0.05],
      ['submit/blend', { base64Array: [image, image] }, 'BLEND', 0.1],
      ['submit/shorten', { prompt: 'a long story' }, 'SHORTEN', 0.1],
      ['insight-face/swap', { sourceBase64: image, targetBase64: image }, 'SWAP_FACE', 0.05],
    ]
    const elsewhere = await operator.addChannel({
      name: 'elsewhere',
      type: 5,
      base_url: 'http://127.0.0.1:9',
      key: 'none',
      models: 'mj_upscale,mj_variation,mj_modal',
      priority: 10,
    })
    const made = new Map<string, string>()
    for (const [path, body, action, price] of cases) {
      const charged = await cost(async () => {
        const { status, body: stated } = await mj(`/mj/${path}`, body)
        expect([action, status, stated.code]).toEqual([action, 200, 1])
        expect(upstream.calls.at(-1)).toMatchObject({ path: `/mj/${path}`, body: JSON.stringify(body) })
        made.set(stated.result, action)
      })
      expect([action, charged]).toEqual([action, price])
    }
    await operator.api('DELETE', `/api/channel/${elsewhere.id}`)
    const held = await user.quota()
    for (const id of made.keys()) upstream.tell({ id, status: 'SUCCESS', progress: '100%' })
    for (const [id, action] of made) expect((await ended(id)).action).toBe(action)
    expect(await user.quota()).toBe(held)
    expect(
      await task(String((await mj('/mj/task/list-by-condition', { ids: [origin] })).body[0].id)),
    ).toMatchObject({ id: origin })
  })

  it('of pictures that are put up is finished at once', async () => {
    upstream.reply({ body: { code: 1, description: 'success', result: ['https://cdn.example/a.png'] } })
    const charged = await cost(async () => {
      const { body } = await mj('/mj/submit/upload-discord-images', { base64Array: [image] })
      expect(body.result).toEqual(['https://cdn.example/a.png'])
    })
    expect(charged).toBe(0.05)
    const [row] = await operator.api<Record<string, unknown>[]>('GET', '/api/mj/?p=0')
    expect(row).toMatchObject({ action: 'UPLOAD', status: 'SUCCESS', progress: '100%', mj_id: '', code: 1 })
  })

  it('that asks for a seed gets it of the channel that made the picture', async () => {
    const origin = await finished()
    expect((await mj(`/mj/task/${origin}/image-seed`)).body).toEqual({
      code: 1,
      description: 'success',
      result: '1234567890',
    })
    expect(upstream.calls.at(-1)).toMatchObject({
      method: 'GET',
      path: `/mj/task/${origin}/image-seed`,
      body: '',
    })
  })
})

describe('a response with code', () => {
  const refusedWith = async (code: number, more: object = {}, action = 'submit/imagine') => {
    const body = { code, description: `said ${code}`, ...more }
    upstream.reply({ body })
    const reply = await mj(
      `/mj/${action}`,
      action === 'submit/imagine' ? { prompt: 'cat' } : { sourceBase64: image, targetBase64: image },
    )
    expect([reply.status, reply.body]).toEqual([200, body])
  }

  it.each([23, 24, 4, 9, 3])('%d is returned and stored as a failure, at no cost', async (code) => {
    expect(await cost(() => refusedWith(code, { properties: { bannedWord: 'bad' } }))).toBe(0)
    const [row] = await operator.api<Record<string, unknown>[]>('GET', '/api/mj/?p=0')
    expect(row).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      fail_reason: `said ${code}`,
      code,
      quota: 0,
    })
  })

  it('3 takes a channel out of service where the operator wants that', async () => {
    await operator.option('AutomaticDisableChannelEnabled', 'true')
    await refusedWith(3)
    const status = async () =>
      (await operator.api<{ status: number }>('GET', `/api/channel/${channel}`)).status
    await until(async () => ((await status()) === 3 ? true : undefined))
    await operator.option('AutomaticDisableChannelEnabled', 'false')
    await operator.api('PUT', '/api/channel/', { id: channel, status: 1 })
  })

  it('22 is returned as 1, and 21 too, with the state of its task', async () => {
    upstream.reply({
      body: { code: 22, description: 'queued', result: 'q-1', properties: { numberOfQueues: 1 } },
    })
    expect((await mj('/mj/submit/imagine', { prompt: 'cat' })).body).toEqual({
      code: 1,
      description: 'queued',
      result: 'q-1',
      properties: { numberOfQueues: 1 },
    })
    upstream.tell({ id: 'q-1', status: 'FAILURE' })
    await ended('q-1')
    const properties = { status: 'SUCCESS', imageUrl: 'https://cdn.example/u.png' }
    upstream.reply({ body: { code: 21, description: 'exists', result: 'e-1', properties } })
    expect((await mj('/mj/submit/imagine', { prompt: 'cat' })).body.code).toBe(1)
    expect(await task('e-1')).toMatchObject({
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: `${gateway.url}/mj/image/e-1`,
    })
  })

  it('21 to what opens a dialogue stays, and costs nothing', async () => {
    const origin = await finished()
    upstream.reply({ body: { code: 21, description: 'modal', result: 'd-1', properties: {} } })
    const charged = await cost(async () => {
      const { body } = await mj('/mj/submit/action', { taskId: origin, customId: 'MJ::Inpaint::1::u::SOLO' })
      expect(body).toMatchObject({ code: 21, result: 'd-1' })
    })
    expect(charged).toBe(0)
    expect((await task('d-1')).status).toBe('MODAL')
    upstream.reply({ body: { code: 1, description: 'success', result: 'd-2' } })
    expect((await mj('/mj/submit/modal', { taskId: 'd-1', prompt: 'hat' })).body.code).toBe(1)
    for (const id of ['d-1', 'd-2']) upstream.tell({ id, status: 'FAILURE' })
    await ended('d-2')
  })

  it('none is a failure in the words of the protocol', async () => {
    const cases = [
      [{ body: '' }, 400, 'empty_response_body'],
      [{ body: 'x' }, 400, 'unmarshal_response_body_failed'],
      [{ body: { code: 1, description: 'success' } }, 400, 'unmarshal_response_body_failed'],
      [{ body: { code: 5, description: 'broken' } }, 502, expect.stringContaining('broken')],
      [{ status: 500, body: { code: 9, description: 'broken' } }, 500, expect.stringContaining('broken')],
    ] as const
    for (const [reply, status, description] of cases) {
      upstream.reply(reply)
      const charged = await cost(async () => {
        const stated = await mj('/mj/submit/imagine', { prompt: 'cat' })
        expect([stated.status, stated.body]).toEqual([
          status,
          { description, type: 'upstream_error', code: 5 },
        ])
      })
      expect(charged).toBe(0)
    }
  })
})

describe('a refusal', () => {
  it('says what is missing, in the words of the protocol, and costs nothing', async () => {
    const origin = await finished()
    const open = await imagine()
    const before = upstream.calls.length
    const cases: readonly (readonly [string, unknown, string])[] = [
      ['submit/imagine', {}, 'prompt_is_required'],
      ['submit/change', { taskId: origin, index: 1 }, 'action_is_required'],
      ['submit/change', { taskId: origin, action: 'UPSCALE' }, 'index_is_required'],
      ['submit/simple-change', { content: 'U1' }, 'content_parse_failed'],
      [
        'submit/action',
        { taskId: origin, customId: 'MJ::JOB::explode::1::u' },
        'unknown_action:MJ::JOB::explode::1::u',
      ],
      ['submit/change', { taskId: 'nobody', action: 'UPSCALE', index: 1 }, 'task_not_found'],
      ['submit/change', { taskId: open, action: 'UPSCALE', index: 1 }, 'task_status_not_success'],
      ['submit/modal', { taskId: 'nobody' }, 'task_not_found'],
      ['insight-face/swap', {}, 'sour_base64_and_target_base64_is_required'],
      ['task/list-by-condition', { ids: 'x' }, 'bind_request_body_failed'],
      ['notify', { id: origin, status: 'FAILURE' }, 'midjourney_task_not_found'],
    ]
    const charged = await cost(async () => {
      for (const [path, body, description] of cases) {
        const stated = await mj(`/mj/${path}`, body)
        expect([path, stated.status, stated.body]).toEqual([
          path,
          400,
          { description, type: 'upstream_error', code: 4 },
        ])
      }
    })
    expect([charged, upstream.calls.length]).toEqual([0, before])
    upstream.tell({ id: open, status: 'FAILURE' })
    await ended(open)
  })

  it('shows every caller only their own tasks', async () => {
    const origin = await finished()
    const change = { taskId: origin, action: 'UPSCALE', index: 1 }
    const requested = { key: otherUsersKey }
    expect((await mj(`/mj/task/${origin}/fetch`, undefined, requested)).body.description).toBe(
      'task_no_found',
    )
    expect((await mj('/mj/submit/change', change, requested)).body.description).toBe('task_not_found')
    expect((await mj('/mj/submit/modal', { taskId: origin }, requested)).body.description).toBe(
      'task_not_found',
    )
    expect((await mj(`/mj/task/${origin}/image-seed`, undefined, requested)).body.description).toBe(
      'task_not_found',
    )
    expect((await mj('/mj/task/list-by-condition', { ids: [origin] }, requested)).body).toEqual([])
    expect((await mj('/mj/task/list-by-condition', {})).body).toEqual([])
  })

  it('of keys, paths and balances is one of the protocol, too', async () => {
    const userWithoutQuota = await addUser(gateway, 'poor', 1000)
    const { key: keyWithoutQuota } = await userWithoutQuota.addKey({ unlimited_quota: true })
    const stated = async (path: string, body: unknown, requested: Requested) => {
      const reply = await mj(path, body, requested)
      return [reply.status, reply.body.code, reply.body.description] as const
    }
    expect(await stated('/mj/submit/imagine', { prompt: 'cat' }, { key: keyWithoutQuota })).toEqual([
      400,
      4,
      'quota_not_enough',
    ])
    expect(await stated('/mj/submit/imagine', { prompt: 'cat' }, { key: 'sk-wrong' })).toEqual([
      401,
      4,
      expect.stringContaining('key'),
    ])
    expect(await stated('/mj/submit/imagine', { prompt: 'cat' }, { key: '' })).toEqual([
      401,
      4,
      expect.any(String),
    ])
    await operator.option('CheckSensitiveEnabled', 'true')
    await operator.option('SensitiveWords', 'forbidden-thing')
    expect(await stated('/mj/submit/imagine', { prompt: 'a forbidden-thing' }, {})).toEqual([
      400,
      4,
      expect.any(String),
    ])
    await operator.option('CheckSensitiveEnabled', 'false')
    expect(await stated('/mj/submit/explode', {}, {})).toEqual([404, 4, expect.any(String)])
    expect(await stated('/mj/submit/imagine', undefined, {})).toEqual([405, 4, expect.any(String)])
    expect(await stated('/mj/submit/video', { prompt: 'x' }, {})).toEqual([
      404,
      4,
      expect.stringContaining('mj_video'),
    ])
  })

  it('follows the channel of the origin when it is out of service', async () => {
    const origin = await finished()
    await operator.api('PUT', '/api/channel/', { id: channel, status: 2 })
    const stated = await mj('/mj/submit/change', { taskId: origin, action: 'UPSCALE', index: 1 })
    await operator.api('PUT', '/api/channel/', { id: channel, status: 1 })
    expect([stated.status, stated.body.code]).toEqual([400, 4])
    expect(stated.body.description).toContain('disabled')
  })
})

describe('a key', () => {
  it('may be in mj-api-secret', async () => {
    const body = { ids: [] }
    for (const authorization of ['', 'midjourney-proxy', 'Bearer midjourney-proxy'])
      expect(
        (await mj('/mj/task/list-by-condition', body, { headers: { authorization, 'mj-api-secret': key } }))
          .body,
      ).toEqual([])
    expect((await mj('/mj-turbo/mj/task/list-by-condition', body)).body).toEqual([])
  })
})
