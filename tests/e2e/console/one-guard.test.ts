import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser } from '../../support/add-user.ts'
import { withDatabase } from '../../support/console/people.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

const inside = '192.0.2.7'
const outside = '198.51.100.7'

let gateway: Tollgate
let root: Operator
let admin: Operator
let ann: Operator

beforeAll(async () => {
  gateway = await startTollgate({ env: { ...consoleWithoutLimits, TRUSTED_PROXIES: '127.0.0.1' } })
  root = await operate(gateway.url)
  ann = await addUser(gateway, 'ann', 1000)
  admin = await logIn(gateway.url, await addAdministrator(gateway, 'ada'))
})
afterAll(() => gateway?.stop())

/** Every path that a session opens beside the console's calls. */
const doors: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/pg/chat/completions', { model: 'm', messages: [] }],
  ['POST', '/pg/replay', { request_id: 'none', channel: 1 }],
  ['POST', '/pg/mj/submit/imagine', { prompt: 'p' }],
  ['POST', '/pg/suno/submit/music', { prompt: 'p' }],
  ['POST', '/pg/v1/videos', { model: 'm', prompt: 'p' }],
  ['GET', '/pg/v1/videos/video_1/content'],
]

/** The sentences of refusals, which every dialect of an error has. */
const sentences = {
  admin_address_not_allowed: 'Administrators cannot log in or work from',
  admin_second_factor_required: 'Administrators need two-factor authentication here',
  'only-administrators': 'Only administrators can replay calls',
} as const

async function refusalOf(who: Operator, from: string, [method, path, body]: (typeof doors)[number]) {
  const response = await fetch(gateway.url + path, {
    method,
    headers: { cookie: who.cookie, 'new-api-user': String(who.userId), 'x-forwarded-for': from },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return Object.entries(sentences).find(([, sentence]) => text.includes(sentence))?.[0] ?? 'another'
}

describe('the guard of the console', () => {
  it('keeps administrators outside of their ranges from every door that a session opens', async () => {
    await withOption('AdminAllowedRanges', `127.0.0.1\n${inside}`, async () => {
      for (const door of doors) {
        expect([door[1], await refusalOf(admin, outside, door)]).toEqual([
          door[1],
          'admin_address_not_allowed',
        ])
        expect([door[1], await refusalOf(root, outside, door)]).toEqual([
          door[1],
          'admin_address_not_allowed',
        ])
        expect(await refusalOf(admin, inside, door)).not.toBe('admin_address_not_allowed')
        expect(await refusalOf(ann, outside, door)).not.toBe('admin_address_not_allowed')
      }
      // A public call serves them as a visitor, and binds no identity to their account.
      expect(await refusalOf(admin, outside, ['GET', '/api/status'])).toBe('another')
      expect(await refusalOf(admin, outside, ['POST', '/api/oauth/github', { code: 'c', state: 's' }])).toBe(
        'admin_address_not_allowed',
      )
    })
  })

  it('lets no administrator lead a channel into a private network, however its address is written', async () => {
    const hosts = [
      '127.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::10.0.0.1]',
      '[2002:7f00:1::]',
      '[4000::1]',
      '[3fff::1]',
    ]
    for (const host of hosts) {
      const base_url = `http://${host}:9`
      const fields = { name: host, type: 1, key: 'sk', base_url, models: 'm', group: 'default' }
      const { code } = await admin.call('POST', '/api/channel/', fields)
      expect([host, code]).toEqual([host, 'channel_address_forbidden'])
    }
  })

  it('asks of administrators the second factor for what only administrators may', async () => {
    const replay = ['POST', '/pg/replay', { request_id: 'none', channel: 1 }] as const
    const video = ['GET', '/pg/v1/videos/video_of_ann/content'] as const
    withDatabase(gateway.dataDir, (database) =>
      database.run(
        `insert into tasks (platform, action, upstream_id, user_id, token_id, channel_id, "group", model, hold_id, quota,
          status, progress, submitted_ms, started_ms, finished_ms, updated_ms, prompt, fail_reason, result, properties,
          reference, upstream_model, key_hash, charge)
        values ('video', 'generate', 'video_of_ann', ?, 0, 1, 'default', 'm', '', 0, 'SUCCESS', 100, 1, 1, 1, 1, '', '',
          '{}', '{}', '', 'm', '', '')`,
        [ann.userId],
      ),
    )
    expect(await refusalOf(admin, inside, replay)).not.toBe('admin_second_factor_required')
    setOption('AdminSecondFactorRequired', 'true')
    await gateway.restart()
    expect(await refusalOf(admin, inside, replay)).toBe('admin_second_factor_required')
    expect(await refusalOf(admin, inside, video)).toBe('admin_second_factor_required')
    expect(await refusalOf(ann, inside, video)).not.toBe('admin_second_factor_required')
    expect(await refusalOf(ann, inside, replay)).toBe('only-administrators')
  })
})

describe('the source', () => {
  const readers = /readSessionCookie\(|\bsessions\.find\(|\baccessTokens\.find\(|\bguard\.identify\(/

  it('reads sessions and access tokens in the guard, and asks it at two edges', () => {
    // Those who write what opens an account look at its session again.
    const folder = join(import.meta.dir, '../../../apps/server/src')
    const found = (readdirSync(folder, { recursive: true }) as string[])
      .filter(
        (path) =>
          /\.ts$/.test(path) &&
          !/\.test\.ts$|test-support|^store\/|^accounts\/users\/login\/(credentials|sessions)\.ts$/.test(
            path,
          ),
      )
      .filter((path) => readers.test(readFileSync(join(folder, path), 'utf8')))
    expect(found.toSorted()).toEqual([
      'http/callers/guard.ts',
      'http/callers/session-cookie.ts',
      'http/console/request-context.ts',
      'http/console/serve-call.ts',
      'http/relay/playground-door.ts',
    ])
  })
})

async function withOption(key: string, value: string, act: () => Promise<void>): Promise<void> {
  await root.option(key, value)
  await act()
  await root.api('PUT', '/api/option/', { key, clear: true })
}

/** The one who switches it on needs a second factor, which is not what this is about. */
function setOption(key: string, value: string): void {
  withDatabase(gateway.dataDir, (database) =>
    database.run('insert or replace into options (key, value) values (?, ?)', [key, value]),
  )
}
