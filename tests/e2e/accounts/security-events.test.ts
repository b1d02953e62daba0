import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createHmac } from 'node:crypto'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { canMakeCertificates } from '../../support/network/certificate.ts'
import { type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/services/webhook-receiver.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const secret = 'shared with the operator’s receiver'
/** Decides to skip the suite; the build server must have what the test needs. */
const cannot = !canMakeCertificates() && process.env['CI'] !== 'true'

interface Page {
  readonly total: number
  readonly items: readonly { readonly kind: string; readonly username: string; readonly address: string }[]
}

describe.skipIf(cannot)('security events', () => {
  let receiver: WebhookReceiver
  let gateway: Tollgate
  let root: Operator

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    gateway = await startTollgate({
      env: {
        CRITICAL_RATE_LIMIT: '1000',
        TRUSTED_PROXIES: '127.0.0.1',
        NODE_EXTRA_CA_CERTS: receiver.authority,
      },
    })
    root = await operate(gateway.url)
    await root.option('OutboundAllowedRanges', '127.0.0.0/8')
  })
  afterAll(async () => {
    await gateway?.stop()
    await receiver?.stop()
  })

  const logIn = (username: string, password: string, from = '192.0.2.7') =>
    fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, 'user-agent': 'Firefox/1' },
      body: JSON.stringify({ username, password }),
    })
  const kinds = async (query: string) =>
    (await root.api<Page>('GET', `/api/security_event/?${query}`)).items.map(({ kind }) => kind)

  it('reach the operator’s receiver, signed, with the address of the client', async () => {
    await root.api('PUT', '/api/option/batch', {
      options: [
        { key: 'SecurityWebhookSecret', value: secret },
        { key: 'SecurityWebhookUrl', value: `${receiver.url}/security` },
      ],
    })
    await addUser(gateway, 'ann', 0)
    await logIn('ann', 'a wrong password')
    const received = await until(() =>
      receiver.received.find(({ body }) => JSON.parse(body).kind === 'login-failed'),
    )
    expect(received.path).toBe('/security')
    expect(JSON.parse(received.body)).toMatchObject({
      type: 'security-event',
      username: 'ann',
      detail: 'password',
      address: '192.0.2.7',
      user_agent: 'Firefox/1',
    })
    const signature = createHmac('sha256', secret).update(received.body).digest('hex')
    expect(received.headers['x-webhook-signature']).toBe(signature)
    expect(received.body).not.toContain('a wrong password')
  })

  it('outlive a receiver that fails, a restart and the account itself', async () => {
    await root.option('SecurityWebhookUrl', 'https://127.0.0.1:9/closed')
    const ben = await addUser(gateway, 'ben', 0)
    await ben.api('DELETE', '/api/user/self')
    await gateway.restart()
    root = await operate(gateway.url)
    expect(await kinds('username=ben')).toContain('login')
    await root.option('SecurityWebhookUrl', '')
  })

  it('name the administrator who changed another account', async () => {
    const cyd = await addUser(gateway, 'cyd', 0)
    await root.api('PUT', '/api/user/', { id: cyd.userId, password: 'a-new-long-password' })
    const { items } = await root.api<{ items: { kind: string; detail: string }[] }>(
      'GET',
      '/api/security_event/?username=cyd&kind=password',
    )
    expect(items).toMatchObject([{ kind: 'password', detail: 'root' }])
  })

  it('cannot lock the one out who makes a rule for administrators', async () => {
    const setting = (key: string, value: string) => root.call('PUT', '/api/option/', { key, value })
    expect((await setting('AdminAllowedRanges', '198.51.100.0/24')).code).toBe('option_excludes_own_address')
    expect((await setting('AdminSecondFactorRequired', 'true')).code).toBe('option_needs_own_second_factor')
    expect((await setting('AdminAllowedRanges', '127.0.0.1\n198.51.100.0/24')).success).toBe(true)
    const refused = await (await logIn(rootAccount.username, rootAccount.password, '203.0.113.5')).json()
    expect(refused).toMatchObject({ success: false, code: 'admin_address_not_allowed' })
    expect(
      (await (await logIn(rootAccount.username, rootAccount.password, '198.51.100.5')).json()).success,
    ).toBe(true)
    expect(await kinds('username=root&address=203.0.113.5')).toEqual(['login-failed'])
    await root.option('AdminAllowedRanges', '')
  })

  it('come with an access token of scope read that survives a restart, and ends with the password', async () => {
    const dan = await addUser(gateway, 'dan', 0)
    const { token } = await dan.api<{ token: string }>('POST', '/api/user/self/access_tokens', {
      name: 'monitor',
      scope: 'read',
    })
    const call = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(dan.userId) }
      const body = method === 'GET' ? {} : { body: '{}' }
      return (await (await fetch(gateway.url + path, { method, headers, ...body })).json()) as {
        success: boolean
        code?: string
      }
    }
    expect((await call('GET', '/api/token/')).success).toBe(true)
    expect((await call('POST', '/api/token/')).code).toBe('access_token_read_only')
    await gateway.restart()
    root = await operate(gateway.url)
    expect((await call('GET', '/api/token/')).success).toBe(true)
    await root.api('PUT', '/api/user/', { id: dan.userId, password: 'a-new-long-password' })
    expect((await call('GET', '/api/token/')).code).toBe('access_token_invalid')
  })
})

describe('HSTS', () => {
  it('is sent over https alone, and only when asked for', async () => {
    const gateway = await startTollgate({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    const root = await operate(gateway.url)
    const header = async (path: string, proto: string) => {
      const reply = await fetch(gateway.url + path, { headers: { 'x-forwarded-proto': proto } })
      await reply.text()
      return reply.headers.get('strict-transport-security')
    }
    expect(await header('/login', 'https')).toBeNull()
    await root.option('HstsDays', '30')
    expect(await header('/login', 'https')).toBe('max-age=2592000')
    expect(await header('/api/status', 'https')).toBe('max-age=2592000')
    expect(await header('/login', 'http')).toBeNull()
    await root.option('HstsDays', '0')
    expect(await header('/login', 'https')).toBeNull()
    await gateway.stop()
  })
})
