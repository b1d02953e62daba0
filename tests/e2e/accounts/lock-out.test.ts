import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Envelope, type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const home = '192.0.2.1'
const strangers = [1, 2, 3, 4, 5].map((host) => `198.51.100.${host}`)
/** The limit of one address, and so a fifth of what strangers may try of one account. */
const limit = 20

let gateway: Tollgate
let root: Operator
let ann: Operator
/** Token of the browser in which root has logged in. */
let device: string

beforeAll(async () => {
  gateway = await startTollgate({
    env: { TRUSTED_PROXIES: '127.0.0.1', GLOBAL_API_RATE_LIMIT_ENABLE: 'false' },
  })
  root = await operate(gateway.url)
  ann = await addUser(gateway, 'ann', 1000)
})
afterAll(() => gateway?.stop())

async function call(from: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    body: JSON.stringify(body),
  })
  const envelope = (await response.json()) as Envelope<unknown>
  return { status: response.status, headers: response.headers, envelope }
}

const logIn = (from: string, password = rootAccount.password, cookie = '') =>
  call(from, '/api/user/login', { username: rootAccount.username, password }, cookie === '' ? {} : { cookie })

function deviceCookieIn(headers: Headers): string {
  return (
    headers
      .getSetCookie()
      .find((cookie) => cookie.includes('device_'))
      ?.split(';')[0] ?? ''
  )
}

describe('wrong guesses of strangers', () => {
  it('use up what strangers may try, and say when they may try again', async () => {
    const first = await logIn(home)
    expect(first.envelope.success).toBe(true)
    device = deviceCookieIn(first.headers)
    expect(device).toContain('device_')
    for (const address of strangers) {
      const guesses = Array.from({ length: limit }, (_, turn) => logIn(address, `wrong horse ${turn}`))
      expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(limit).fill(200))
    }
    const refused = await logIn('203.0.113.9')
    expect([refused.status, refused.envelope.code]).toEqual([429, 'too_many_requests'])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(1200)
  })

  it('lock nobody out who comes from an address or a browser that has logged in before', async () => {
    expect((await logIn(home)).envelope.success).toBe(true)
    expect((await logIn('203.0.113.10', undefined, device)).envelope.success).toBe(true)
    // Also where a stranger has used up the address that both share.
    const [shared = ''] = strangers
    expect((await logIn(shared)).status).toBe(429)
    expect((await logIn(shared, undefined, device)).envelope.success).toBe(true)
  })

  it('open no budget by a cookie that is forged or of another account', async () => {
    const forged = `${device.slice(0, -1)}${device.endsWith('0') ? '1' : '0'}`
    expect((await logIn('203.0.113.11', undefined, forged)).status).toBe(429)
    const anns = await call('203.0.113.12', '/api/user/login', {
      username: 'ann',
      password: 'a-long-password',
    })
    const own = deviceCookieIn(anns.headers)
    expect(own).toContain(`device_${ann.userId}=`)
    expect((await logIn('203.0.113.13', undefined, own)).status).toBe(429)
    const renamed = device.replace(/device_\d+=\d+/, `device_${ann.userId}=${ann.userId}`)
    expect((await logIn('203.0.113.14', undefined, renamed)).status).toBe(429)
  })

  it('do not keep a session from proving whose it is', async () => {
    const headers = { cookie: root.cookie, 'new-api-user': String(root.userId) }
    const { password } = rootAccount
    const proven = await call('203.0.113.15', '/api/user/self/proof/password', { password }, headers)
    expect([proven.status, proven.envelope.success]).toEqual([200, true])
  })

  it('are bounded for who has a budget of their own, too', async () => {
    const tries: number[] = []
    for (let turn = 0; turn < limit + 2; turn += 1)
      tries.push((await logIn(`203.0.113.${100 + turn}`, `wrong ${turn}`, device)).status)
    expect(tries.slice(0, limit)).toEqual(Array(limit).fill(200))
    expect(tries.slice(limit)).toEqual([429, 429])
  })

  it('are forgotten by tollgate unlock, at a gateway that runs', async () => {
    const [spent = ''] = strangers
    expect((await logIn('203.0.113.200')).status).toBe(429)
    expect((await logIn(spent)).status).toBe(429)
    const { code, output } = await gateway.run('unlock')
    expect([code, output]).toEqual([0, expect.stringContaining('wrong guesses of all accounts')])
    expect((await logIn('203.0.113.200')).envelope.success).toBe(true)
    await until(async () => ((await logIn(spent)).envelope.success ? true : undefined))
    expect((await gateway.run('unlock')).output).toContain('No wrong guesses were counted')
  })
})
