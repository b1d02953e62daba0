import { afterAll, describe, expect, it } from 'bun:test'
import { type Call, post } from '@tollgate/api'
import { z } from 'zod'
import { closeTestStores } from '../../accounts/users/test-support/test-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type ConsoleRoute, route } from './route.ts'
import { consoleFixture } from './test-support/console-fixture.ts'
import { kindCall, kindRoutes, sampleKindRoutes, signed, verify } from './test-support/kind-routes.ts'

afterAll(closeTestStores)

const routes = [...kindRoutes, ...sampleKindRoutes]
const fixture = () => consoleFixture({ routes })

describe('a call that answers with content of its own', () => {
  it.each([
    ['text', 'text/plain; charset=utf-8', 'done'],
    ['page', 'text/html; charset=utf-8', '<p>done</p>'],
    ['bytes', 'application/octet-stream', 'done'],
    ['stream', 'text/csv', 'done'],
  ])('sends %s as %s', async (kind, contentType, body) => {
    const { raw } = await fixture()
    const response = await raw('GET', `/api/kind/public/${kind}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe(body)
  })

  it('names the file that a browser should save, whatever characters its name has', async () => {
    const { raw } = await fixture()
    const response = await raw('POST', '/api/sample/upload', { body: new Uint8Array([0, 255, 1]) })
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="a____.png"; filename*=UTF-8''a%20%22%C3%BC%22.png`,
    )
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 1]))
  })

  it('sends people to a page of this site, or to another that the handler names', async () => {
    const { raw } = await fixture()
    const to = async (query: string) => {
      const { status, headers } = await raw('GET', `/api/sample/redirect?${query}`)
      return [status, headers.get('location')]
    }
    expect(await to('to=/console?a=b')).toEqual([302, '/console?a=b'])
    expect(await to('to=https://pay.example/cashier&origins=https://pay.example')).toEqual([
      302,
      'https://pay.example/cashier',
    ])
    expect(await to('to=//evil.example')).toEqual([302, '/login?error=internal_error'])
    expect(await to('to=https://evil.example/&origins=https://pay.example')).toEqual([
      302,
      '/login?error=internal_error',
    ])
  })
})

describe('a refusal of such a call', () => {
  async function refused(kind: 'redirect' | 'text' | 'bytes' | 'stream' | 'page', error: Error) {
    const failing: ConsoleRoute = {
      call: kindCall('public', kind),
      handle: () => Promise.reject(error),
    }
    const { raw } = await consoleFixture({ routes: [failing] })
    const response = await raw('GET', failing.call.path, { headers: { 'accept-language': 'zh' } })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }

  it.each(['text', 'bytes', 'stream', 'page', 'redirect'] as const)(
    'is plain text with a status that programs understand: %s',
    async (kind) => {
      const type = 'text/plain; charset=utf-8'
      expect(await refused(kind, new Refusal('record_not_found'))).toEqual({
        status: 404,
        type,
        text: '记录不存在',
      })
      expect((await refused(kind, new Refusal('username_taken'))).status).toBe(400)
      const fault = await refused(kind, new Error('secret detail'))
      expect(fault).toMatchObject({ status: 500, type })
      expect(fault.text).not.toContain('secret')
    },
  )

  it('leads to the page that a redirecting call names, with its code', async () => {
    const { raw } = await fixture()
    const { status, headers } = await raw('GET', '/api/sample/redirect')
    expect([status, headers.get('location')]).toEqual([302, '/login?error=invalid_parameter'])
  })
})

