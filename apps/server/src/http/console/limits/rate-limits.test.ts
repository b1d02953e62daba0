import { afterAll, afterEach, describe, expect, it, setDefaultTimeout, setSystemTime } from 'bun:test'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { LimitSubject } from '../../client-address.ts'
import type { Sent } from '../test-support/console-fixture.ts'
import { sampleFixture as fixture } from '../test-support/sample-routes.ts'
import { createRateLimits } from './rate-limits.ts'

// Thousands of calls, beside other files on the same cores.
setDefaultTimeout(deadline(30_000))

afterEach(() => setSystemTime())
afterAll(closeTestStores)

describe('rate limits', () => {
  const tight = { GLOBAL_API_RATE_LIMIT: 3, GLOBAL_API_RATE_LIMIT_DURATION: 60 }

  it('count strangers by address and answer 429 with an envelope and when to come back', async () => {
    const { send, time } = await fixture({ limits: tight })
    for (let call = 0; call < 3; call++) expect((await send('GET', '/api/timed')).status).toBe(200)
    const refused = await send('GET', '/api/timed')
    expect(refused.status).toBe(429)
    expect(refused.envelope).toMatchObject({ success: false, code: 'too_many_requests' })
    expect((await send('GET', '/api/nowhere')).status).toBe(429)
    expect((await send('GET', '/api/timed', { from: '192.0.2.2' })).status).toBe(200)
    time.ms += Number(refused.headers.get('retry-after')) * 1000
    expect((await send('GET', '/api/timed')).status).toBe(200)
  })

  it('count people by who they are, wherever they sit', async () => {
    const { send, createUser, loggedIn } = await fixture({ limits: tight })
    const [ann, bob] = [await createUser(), await createUser()]
    const [annHeaders, bobHeaders] = [await loggedIn(ann), await loggedIn(bob)]
    for (let call = 0; call < 3; call++) await send('GET', '/api/user/self', { headers: annHeaders })
    expect((await send('GET', '/api/user/self', { headers: annHeaders })).status).toBe(429)
    expect((await send('GET', '/api/user/self', { headers: annHeaders, from: '192.0.2.9' })).status).toBe(429)
    expect((await send('GET', '/api/user/self', { headers: bobHeaders })).status).toBe(200)
  })

  it('spare the database the sessions that a spent address makes up', async () => {
    const { send, store } = await fixture({ limits: tight })
    let reads = 0
    const find = store.sessions.find
    store.sessions.find = (...args) => {
      reads++
      return find(...args)
    }
    for (let call = 0; call < 20; call++) {
      await send('GET', '/api/timed', { headers: { cookie: `session=${'a'.repeat(41)}${call + 10}` } })
    }
    expect(reads).toBe(3)
  })

  it('can be switched off, but not for calls that test a secret', async () => {
    const { send } = await fixture({
      limits: { ...tight, GLOBAL_API_RATE_LIMIT_ENABLE: false, CRITICAL_RATE_LIMIT: 2 },
    })
    for (let call = 0; call < 10; call++) expect((await send('GET', '/api/timed')).status).toBe(200)
    const tries = []
    for (let call = 0; call < 3; call++)
      tries.push((await send('POST', '/api/user/login', { body: {} })).status)
    expect(tries).toEqual([200, 200, 429])
    expect((await send('POST', '/api/setup', { body: {} })).status).toBe(429)
  })

  it('do not count secrets that were right', async () => {
    const { send, createUser } = await fixture({ limits: { CRITICAL_RATE_LIMIT: 2 } })
    const right = { username: 'ann', password: 'correct horse' }
    await createUser({ username: right.username, passwordHash: await quickPasswords.hash(right.password) })
    const tryIt = async (body: object) =>
      (await send('POST', '/api/user/login', { body, from: '192.0.2.7' })).status
    const wrong = { ...right, password: 'wrong horse' }
    expect([await tryIt(right), await tryIt(wrong), await tryIt(right)]).toEqual([200, 200, 200])
  })

  it('count the tries of an account from every address, and refuse the right password meanwhile', async () => {
    const { send, createUser } = await fixture({ limits: { CRITICAL_RATE_LIMIT: 2 } })
    const right = { username: 'bea', password: 'correct horse' }
    await createUser({ username: right.username, passwordHash: await quickPasswords.hash(right.password) })
    const tryIt = async (body: object, subnet: number) =>
      (await send('POST', '/api/user/login', { body, from: `198.51.100.${subnet}` })).envelope
    const wrong = { ...right, password: 'wrong horse' }
    for (let turn = 0; turn < 9; turn += 1)
      expect(await tryIt(wrong, turn)).toMatchObject({ code: 'login_failed' })
    expect(await tryIt(right, 20)).toMatchObject({ success: true })
    expect(await tryIt({ ...wrong, username: ' bea ' }, 21)).toMatchObject({ code: 'login_failed' })
    expect(await tryIt(right, 22)).toMatchObject({ code: 'too_many_requests' })
    expect(await tryIt({ ...right, username: 'nobody here' }, 23)).toMatchObject({ code: 'login_failed' })
  })

  describe('behind a proxy that is not trusted', () => {
    const login = { username: 'cid', password: 'correct horse' }
    const behind = (visitor: number, proxy = '172.17.0.1') => ({
      from: proxy,
      headers: { 'x-forwarded-for': `6.6.6.6, 203.0.113.${visitor}` },
    })

    async function installation() {
      const here = await fixture({ ownStore: true, limits: { ...tight, CRITICAL_RATE_LIMIT: 2 } })
      await here.createUser({
        username: login.username,
        passwordHash: await quickPasswords.hash(login.password),
      })
      const tryIt = async (body: object, sent: Sent) =>
        (await here.send('POST', '/api/user/login', { body, ...sent })).envelope.code ?? 'ok'
      return { ...here, tryIt }
    }

    it('leave everybody else in when one visitor has used up theirs', async () => {
      const { send, tryIt, untrustedProxies } = await installation()
      const guess = (turn: number) => ({ username: `somebody ${turn}`, password: 'wrong horse' })
      const guesses = []
      for (let turn = 0; turn < 3; turn += 1) guesses.push(await tryIt(guess(turn), behind(1)))
      expect(guesses).toEqual(['login_failed', 'login_failed', 'too_many_requests'])
      expect(await tryIt(login, behind(2))).toBe('ok')
      for (let call = 0; call < 5; call += 1) await send('GET', '/api/timed', behind(1))
      expect((await send('GET', '/api/timed', behind(1))).status).toBe(429)
      expect((await send('GET', '/api/timed', behind(3))).status).toBe(200)
      expect(untrustedProxies).toEqual(['172.17.0.1'])
    })

    it('are wide, but not without end, for a proxy that passes on what visitors invent or says nothing', async () => {
      const { critical } = createRateLimits({
        GLOBAL_API_RATE_LIMIT_ENABLE: false,
        GLOBAL_API_RATE_LIMIT: 1,
        GLOBAL_API_RATE_LIMIT_DURATION: 60,
        CRITICAL_RATE_LIMIT: 2,
        CRITICAL_RATE_LIMIT_DURATION: 3600,
      })
      const proxy = '172.17.0.1'
      const admitted = (subjects: number, subject: (turn: number) => LimitSubject) =>
        Array.from({ length: subjects }, (_, turn) => critical.take(subject(turn))).filter(Boolean).length
      expect(admitted(300, (turn) => ({ address: `203.0.113.${turn}`, proxy }))).toBe(100)
      expect(admitted(300, () => ({ address: undefined, proxy: '127.0.0.1' }))).toBe(100)
      expect(critical.take({ address: '198.51.100.1' })).toBe(true)
    })

    it('still hold for an account', async () => {
      const { tryIt } = await installation()
      const wrong = { ...login, password: 'wrong horse' }
      for (let turn = 0; turn < 10; turn += 1) expect(await tryIt(wrong, behind(turn))).toBe('login_failed')
      expect(await tryIt(login, behind(99))).toBe('too_many_requests')
    })
  })

  it('neither open early nor stay closed when the wall clock is set', () => {
    const { critical } = createRateLimits({
      GLOBAL_API_RATE_LIMIT_ENABLE: false,
      GLOBAL_API_RATE_LIMIT: 1,
      GLOBAL_API_RATE_LIMIT_DURATION: 60,
      CRITICAL_RATE_LIMIT: 1,
      CRITICAL_RATE_LIMIT_DURATION: 3600,
    })
    const realNow = Date.now()
    expect(critical.take({ address: 'address' })).toBe(true)
    for (const days of [1, -1]) {
      setSystemTime(realNow + days * 24 * 3_600_000)
      expect(critical.take({ address: 'address' })).toBe(false)
      expect(critical.retryAfterSeconds({ address: 'address' })).toBeLessThanOrEqual(2 * 3600)
    }
  })
})
