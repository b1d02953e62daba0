import { afterAll, describe, expect, it } from 'bun:test'
import type { Session } from '@tollgate/api'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { openBrowser } from '../test-support/browser.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

async function withBrowsers() {
  const fixture = await consoleFixture()
  const [ann, ben] = [await fixture.createUser(), await fixture.createUser()]
  const loggedIn = async ({ id }: { id: number }, userAgent: string) => {
    const browser = openBrowser(fixture)
    browser.userId = id
    const device = { userAgent, address: '192.0.2.9' }
    browser.cookies.set('session', await fixture.sessionOf({ id }, device))
    const list = async () => (await browser.send('GET', '/api/user/self/sessions')).envelope.data as Session[]
    const isIn = async () => (await browser.send('GET', '/api/user/self')).status === 200
    return { ...browser, list, isIn }
  }
  return {
    ...fixture,
    laptop: await loggedIn(ann, 'Laptop/1.0'),
    phone: await loggedIn(ann, 'Phone/2.0'),
    stranger: await loggedIn(ben, 'Other/3.0'),
  }
}

describe('sessions of one’s own', () => {
  it('are listed with what tells them apart, the present one marked, and nothing that opens one', async () => {
    const { laptop, phone } = await withBrowsers()
    const listed = await laptop.list()
    expect(listed.map(({ user_agent, current }) => [user_agent, current]).toSorted()).toEqual([
      ['Laptop/1.0', true],
      ['Phone/2.0', false],
    ])
    expect(listed[0]).toMatchObject({ address: '192.0.2.9', created_at: 1_800_000_000 })
    const cookie = phone.cookies.get('session') ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(cookie).digest('hex')
    const text = JSON.stringify(listed)
    expect(text).not.toContain(cookie)
    expect(text).not.toContain(hash)
  })

  it('end one by one, at once, for their owner alone', async () => {
    const { laptop, phone, stranger } = await withBrowsers()
    const other = (await laptop.list()).find(({ current }) => !current)
    expect(await phone.isIn()).toBe(true)
    const byStranger = await stranger.send('DELETE', `/api/user/self/sessions/${other?.id}`)
    expect(byStranger.envelope.code).toBe('record_not_found')
    const ended = await laptop.send('DELETE', `/api/user/self/sessions/${other?.id}`)
    expect(ended.envelope.success).toBe(true)
    expect([await phone.isIn(), await laptop.isIn(), await stranger.isIn()]).toEqual([false, true, true])
    const wrong = await laptop.send('DELETE', '/api/user/self/sessions/%25')
    expect(wrong.envelope.code).toBe('invalid_parameter')
  })

  it('end all but the one that asks', async () => {
    const { laptop, phone, stranger } = await withBrowsers()
    for (const { isIn } of [laptop, phone, stranger]) expect(await isIn()).toBe(true)
    expect((await laptop.send('DELETE', '/api/user/self/sessions')).envelope.data).toBe(1)
    expect([await phone.isIn(), await laptop.isIn(), await stranger.isIn()]).toEqual([false, true, true])
  })

  it('are announced when they end, so that other nodes forget them', async () => {
    const { laptop, bus } = await withBrowsers()
    const announced: number[] = []
    bus.subscribe('user-changed', ({ id }) => announced.push(id))
    await laptop.send('DELETE', '/api/user/self/sessions')
    expect(announced).toEqual([laptop.userId ?? 0])
  })

  it('are written as seen every five minutes at most', async () => {
    const { laptop, store, time } = await withBrowsers()
    const seen: number[] = []
    const { touch } = store.sessions
    store.sessions.touch = (idHash, at) => {
      seen.push(at)
      return touch(idHash, at)
    }
    const start = time.ms
    for (let minute = 0; minute < 12; minute += 1) {
      time.ms = start + minute * 60_000
      for (let call = 0; call < 3; call += 1) await laptop.isIn()
    }
    expect(seen.map((at) => at - start / 1000)).toEqual([300, 600])
  })
})
