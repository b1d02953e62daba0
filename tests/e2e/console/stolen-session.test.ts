import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { settingCatalogue } from '../../../packages/api/src/settings/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser } from '../../support/add-user.ts'
import { contentsOf } from '../../support/console/database-contents.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { logIn, type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let upstream: Upstream
/** Root's session as a thief has it: its owner proved nothing for a long time. */
let thief: Operator
let accomplice: Operator
let banned: number
let channelId: number
let changeOfMail: number

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { ...consoleWithoutLimits, TRUSTED_PROXIES: '127.0.0.1' } })
  const root = await operate(gateway.url)
  accomplice = await addUser(gateway, 'accomplice', 0)
  banned = (await logIn(gateway.url, await addAdministrator(gateway, 'former'))).userId
  await root.api('POST', '/api/user/manage', { id: banned, action: 'disable' })
  channelId = (await root.addChannel({ name: 'one', base_url: upstream.url, models: 'm' })).id
  await root.option('SMTPServer', 'mail.example.com')
  await root.option('SMTPServer', 'mail.example.org')
  const { items } = await root.api<{ items: { id: number; target_name: string }[] }>('GET', '/api/audit_log/')
  changeOfMail = items.find(({ target_name }) => target_name === 'SMTPServer')?.id ?? 0
  await expireRecentProofs(gateway)
  thief = root
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

const code = async (method: string, path: string, body?: unknown) =>
  (await thief.call(method, path, body)).code ?? 'done'

describe('a stolen session of root whose owner proved nothing lately', () => {
  it('is asked for a proof on every road to root for good', async () => {
    const evil = 'https://evil.example'
    const roads: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      // An account of one's own becomes an administrator, or one that was banned comes back.
      ['POST', '/api/user/manage', { id: accomplice.userId, action: 'promote' }],
      ['POST', '/api/user/manage/batch', { ids: [accomplice.userId], action: 'promote' }],
      ['POST', '/api/user/manage', { id: banned, action: 'enable' }],
      ['PUT', `/api/user/${accomplice.userId}/parts`, { parts: ['money-options'] }],
      ['POST', `/api/user/${accomplice.userId}/root`],
      ['POST', `/api/user/${accomplice.userId}/merge`, { from: banned }],
      ['PUT', '/api/user/', { id: thief.userId, password: 'a password of the thief' }],
      ['PUT', '/api/user/self', { password: 'a password of the thief' }],
      ['DELETE', `/api/user/${thief.userId}/2fa`],
      // Programs, and other ways to log in.
      ['POST', '/api/user/token'],
      ['GET', '/api/user/token'],
      ['POST', '/api/user/self/access_tokens', { name: 'mine' }],
      ['POST', '/api/user/self/passkeys/options'],
      ['POST', '/api/user/self/2fa/begin'],
      ['GET', '/api/oauth/email/bind?email=thief@evil.example&code=123456'],
      // Mail and links of a reset go elsewhere; a provider of one's own says who logs in.
      ['PUT', '/api/option/', { key: 'ServerAddress', value: evil }],
      ['PUT', '/api/option/', { key: 'SMTPServer', value: 'evil.example' }],
      ['PUT', '/api/option/batch', { options: [{ key: 'oidc.well_known', value: evil }] }],
      // One guarded option among others is enough.
      [
        'PUT',
        '/api/option/batch',
        {
          options: [
            { key: 'Notice', value: 'Hello' },
            { key: 'TelegramBotToken', value: '1:evil' },
          ],
        },
      ],
      ['PUT', '/api/option/', { key: 'AdminSecondFactorRequired', clear: true }],
      ['POST', `/api/audit_log/${changeOfMail}/revert`],
      // Keys of the upstreams: shown, or sent to a server of one's own.
      ['POST', `/api/channel/${channelId}/key`],
      ['PUT', '/api/channel/', { id: channelId, base_url: evil }],
      ['POST', '/api/channel/test', { id: channelId, base_url: evil }],
      ['POST', '/api/channel/fetch_models', { id: channelId, base_url: evil }],
      ['POST', '/api/channel/batch/update', { ids: [channelId], proxy: 'http://evil.example:8080' }],
    ]
    // Sessions note their last call, and failed tries of secrets are counted.
    const noted = ['sessions', 'one_time_secrets']
    const before = contentsOf(gateway.dataDir, noted)
    for (const [method, path, body] of roads)
      expect([method, path, body, await code(method, path, body)]).toEqual([
        method,
        path,
        body,
        'recent_proof_required',
      ])
    expect(contentsOf(gateway.dataDir, noted)).toEqual(before)
  })

  it('is asked for every option that carries an account, and for no other', async () => {
    for (const [key, { recentProof, control }] of Object.entries(settingCatalogue)) {
      if (control.kind === 'secret') expect([key, recentProof]).toEqual([key, true])
      // A body without a value changes nothing.
      const expected = recentProof === true ? 'recent_proof_required' : 'done'
      expect([key, await code('PUT', '/api/option/', { key })]).toEqual([key, expected])
      expect([key, await code('PUT', '/api/option/batch', { options: [{ key }] })]).toEqual([key, expected])
    }
  })

  it('still runs the gateway, and with a proof does all of it', async () => {
    expect(await code('PUT', '/api/option/', { key: 'Notice', value: 'Hello' })).toBe('done')
    expect(await code('PUT', '/api/channel/', { id: channelId, priority: 3 })).toBe('done')
    expect(await code('PUT', '/api/channel/', { id: channelId, base_url: upstream.url })).toBe('done')
    expect(
      await code('PUT', '/api/channel/', { id: channelId, base_url: `${upstream.url}/v`, key: 'new' }),
    ).toBe('done')
    expect(await code('POST', '/api/user/manage', { id: accomplice.userId, action: 'disable' })).toBe('done')
    expect(await code('POST', '/api/user/self/proof/password', { password: rootAccount.password })).toBe(
      'done',
    )
    expect(await code('POST', '/api/user/manage', { id: accomplice.userId, action: 'enable' })).toBe('done')
    expect(await code('PUT', '/api/option/', { key: 'ServerAddress', value: 'https://own.example' })).toBe(
      'done',
    )
    expect(await code('POST', `/api/channel/${channelId}/key`)).toBe('done')
    expect(await code('PUT', '/api/channel/', { id: channelId, base_url: upstream.url })).toBe('done')
    expect(await code('POST', `/api/audit_log/${changeOfMail}/revert`)).toBe('done')
  })
})
