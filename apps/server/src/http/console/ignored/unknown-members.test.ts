import { describe, expect, it } from 'bun:test'
import {
  type Call,
  calls,
  channelSettingMembers,
  foreignMembers,
  specifiedCalls,
  specifiedParameters,
} from '@tollgate/api'
import { z } from 'zod'
import { parseChannelSetting } from '../../../channels/routing/channel-fields.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { readableQuery } from './foreign-query.ts'
import { withTextsOfLists } from './lists-beside-texts.ts'
import { ignoredMembers, warningOf } from './unknown-members.ts'

const contract = Object.values(calls).flatMap((group): Call[] => Object.values(group))
const withBody = contract.flatMap((call) => {
  const body = call.body
  return body === undefined ? [] : [{ name: `${call.method} ${call.path}`, call, body }]
})
/** Maps of the caller's own names. */
const isOpen = (body: z.ZodType) =>
  !(body instanceof z.ZodObject) ||
  (body.def.catchall !== undefined && !(body.def.catchall instanceof z.ZodNever))
const callAt = (method: string, path: string) => {
  const same = (other: string) => other.replace(/\/$/, '') === path.replace(/\/$/, '')
  const found = withBody.find(({ call }) => call.method === method && same(call.path))
  if (found === undefined) throw new Error(`no call ${method} ${path}`)
  return found
}
const shapeOf = (method: string, resource: string): ReadonlySet<string> => {
  const { body } = callAt(method, `/api/${resource}/`)
  return new Set(body instanceof z.ZodObject ? Object.keys(body.shape) : [])
}
/** A body with one member, by its path: what is below another stands in a text of JSON. */
const bodyWith = (path: string, value: unknown): object => {
  const [name = '', ...below] = path.split('.')
  return { [name]: below.length === 0 ? value : JSON.stringify({ [below.join('.')]: value }) }
}
const ignoredBy = (method: string, path: string, sent: object) => {
  const { call, body } = callAt(method, path)
  return ignoredMembers(call, body, sent)
}

describe('a member that a call does not know', () => {
  it.each(withBody.filter(({ body }) => !isOpen(body)))('is named by $name', ({ call, body }) => {
    expect(ignoredMembers(call, body, { zz_unknown: 'its value' })).toEqual(['zz_unknown'])
  })

  it('is named where it lies: in a list, below a member, in a text of JSON', () => {
    expect(ignoredBy('PUT', '/api/option/batch', { options: [{ key: 'a', value: 'b', zz: 1 }] })).toEqual([
      'options[].zz',
    ])
    expect(
      ignoredBy('POST', '/api/channel/batch/update', { ids: [1], models: { mode: 'add', names: '', zz: 1 } }),
    ).toEqual(['models.zz'])
    expect(ignoredBy('POST', '/api/channel/', { setting: '{"proxy":"","proxi":"socks5://a"}' })).toEqual([
      'setting.proxi',
    ])
  })

  it('is named in plain characters alone, and within bounds', () => {
    const many = Array.from({ length: 40 }, (_, index) => `field${index}`)
    const warning = warningOf('fields', ['a', '名', 'b\r\nset-cookie: c', ...many])
    expect(warning).toMatch(/^fields: a, field0, .*field30, 11 more$/)
  })
})

describe('what consoles of the specification send', () => {
  const sent = specifiedCalls().filter(({ body }) => body.length > 0)

  it.each(sent)('is known: $method $path', ({ method, path, body }) => {
    const members = Object.fromEntries(body.map((name) => [name, 'x']))
    expect(ignoredBy(method, path.replace(/\{(\w+)\}/g, ':$1'), members)).toEqual([])
  })

  it('may be a record as it was read, with figures that nobody sets', () => {
    const channel = { id: 1, created_time: 5, used_quota: 7, balance: 1.5, test_time: 9, response_time: 3 }
    expect(ignoredBy('PUT', '/api/channel/', { ...channel, other_info: '{}' })).toEqual([])
    const token = { id: 1, key: 'k', user_id: 2, used_quota: 3, created_time: 4, accessed_time: 5 }
    expect(ignoredBy('PUT', '/api/token/', token)).toEqual([])
    const code = { id: 1, user_id: 2, key: 'k', created_time: 3, redeemed_time: 0, used_user_id: 0, count: 0 }
    expect(ignoredBy('PUT', '/api/redemption/', code)).toEqual([])
    const user = { id: 1, used_quota: 2, request_count: 3, aff_count: 0, aff_quota: 0, aff_history_quota: 0 }
    expect(ignoredBy('PUT', '/api/user/', { ...user, setting: '', DeletedAt: null })).toEqual([])
  })

  it('is named where a new record would have it and has it not', () => {
    expect(ignoredBy('POST', '/api/user/', { username: 'a', role: 1, status: 1, aff_count: 0 })).toEqual([
      'status',
    ])
  })
})