describe('a call of the wallet', () => {
  const amount = post('user', '/api/sample/amount', {
    recentProof: 'reads',
    response: 'wallet',
    body: z.object({ amount: z.number() }),
    data: z.string(),
    extra: z.object({ url: z.string() }),
  })
  const refusing = { ...amount, path: '/api/sample/refused' } as const

  it('says success or error, with the answer or the sentence as its data', async () => {
    const { send, createUser, loggedIn } = await consoleFixture({
      routes: [
        route(amount, async ({ body }) => ({ data: `${body.amount}.00`, extra: { url: '/pay' } })),
        route(refusing, async () => {
          throw new Refusal('record_not_found')
        }),
      ],
    })
    const headers = await loggedIn(await createUser())
    const done = await send('POST', '/api/sample/amount', { headers, body: { amount: 7 } })
    const response: unknown = done.envelope
    expect(response).toEqual({ message: 'success', data: '7.00', url: '/pay' })
    const refused = await send('POST', '/api/sample/refused', { headers, body: { amount: 7 } })
    const refusal: unknown = refused.envelope
    expect([refused.status, refusal]).toEqual([
      200,
      { message: 'error', data: 'Record not found', code: 'record_not_found' },
    ])
    const wrong = await send('POST', '/api/sample/amount', { headers, body: { amount: 'many' } })
    expect(wrong.envelope).toMatchObject({ message: 'error', data: 'Invalid parameter: amount (number)' })
    const stranger = await send('POST', '/api/sample/amount', { body: { amount: 7 } })
    expect(stranger).toMatchObject({ status: 401, envelope: { success: false, message: 'error' } })
  })
})

describe('a form', () => {
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const { send } = await fixture()
    return (await send('POST', '/api/sample/form', { body, headers })).envelope
  }
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }

  it('is read urlencoded and multipart', async () => {
    expect((await post('a=1&b=%E4%B8%AD+%26', urlencoded)).data).toEqual({ a: '1', b: '中 &' })
    const multipart = new FormData()
    multipart.set('a', '1')
    multipart.set('b', '中 &\r\n--')
    expect((await post(multipart)).data).toEqual({ a: '1', b: '中 &\r\n--' })
    expect((await post('', urlencoded)).data).toEqual({})
  })

  it('has each field once and no files, or is refused by the name of the field', async () => {
    expect((await post('a=1&b=2&a=3', urlencoded)).message).toContain('a (once)')
    const withFile = new FormData()
    withFile.set('picture', new Blob(['x']), 'x.png')
    expect((await post(withFile)).message).toContain('picture (text)')
  })

  it('is refused when it is none, or has too many fields', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => `f${index}=`).join('&')
    for (const [body, type] of [
      ['{"a":1}', 'application/json'],
      ['a=1', 'text/plain'],
      ['not multipart', 'multipart/form-data; boundary=x'],
      ['not multipart', 'multipart/form-data'],
      [many, 'application/x-www-form-urlencoded'],
    ] as const) {
      expect((await post(body, { 'content-type': type })).message).toContain('body (form)')
    }
  })
})

describe('a raw body', () => {
  it('is refused beyond the limit of its call', async () => {
    const { raw } = await fixture()
    expect((await raw('POST', '/api/sample/upload', { body: new Uint8Array(10) })).status).toBe(200)
    expect((await raw('POST', '/api/sample/upload', { body: new Uint8Array(11) })).status).toBe(413)
  })
})

describe('a call that a signature opens', () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'order=7&money=2.5'

  it('is answered when the signature is over exactly these bytes', async () => {
    const { raw } = await fixture()
    const post = (path: string, sent: string, headers: Record<string, string>) =>
      raw('POST', path, { body: sent, headers: { ...type, ...headers } })
    const right = await post('/api/sample/notify', body, signed(body))
    expect([right.status, await right.text()]).toEqual([200, 'success'])
    const bytes = await post('/api/sample/webhook', body, signed(body))
    expect([bytes.status, await bytes.text()]).toEqual([200, '17 bytes'])
    for (const headers of [{}, signed(`${body} `), { 'x-signature': '' }]) {
      const wrong = await post('/api/sample/notify', body, headers)
      expect([wrong.status, await wrong.text()]).toEqual([401, 'The signature of the request is invalid'])
    }
  })

  it('looks at what was signed before it looks at what it says', async () => {
    const { raw } = await fixture()
    const wrong = await raw('POST', '/api/sample/notify', { body: 'order=7&money=-1', headers: type })
    expect(wrong.status).toBe(401)
    const right = await raw('POST', '/api/sample/notify', {
      body: 'order=7&money=-1',
      headers: { ...type, ...signed('order=7&money=-1') },
    })
    expect(right.status).toBe(400)
  })

  it('is never told to wait for what is signed rightly, and counted by its address for what is not', async () => {
    const { raw } = await consoleFixture({ routes, limits: { GLOBAL_API_RATE_LIMIT: 3 } })
    const statuses = async (headers: Record<string, string>, times: number) => {
      const seen: number[] = []
      for (let sent = 0; sent < times; sent += 1)
        seen.push(
          (await raw('POST', '/api/sample/notify', { body, headers: { ...type, ...headers } })).status,
        )
      return seen
    }
    expect(await statuses(signed(body), 5)).toEqual([200, 200, 200, 200, 200])
    expect(await statuses({}, 4)).toEqual([401, 401, 401, 429])
    expect(await statuses(signed(body), 1)).toEqual([200])
  })

  it('takes no notice of sessions, and asks no database for them', async () => {
    const { raw, store, loggedIn, createUser } = await fixture()
    const session = await loggedIn(await createUser({ role: 'root' }))
    store.sessions.find = () => Promise.reject(new Error('connection refused'))
    const wrong = await raw('POST', '/api/sample/notify', { body, headers: { ...type, ...session } })
    expect(wrong.status).toBe(401)
    const right = await raw('POST', '/api/sample/notify', {
      body,
      headers: { ...type, ...session, ...signed(body), origin: 'https://pay.example' },
    })
    expect(right.status).toBe(200)
  })

  it('cannot be mounted without a verifier, nor another with one', async () => {
    const { call, handle } = kindRoutes.find((each) => each.verify !== undefined) ?? ({} as ConsoleRoute)
    await expect(consoleFixture({ routes: [{ call, handle }] })).rejects.toThrow('needs a verifier')
    const open = { call: kindCall('public', 'text'), handle, verify }
    await expect(consoleFixture({ routes: [open] })).rejects.toThrow('needs a verifier')
  })
})

