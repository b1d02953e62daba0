import { afterAll, describe, expect, it } from 'bun:test'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { User } from '../../../store/accounts/users.ts'
import { unique } from '../../../store/contract/samples.ts'
import { consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const password = 'correct horse'

async function inviting(options: FixtureOptions = {}) {
  const fixture = await consoleFixture({ settings: { RegisterEnabled: 'false' }, ...options })
  const { createUser, send, loggedIn, store } = fixture
  const root = await createUser({ role: 'root' })
  const admin = await createUser({ role: 'admin' })
  const as = async (actor: User, method: string, path: string, body?: object) =>
    (await send(method, path, { headers: await loggedIn(actor), ...(body && { body }) })).envelope
  const invite = async (actor: User, body: object = {}) => {
    const envelope = await as(actor, 'POST', '/api/invitation/', body)
    return { ...envelope, ...(envelope.data as { id: string; token: string }) }
  }
  const accept = async (token: string, username = unique('guest')) => {
    const { envelope } = await send('POST', '/api/invitation/accept', { body: { token, username, password } })
    return { code: envelope.code ?? 'opened', user: await store.users.findByLogin(username) }
  }
  const open = async (reader: User) =>
    ((await as(reader, 'GET', '/api/invitation/')).data as { id: string }[]).map(({ id }) => id)
  return { ...fixture, root, admin, as, invite, accept, open }
}

describe('an invitation', () => {
  it('opens one account with its role, group and balance while registration is closed, once', async () => {
    const { root, invite, accept, send, store } = await inviting()
    const { token, id } = await invite(root, { role: 10, group: 'vip', quota: 700, note: 'for Ann' })
    const look = await send('POST', '/api/invitation/look', { body: { token } })
    expect(look.envelope.data).toMatchObject({ role: 10, inviter_name: root.username })
    const both = await Promise.all([accept(token), accept(token)])
    expect(both.map(({ code }) => code).toSorted()).toEqual(['invitation_invalid', 'opened'])
    const user = both.find(({ code }) => code === 'opened')?.user
    expect(user).toMatchObject({ role: 'admin', group: 'vip', quota: 700, inviterId: 0 })
    const { rows } = await store.auditLog.page({ targetId: user?.id }, { offset: 0, limit: 1 })
    expect(rows[0]).toMatchObject({ action: 'invitation.accept', actorId: root.id })
    expect(await store.oneTimeSecrets.find('invitation', id)).toBeUndefined()
  })

  it('gives no more than the inviter may, when it is made and when it is taken', async () => {
    const { root, admin, as, invite, accept, store } = await inviting()
    expect((await invite(admin, { role: 10 })).code).toBe('user_promote_needs_root')
    expect((await invite(admin, { group: 'no such' })).code).toBe('user_group_unknown')
    const { token } = await invite(admin, { quota: 5 })
    await as(root, 'PUT', `/api/user/${admin.id}/parts`, { parts: ['users'] })
    expect((await invite(admin, { quota: 5 })).code).toBe('admin_part_missing')
    expect((await accept(token)).code).toBe('invitation_invalid')
    const banned = await invite(root, {})
    await store.users.update(root.id, { status: 'banned' })
    expect((await accept(banned.token)).code).toBe('invitation_invalid')
  })

  it.each([
    [{}, undefined],
    [{ quota: 5 }, true],
    [{ group: 'vip' }, true],
  ])(
    'of an administrator with %p is marked as a gift to an account of their own: %p',
    async (offer, mark) => {
      const { admin, invite, accept, store } = await inviting()
      const { user } = await accept((await invite(admin, offer)).token)
      const { rows } = await store.auditLog.page({ targetId: user?.id }, { offset: 0, limit: 1 })
      expect(JSON.parse(rows[0]?.after ?? '')['opened_by_giver']).toBe(mark)
    },
  )

  it('is not mailed to an inbox of the administrator who makes it; root may', async () => {
    const { root, createUser, invite, store } = await inviting()
    const ada = await createUser({ role: 'admin', email: 'ada@gmail.com' })
    await store.users.update(root.id, { email: 'root@gmail.com' })
    expect((await invite(ada, { email: 'a.da+2@gmail.com' })).code).toBe('user_near_administrator')
    expect((await invite(ada, { email: 'eve@gmail.com', quota: 5 })).success).toBe(true)
    expect((await invite(root, { email: 'root@gmail.com' })).success).toBe(true)
  })

  it('is listed and revoked by its inviter and by root, and is no secret that a list returns', async () => {
    const { root, admin, createUser, as, invite, accept, open } = await inviting()
    const other = await createUser({ role: 'admin' })
    const { id, token } = await invite(admin)
    expect([await open(admin), await open(other)]).toEqual([[id], []])
    expect(await open(root)).toContain(id)
    expect(JSON.stringify(await as(root, 'GET', '/api/invitation/'))).not.toContain(token.slice(16))
    expect((await as(other, 'DELETE', `/api/invitation/${id}`)).code).toBe('record_not_found')
    expect((await as(admin, 'DELETE', `/api/invitation/${id}`)).success).toBe(true)
    expect((await accept(token)).code).toBe('invitation_invalid')
  })

  it('follows its group to another name', async () => {
    const { root, invite, accept, store } = await inviting({ ownStore: true })
    const { token } = await invite(root, { group: 'vip', note: 'vip' })
    await store.groupMembers.move('vip', 'svip')
    const { code, user } = await accept(token)
    expect([code, user?.group]).toEqual(['opened', 'svip'])
  })

  it('ends after its days, and is not guessed by its number', async () => {
    const { root, invite, accept, time } = await inviting()
    const { token, id } = await invite(root, { days: 2 })
    expect((await accept(`${id}guess`)).code).toBe('invitation_invalid')
    time.ms += 2 * 86_400_000
    expect((await accept(token)).code).toBe('invitation_invalid')
  })

  it('is mailed where mail is set up and the site knows its address', async () => {
    const settings = { RegisterEnabled: 'false', ServerAddress: 'https://gate.example' }
    const { root, invite, mails } = await inviting({ settings })
    const { token } = await invite(root, { email: 'ann@example.com' })
    expect(mails.at(-1)).toMatchObject({ to: 'ann@example.com' })
    expect(mails.at(-1)?.html).toContain(`https://gate.example/invitation?token=${token}`)
  })
})
