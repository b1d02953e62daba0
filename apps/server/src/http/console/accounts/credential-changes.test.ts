import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { Envelope } from '@tollgate/api'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { Store } from '../../../store/store.ts'
import type { ConsoleFixture } from '../test-support/console-fixture.ts'
import {
  credentialWrites,
  logIns,
  meanwhile,
  openScene,
  roadFixture,
  withdrawals,
} from '../test-support/credential-roads.ts'

let fixture: ConsoleFixture
beforeAll(async () => {
  fixture = await roadFixture()
})
afterAll(closeTestStores)

/** Runs `change` when everything is checked and the next transaction is about to begin. */
function beforeNextTransaction(store: { transaction: Store['transaction'] }, change: () => Promise<unknown>) {
  const { transaction } = store
  store.transaction = async (work) => {
    store.transaction = transaction
    await change()
    return transaction(work)
  }
}

const endings = [
  'credentials_changed',
  'not_logged_in',
  'login_failed',
  'login_expired',
  'reset_link_invalid',
]
const pairsOf = (roads: object) =>
  Object.keys(roads).flatMap((road) => Object.keys(meanwhile).map((change) => [road, change] as const))

/** Walks a road, and lets a change happen between its check and its write. */
async function walk(road: (typeof logIns)[string] | undefined, change: string | undefined) {
  if (road === undefined) throw new Error('no such road')
  const scene = await openScene(fixture, road)
  const go = await road.prepare(scene)
  let changed: Envelope | undefined
  if (change !== undefined)
    beforeNextTransaction(fixture.store as { -readonly [Name in keyof Store]: Store[Name] }, async () => {
      changed = await meanwhile[change]?.(scene)
    })
  const response = await go()
  return { scene, response, changed, go }
}

describe('a change between the check of a proof and what it opens', () => {
  it.each(Object.keys(logIns))('is nothing, and the log-in %s opens a session', async (name) => {
    const { scene, response } = await walk(logIns[name], undefined)
    expect(response).toMatchObject({ success: true, data: { id: scene.ann.id } })
  })

  it.each(Object.keys(credentialWrites))('is nothing, and there is %s', async (name) => {
    const { response } = await walk(credentialWrites[name], undefined)
    expect(response).toMatchObject({ success: true })
  })

  it.each(pairsOf(logIns))('ends the log-in %s: %s', async (name, change) => {
    const { scene, response, changed, go } = await walk(logIns[name], change)
    expect(changed).toMatchObject({ success: true })
    const { newcomer, sent } = scene
    newcomer.userId = scene.ann.id
    const isIn = (await sent(newcomer, 'GET', '/api/user/self')).success
    // A password is verified again, and may still be right, or now need a code.
    if (name.includes('password')) {
      const isOpen = response.success && !(response.data as { require_2fa?: boolean }).require_2fa
      expect(isIn).toBe(isOpen)
      expect(response.success).toBe((await go()).success)
    } else {
      expect(response.success).toBe(false)
      expect(isIn).toBe(false)
      expect(endings).toContain(response.code ?? '')
    }
  })

  it.each(pairsOf(credentialWrites))('leaves the account without %s: %s', async (name, change) => {
    const { scene, response, changed } = await walk(credentialWrites[name], change)
    expect(changed).toMatchObject({ success: true })
    expect(response.success).toBe(false)
    expect(endings).toContain(response.code ?? '')
    const { ann, store, stored } = scene
    expect((await store.accessTokens.listOwn(ann.id)).length).toBe(0)
    if (change.includes('password')) expect(await isPassword(await stored(), 'the new password')).toBe(true)
  })
})

describe('a way in that is taken away while the account changes', () => {
  it.each(pairsOf(withdrawals))('goes only in a session that goes on: %s, %s', async (name, change) => {
    const { scene, response, changed } = await walk(withdrawals[name], change)
    expect(changed).toMatchObject({ success: true })
    expect(response.success).toBe(change === 'another second factor')
    if (!response.success) expect(response.code).toBe('not_logged_in')
    const { ann, store, stored } = scene
    const left =
      name === 'a passkey' ? await store.passkeys.countOwn(ann.id) : (await stored()).telegramId.length
    expect(left === 0).toBe(response.success)
  })
})

async function isPassword({ passwordHash }: { readonly passwordHash: string }, password: string) {
  return Bun.password.verify(password, passwordHash)
}