describe('a call that a relay key opens', () => {
  it('knows the key and its owner, wherever the key is put', async () => {
    const { send, createUser, createKey } = await fixture()
    const owner = await createUser({ group: 'vip' })
    const key = await createKey(owner)
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: key },
      { 'x-api-key': key },
    ]) {
      const { envelope } = await send('GET', '/api/sample/key', { headers })
      expect(envelope.data).toEqual({ token: 'laptop', owner: owner.username, group: 'vip' })
    }
  })

  it('refuses keys that a relayed call would refuse', async () => {
    const { send, createUser, createKey, store, bus } = await fixture()
    const owner = await createUser()
    const ask = async (key?: string) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const { status, envelope } = await send('GET', '/api/sample/key', { headers })
      return [status, envelope.code]
    }
    expect(await ask()).toEqual([401, 'relay_key_invalid'])
    expect(await ask(`sk-${'z'.repeat(48)}`)).toEqual([401, 'relay_key_invalid'])
    const elsewhere = await createKey(owner, { allow_ips: '10.0.0.0/8' })
    expect(await ask(elsewhere)).toEqual([403, 'relay_key_not_allowed'])
    const key = await createKey(owner)
    await store.users.update(owner.id, { status: 'banned' })
    bus.publish('user-changed', { id: owner.id })
    expect(await ask(key)).toEqual([403, 'relay_key_not_allowed'])
  })

  it('is open to programs in browsers of any site', async () => {
    const { raw, createUser, createKey } = await fixture()
    const key = await createKey(await createUser())
    const origin = 'https://app.example'
    const preflight = await raw('OPTIONS', '/api/sample/key', {
      headers: { origin, 'access-control-request-headers': 'authorization' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
    const response = await raw('GET', '/api/sample/key', {
      headers: { origin, authorization: `Bearer ${key}` },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const other = await raw('GET', '/api/kind/public/text', { headers: { origin } })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })
})

it('has types that keep a handler to the kind of its call', () => {
  const text = { method: 'GET', path: '/api/a', access: 'public', response: 'text' } as const
  // @ts-expect-error a text call has no envelope
  route(text, async () => ({ data: 'a' }))
  // @ts-expect-error a signature needs a verifier
  route({ ...text, access: 'signature' }, async () => ({ text: 'a' }))
  // @ts-expect-error a public call may have no caller
  route(text, async (_, { caller }) => ({ text: caller.username }))
  // @ts-expect-error another site has to be allowed
  route({ ...text, response: 'redirect' }, async () => ({ location: 'https://other.example/' }))
  // @ts-expect-error raw bodies have a limit
  const unlimited: Call = { ...text, accepts: 'raw' }
  // @ts-expect-error only an envelope has data
  const withData: Call = { ...text, data: z.string() }
  expect([unlimited, withData]).toBeArray()
})