describe('a member of other consoles that has an effect there', () => {
  const code = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      return error instanceof Refusal ? [error.code, error.details['field']] : error
    }
  }

  const members = Object.entries(foreignMembers).flatMap(([resource, known]) =>
    Object.entries(known).flatMap(([name, { to, same = [] }]) =>
      (['POST', 'PUT'] as const)
        // Fields that the call has are judged by it.
        .filter((method) => !shapeOf(method, resource).has(name))
        .map((method) => ({ method, resource, name, to, same })),
    ),
  )

  it.each(members)('is refused by name: $method $resource $name', ({ method, resource, name, to, same }) => {
    const path = `/api/${resource}/`
    const refusal = to === null ? 'field_not_supported' : 'field_written_elsewhere'
    expect(code(() => ignoredBy(method, path, bodyWith(name, 'something')))).toEqual([refusal, name])
    for (const empty of [null, '', 0, false, '{}', {}, ...same])
      expect(ignoredBy(method, path, bodyWith(name, empty))).toEqual([])
  })

  it('is named where nothing has it and nobody set it by hand', () => {
    const state = { upstream_model_update_last_check_time: 5, upstream_model_update_ignored_models: [] }
    expect(ignoredBy('PUT', '/api/channel/', { settings: JSON.stringify(state) })).toEqual([
      'settings.upstream_model_update_last_check_time',
    ])
  })

  it('is every member that a channel’s setting is read for', () => {
    const read = new Set<string>()
    const spy = new Proxy(
      {},
      {
        get: (_, name) => {
          read.add(String(name))
          return undefined
        },
      },
    )
    const original = JSON.parse
    JSON.parse = () => spy
    try {
      parseChannelSetting('{}')
    } finally {
      JSON.parse = original
    }
    expect([...read].toSorted()).toEqual(channelSettingMembers.toSorted())
  })
})

/** Parameters of calls of the specification that the specification does not have. */
const ownParameters = contract.flatMap((call) => {
  const specified = specifiedParameters(call.method, call.path)
  const { query } = call
  if (specified === undefined || !(query instanceof z.ZodObject)) return []
  const names = Object.keys(query.shape).filter((name) => !specified.includes(name))
  return names.map((name) => ({ name: `${call.method} ${call.path} ${name}`, call, query, parameter: name }))
})

describe('a list beside its text', () => {
  const read = (sent: object) => {
    const { call, body } = callAt('PUT', '/api/channel/')
    return withTextsOfLists(call, body, sent)
  }

  it('is the text where there is none, and says the same where there is one', () => {
    expect(read({ id: 1, groups: ['vip', 'svip'] })).toEqual({ id: 1, group: 'vip,svip' })
    expect(read({ groups: ['vip', 'svip'], group: 'svip, vip' })).toEqual({ group: 'svip, vip' })
    expect(read({ id: 1, groups: [] })).toEqual({ id: 1 })
    expect(read({ groups: 'vip' })).toEqual({ groups: 'vip' })
  })

  it('is refused where it says something else', () => {
    expect(() => read({ groups: ['vip'], group: 'default' })).toThrow('groups is named group here')
  })

  it('stays where the call itself has it', () => {
    const { call, body } = callAt('PUT', '/api/channel/tag')
    expect(withTextsOfLists(call, body, { groups: ['a'] })).toEqual({ groups: ['a'] })
  })
})

describe('a value that cannot be read', () => {
  it.each(ownParameters)('refuses no call of the specification: $name', ({ call, query, parameter }) => {
    for (const value of ['-id', 'all', 'Asia/Kolkata', '{}', 'x'.repeat(600)]) {
      const readable = readableQuery(call, query, { [parameter]: value })
      expect(query.safeParse(readable).success).toBe(true)
    }
  })

  it('is refused in a parameter of the specification', () => {
    const { query } = calls.channels.search
    expect(readableQuery(calls.channels.search, query, { keyword: 'x'.repeat(600) })).toHaveProperty(
      'keyword',
    )
  })
})
