import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type SunoUpstream, startSunoUpstream, sunoToken } from '../../support/tasks/suno.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

const perUnit = 500_000
let gateway: Tollgate
let upstream: SunoUpstream
let operator: Operator
let user: Operator
let key: string
let otherUsersKey: string
let channel: number

beforeAll(async () => {
  upstream = await startSunoUpstream()
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '1' } })
  operator = await operate(gateway.url)
  const added = {
    name: 'suno',
    type: 36,
    base_url: `${upstream.url}/`,
    key: sunoToken,
    models: 'suno_music,suno_lyrics',
  }
  channel = (await operator.addChannel(added)).id
  user = await addUser(gateway, 'singer', 10 * perUnit)
  key = (await user.addKey({ unlimited_quota: true })).key
  const otherUser = await addUser(gateway, 'stranger', 10 * perUnit)
  otherUsersKey = (await otherUser.addKey({ unlimited_quota: true })).key
})

afterAll(async () => {
  const audited = await gateway.run('audit')
  await gateway.stop()
  await upstream.stop()
  expect(audited.code).toBe(0)
})

async function suno(path: string, body?: unknown, as = key) {
  const reply = await fetch(`${gateway.url}/suno/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${as}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: reply.status, body: await reply.json() }
}

const ended = (id: string) =>
  until(async () => {
    const { body } = await suno(`fetch/${id}`)
    return body.data.progress === '100%' ? body.data : undefined
  })

async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = await user.quota()
  await act()
  return Number(((before - (await user.quota())) / perUnit).toFixed(6))
}

describe('a song', () => {
  it('goes from its order to its clips, and is paid for once', async () => {
    const clips = [
      { id: 'e6c8', title: 'Song', audio_url: 'https://cdn.example/e6c8.mp3', metadata: { duration: 120.0 } },
    ]
    const charged = await cost(async () => {
      const { status, body } = await suno('submit/music', '{"prompt":"[Verse]\\nHi", "tags":"pop"}')
      expect([status, body]).toEqual([200, { code: 'success', message: '', data: expect.any(String) }])
      expect(upstream.calls.at(-1)).toMatchObject({
        path: '/suno/submit/MUSIC',
        body: '{"prompt":"[Verse]\\nHi", "tags":"pop","mv":"chirp-v3-0","make_instrumental":false}',
      })
      const id = body.data
      const fresh = (await suno(`fetch/${id}`)).body
      expect(fresh).toEqual({
        code: 'success',
        message: '',
        data: {
          task_id: id,
          action: 'MUSIC',
          status: 'NOT_START',
          fail_reason: '',
          submit_time: expect.any(Number),
          start_time: 0,
          finish_time: 0,
          progress: '0%',
          data: null,
        },
      })
      upstream.tell(id, {
        action: 'MUSIC',
        status: 'SUCCESS',
        start_time: 1716191786,
        finish_time: 1716191997,
        data: clips,
      })
      expect(await ended(id)).toMatchObject({
        status: 'SUCCESS',
        start_time: 1716191786,
        finish_time: 1716191997,
        data: clips,
      })
      const [row] = await operator.api<Record<string, unknown>[]>('GET', `/api/task/?p=0&task_id=${id}`)
      expect(row).toMatchObject({
        platform: 'suno',
        action: 'MUSIC',
        properties: { input: '[Verse]\nHi' },
        data: clips,
      })
    })
    expect(charged).toBe(0.1)
  })

  it('that fails gives back what it cost; its words cost less', async () => {
    const failed = await cost(async () => {
      const id = (await suno('submit/MUSIC', { gpt_description_prompt: 'the sea' })).body.data
      upstream.tell(id, { status: 'FAILURE', fail_reason: 'too long' })
      expect(await ended(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'too long' })
    })
    const row = await until(async () => {
      const { items } = await operator.api<{ items: { content: string; other: string }[] }>(
        'GET',
        '/api/log/?p=1&page_size=50',
      )
      return items.find(({ content }) => content === 'too long')
    })
    expect(JSON.parse(row.other).error).toEqual({ code: 'task_failed', status: 0, reason: 'task_failed' })
    const words = await cost(async () => {
      const id = (await suno('submit/lyrics', { prompt: 'the sea' })).body.data
      const data = { id: 'l1', status: 'complete', title: 'T', text: 'words' }
      upstream.tell(id, { status: 'SUCCESS', data })
      expect((await ended(id)).data).toEqual(data)
    })
    expect([failed, words]).toEqual([0, 0.01])
  })

  it('that goes on from another is ordered where that one is', async () => {
    const { data: origin } = (await suno('submit/music', { prompt: 'a' })).body
    const more = { continue_clip_id: 'c', continue_at: 20.5, task_id: origin }
    expect((await suno('submit/music', more)).body.code).toBe('success')
    const refused = (code: string, message: unknown) => ({ status: 400, body: { code, message, data: null } })
    expect(await suno('submit/music', more, otherUsersKey)).toEqual(
      refused('task_not_exist', 'task_origin_not_exist'),
    )
    await operator.api('PUT', '/api/channel/', { id: channel, status: 2 })
    expect(await suno('submit/music', more)).toEqual(
      refused('task_channel_disable', expect.stringContaining('disabled')),
    )
    await operator.api('PUT', '/api/channel/', { id: channel, status: 1 })
  })
})

describe('a refusal', () => {
  it('says what is wrong, in the shape of the protocol, and costs nothing', async () => {
    const before = upstream.calls.length
    const charged = await cost(async () => {
      const cases: readonly (readonly [string, unknown, string, string])[] = [
        ['submit/dance', {}, 'invalid_request', 'invalid_action'],
        ['submit/lyrics', {}, 'invalid_request', 'prompt_empty'],
        ['submit/music', { continue_clip_id: 'c' }, 'invalid_request', 'task id is empty'],
        ['submit/music', 'x', 'invalid_request', 'the body is not a JSON object, or nests too deep'],
        ['fetch/nobody', undefined, 'task_not_exist', 'task_not_exist'],
        ['fetch', { ids: 'x' }, 'invalid_request', 'ids must be a list of task ids'],
      ]
      for (const [path, body, code, message] of cases)
        expect(await suno(path, body)).toEqual({ status: 400, body: { code, message, data: null } })
    })
    expect([charged, upstream.calls.length]).toEqual([0, before])
  })

  it('of an upstream has its code and message', async () => {
    const charged = await cost(async () => {
      upstream.reply({ body: { code: 'no_credits', message: 'too poor', data: null } })
      // The operator's account is out of credit, which is none of the caller's business.
      expect(await suno('submit/music', {})).toMatchObject({
        status: 503,
        body: { code: 'upstream_unavailable', data: null },
      })
      upstream.reply({ status: 400, body: { code: 'bad', message: 'no such version', data: null } })
      const refused = await suno('submit/music', {})
      expect([refused.status, refused.body.code]).toEqual([400, 'fail_to_fetch_task'])
      expect(refused.body.message).toContain('no such version')
      upstream.reply({ body: 'x' })
      expect(await suno('submit/music', {})).toMatchObject({
        status: 500,
        body: { code: 'unmarshal_response_body_failed' },
      })
    })
    expect(charged).toBe(0)
  })

  it('of keys, paths and balances is one of the protocol, too', async () => {
    const userWithoutQuota = await addUser(gateway, 'poor', 10)
    const { key: keyWithoutQuota } = await userWithoutQuota.addKey({ unlimited_quota: true })
    const stated = async (path: string, body: unknown, as: string) => {
      const reply = await suno(path, body, as)
      return [reply.status, reply.body.code, reply.body.data]
    }
    expect(await stated('submit/music', {}, keyWithoutQuota)).toEqual([403, 'quota_not_enough', null])
    expect(await stated('submit/music', {}, 'sk-wrong')).toEqual([401, 'invalid_api_key', null])
    expect(await stated('nothing', {}, key)).toEqual([404, 'invalid_relay_mode', null])
  })

  it('shows every caller only their own tasks', async () => {
    const { data: id } = (await suno('submit/music', { prompt: 'a' })).body
    expect((await suno(`fetch/${id}`, undefined, otherUsersKey)).status).toBe(400)
    expect((await suno('fetch', { ids: [id] }, otherUsersKey)).body).toEqual({
      code: 'success',
      message: '',
      data: [],
    })
    expect((await suno('fetch', { ids: [id, 'nobody'], action: 'MUSIC' })).body.data).toMatchObject([
      { task_id: id },
    ])
  })
})
