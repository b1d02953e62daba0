import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type Call, calls } from '../../../packages/api/src/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { type ConsoleForm, consoleForms } from '../../support/other-clients/console-forms.ts'
import {
  type Credential,
  type MemberType,
  type RecordedCall,
  recordedCalls,
} from '../../support/other-clients/recorded-calls.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

/** An array, or an object with the rows in a member. */
interface Listed {
  readonly data?: { readonly items?: unknown; readonly rows?: unknown }
}

let gateway: Tollgate
let upstream: Upstream
let root: Operator
/** Values for `{name}` in recorded calls. */
let values: Readonly<Record<string, string | number>> = {}
let token = ''
const relatedHeaders = ['Veloera-User', 'voapi-user', 'User-id', 'Rix-Api-User', 'neo-api-user']

beforeAll(async () => {
  upstream = await startUpstream()
  upstream.otherwise(respond({ text: 'a short answer', usage: { promptTokens: 20, completionTokens: 10 } }))
  gateway = await startTollgate({ env: consoleWithoutLimits })
  root = await operate(gateway.url)
  for (const [key, value] of [
    ['ServerAddress', gateway.url],
    ['PayAddress', 'https://pay.example'],
    ['EpayId', '1'],
    ['EpayKey', 'the merchant key'],
  ] as const)
    await root.option(key, value)
  const channel = { base_url: upstream.url, models: 'gpt-4o' }
  const spareChannel = await root.addChannel({ ...channel, name: 'spare', status: 2 })
  const { id: channelId } = await root.addChannel({ ...channel, name: 'the channel', tag: 'of-a-client' })
  const spare = await root.addKey({ name: 'spare' })
  const key = await root.addKey({ name: 'the key' })
  const [code = ''] = await root.api<string[]>('POST', '/api/redemption/', {
    name: 'gift',
    count: 1,
    quota: 5,
  })
  const user = { username: 'reader', display_name: 'reader', password: 'a long enough word' }
  await root.api('POST', '/api/user/', user)
  const found = await root.api<{ items: { id: number }[] }>('GET', '/api/user/search?keyword=reader')
  token = await root.api<string>('POST', '/api/user/token')
  const now = Math.floor(Date.now() / 1000)
  values = {
    token: key.id,
    key: key.key,
    spareToken: spare.id,
    channel: channelId,
    spareChannel: spareChannel.id,
    code,
    user: found.items[0]?.id ?? 0,
    upstream: upstream.url,
    from: now - 3600,
    to: now + 3600,
  }
  const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }
  const served = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}` },
    body: JSON.stringify(chat),
  })
  expect(served.status).toBe(200)
  await root.consumption(1)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

/** The text with the gateway's values; a text that is one slot becomes the value itself. */
function filled(value: unknown): unknown {
  if (typeof value === 'string') {
    const whole = /^\{(\w+)\}$/.exec(value)?.[1]
    if (whole !== undefined) return values[whole] ?? value
    return value.replace(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot))
  }
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]))
}

function headersOf(as: Credential): Record<string, string> {
  const authorization = `Bearer ${as === 'key' ? values['key'] : token}`
  const user = String(root.userId)
  switch (as) {
    case 'token':
    case 'key':
      return { authorization }
    case 'token and user':
      return { authorization, 'New-Api-User': user }
    case 'token and related users':
      return {
        authorization,
        'New-API-User': user,
        ...Object.fromEntries(relatedHeaders.map((name) => [name, user])),
      }
    default:
      return {}
  }
}

async function replay({ as, request, body }: RecordedCall): Promise<unknown> {
  const [method = '', target = ''] = request.split(' ')
  const response = await fetch(gateway.url + String(filled(target)), {
    method,
    headers: { ...headersOf(as), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(filled(body)) }),
    redirect: 'manual',
  })
  expect(response.status).toBe(200)
  return await response.json()
}

function memberOf(answer: unknown, path: string): unknown {
  return String(filled(path))
    .split('.')
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], answer)
}

function typeOf(value: unknown): MemberType | string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}

/** The outcome as clients judge it: by `success` where it is there, else by `code` or the message. */
function isAccepted({ success, code, message }: Readonly<Record<string, unknown>>): boolean {
  if (success !== undefined) return success === true
  return code === true || message === undefined || message === 'success'
}

describe('a call of another gateway’s client', () => {
  for (const call of recordedCalls)
    it(`${call.client}, ${call.as}: ${call.request}`, async () => {
      const answer = await replay(call)
      const found = Object.fromEntries(
        Object.keys(call.reads).map((path) => [path, typeOf(memberOf(answer, path))]),
      )
      expect({ answer: isAccepted(answer as never) ? 'accepted' : answer, ...found }).toEqual({
        answer: 'accepted',
        ...call.reads,
      })
    })
})

describe('lists of both forms', () => {
  const channelIds = async (query: string, headers: Record<string, string>) => {
    const { data } = (await (await fetch(`${gateway.url}/api/channel/?${query}`, { headers })).json()) as {
      data: { id: number }[] | { items: { id: number }[] }
    }
    return Array.isArray(data) ? data.map(({ id }) => id) : { items: data.items.map(({ id }) => id) }
  }
  const ofConsole = () => ({ cookie: root.cookie, 'New-Api-User': String(root.userId) })

  it('count from 0 for whoever asks as the console does, by session or by token', async () => {
    for (const headers of [ofConsole(), headersOf('token and user')]) {
      const query = 'page_size=1&id_sort=true&tag_mode=false'
      const [first, second] = [
        await channelIds(`p=0&${query}`, headers),
        await channelIds(`p=1&${query}`, headers),
      ]
      expect([Array.isArray(first), Array.isArray(second)]).toEqual([true, true])
      expect(first).not.toEqual(second)
    }
    expect(await channelIds('p=0&page_size=1', ofConsole())).not.toEqual(
      await channelIds('p=1&page_size=1', ofConsole()),
    )
  })

  it('give every row once, in pages from 1, to the newer programs', async () => {
    const all = (await channelIds('p=1&page_size=100', headersOf('token'))) as { items: number[] }
    const pages: number[] = []
    for (let page = 1; page <= all.items.length; page += 1)
      pages.push(...((await channelIds(`p=${page}&page_size=1`, headersOf('token'))) as typeof all).items)
    expect(pages).toEqual(all.items)
    expect(new Set(pages).size).toBe(pages.length)
  })

  const listCalls: readonly Call[] = Object.values<Readonly<Record<string, Call>>>(calls)
    .flatMap((area) => Object.values(area))
    .filter(
      ({ method, query }) =>
        method === 'GET' && query !== undefined && 'shape' in query && 'p' in Object(query.shape),
    )

  const rowsOf = async ({ path, access, sessionOnly }: Call, size: string) => {
    const headers = sessionOnly ? ofConsole() : headersOf(access === 'relay-key' ? 'key' : 'token')
    const response = await fetch(`${gateway.url}${path}?p=1&${size}=1`, { headers })
    const { data } = (await response.json()) as Listed
    return Array.isArray(data) ? data : (data?.items ?? data?.rows)
  }

  it('call the size of a page by whatever name a program has for it, in every list', async () => {
    expect(listCalls.length).toBeGreaterThan(20)
    for (const call of listCalls)
      for (const size of ['page_size', 'ps', 'size'])
        expect([call.path, size, await rowsOf(call, size)]).toEqual([call.path, size, expect.any(Array)])
    const everybody = listCalls.find(({ path }) => path === '/api/user/')
    for (const size of ['page_size', 'ps', 'size'])
      expect(everybody && (await rowsOf(everybody, size))).toHaveLength(1)
  })
})

describe('a program', () => {
  const paths = ['/api/token/', '/api/token', '/api/user/self', '/api/user/self/', '/api/log/self?p=1']

  it('sends its token in any form, and with or without the header that names its user', async () => {
    const user = String(root.userId)
    const tokens = [token, `Bearer ${token}`, `bearer ${token}`, ` ${token} `]
    for (const path of paths)
      for (const authorization of tokens)
        for (const more of [{}, { 'New-Api-User': user }, { 'new-api-user': user }]) {
          const response = await fetch(gateway.url + path, { headers: { authorization, ...more } })
          expect([path, await response.json()]).toMatchObject([path, { success: true }])
        }
    const headers = { authorization: token, 'New-Api-User': String(root.userId + 1) }
    expect((await fetch(`${gateway.url}/api/user/self`, { headers })).status).toBe(401)
  })

  it('writes a flag as its language does', async () => {
    const id = values['token']
    for (const flag of ['true', 'True', '1']) {
      const path = `/api/token/?status_only=${flag}`
      await root.api('PUT', path, { id, status: 1, name: 'not read' })
      expect((await root.api<{ name: string }>('GET', `/api/token/${id}`)).name).toBe('the key')
    }
  })

  it('may ask from any site with a key, and from no other with a token', async () => {
    const preflight = async (path: string) => {
      const headers = {
        origin: 'chrome-extension://abcdef',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,new-api-user',
      }
      const response = await fetch(gateway.url + path, { method: 'OPTIONS', headers })
      return response.headers.get('access-control-allow-origin')
    }
    for (const path of ['/api/log/token', '/api/usage/token', '/v1/dashboard/billing/usage', '/v1/models'])
      expect([path, await preflight(path)]).toEqual([path, '*'])
    for (const path of paths) expect([path, await preflight(path)]).toEqual([path, null])
  })
})

describe('a body in a member, with a mode beside it', () => {
  const keys = 'sk-several-keys-0001\nsk-several-keys-0002'
  const create = async (mode: string) => {
    const channel = { name: mode, key: keys, models: 'gpt-4o', base_url: upstream.url }
    const envelope: object = await root.call('POST', '/api/channel/', { mode, channel })
    return envelope as { success: boolean; code?: string; ids: number[] }
  }

  it('makes one channel of all keys, or one of each, and refuses a mode that is none', async () => {
    expect((await create('multi_to_single')).ids).toHaveLength(1)
    expect((await create('single')).ids).toHaveLength(1)
    expect((await create('batch')).ids).toHaveLength(2)
    expect(await create('all_at_once')).toMatchObject({ success: false, code: 'invalid_parameter' })
  })
})

/** Figures that change by themselves, and texts that say more than the form knows. */
const ownFigures = new Set(['accessed_time', 'health', 'sole_models'])

describe('the form of another console', () => {
  type Row = Readonly<Record<string, unknown>> & { readonly id: number }

  async function make({ path, list, create }: ConsoleForm): Promise<number> {
    const made = await root.api<Partial<Row>>('POST', path, create)
    if (list === undefined) return made.id ?? 0
    const page = await root.api<{ items: readonly Row[] }>('GET', list)
    return page.items[0]?.id ?? 0
  }

  for (const form of consoleForms)
    it(`${form.console} makes a record, and changes what a person changed in it: ${form.source}`, async () => {
      const id = await make(form)
      const read = () => root.api<Row>('GET', `${form.path}${id}`)
      const before = await read()
      const body = { ...before, ...form.beside, ...form.change }
      const sent = Object.entries(body).filter(([name]) => !form.without?.includes(name))
      const edited = await root.call('PUT', form.path, Object.fromEntries(sent))
      expect([edited.message, edited.success]).toEqual([edited.message, true])
      const after = await read()
      const wanted = { ...before, ...form.change }
      for (const [name, value] of Object.entries(wanted))
        if (!ownFigures.has(name)) expect([name, after[name]]).toEqual([name, value])
    })
})

describe('a member of another console that has an effect there', () => {
  const channel = {
    name: 'refused',
    type: 1,
    key: 'sk-r',
    models: 'm1',
    base_url: 'https://upstream.example',
  }
  const user = { username: 'refused', display_name: '', password: 'a long enough word' }
  const manage = { id: 1, action: 'add_quota', mode: 'add', value: 100 }
  const offKeys = { is_multi_key: true, multi_key_mode: 'polling', multi_key_status_list: { '1': 2 } }
  const cases: readonly (readonly [path: string, body: object, field: string])[] = [
    [
      '/api/channel/',
      { mode: 'single', channel: { ...channel, channel_info: offKeys } },
      'multi_key_status_list',
    ],
    ['/api/channel/', { ...channel, settings: '{"vertex_key_type":"api_key"}' }, 'settings.vertex_key_type'],
    ['/api/channel/', { ...channel, setting: '{"force_stream":true}' }, 'setting.force_stream'],
    ['/api/user/', { ...user, role: 10 }, 'role'],
    ['/api/user/', { ...user, discord_id: '4711' }, 'discord_id'],
    ['/api/user/manage', manage, 'quota_change of PUT /api/user/'],
    ['/api/redemption/', { name: 'r', quota: 5, count: 1, expired_time: 4_000_000_000 }, 'expired_time'],
    ['/api/token/', { name: 'r', remain_quota: 5, cross_group_retry: true }, 'cross_group_retry'],
  ]
  for (const [path, body, field] of cases)
    it(`is refused by name: ${field} of POST ${path}`, async () => {
      const refused = await root.call('POST', path, body)
      expect([refused.success, refused.message]).toEqual([false, expect.stringContaining(field)])
    })
})
