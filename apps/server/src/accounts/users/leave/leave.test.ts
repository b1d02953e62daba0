import { afterAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEventBus } from '../../../lib/async/event-bus.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createAuditLog } from '../../../records/audit-log/audit-log.ts'
import type { ChangeEvents } from '../../../store/change-events.ts'
import { rejection } from '../../../store/contract/rejection.ts'
import { newToken, newUser, settlement } from '../../../store/contract/samples.ts'
import { openStore } from '../../../store/engine/open/open-store.ts'
import type { Store } from '../../../store/store.ts'
import { bringBack } from './bring-back.ts'
import { findClosedIdentities } from './closed-identities.ts'
import { createErasure } from './erase-account.ts'
import { createErasedList, erasedListName } from './erased-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-leave-'))
afterAll(async () => {
  for (const { store } of positions) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const clock = { now: () => 2_000_000_000_000 }
const actor = { userId: 1, username: 'root', role: 'root', address: '' } as const
const logger = createLogger('silent')

const positions: { readonly store: Store; readonly dataDir: string }[] = []

async function setUp() {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const store = await openStore({ dataDir, logger })
  positions.push({ store, dataDir })
  const bus = createEventBus<ChangeEvents>(() => undefined)
  const auditLog = createAuditLog({ store, clock })
  const erasure = createErasure({ store, auditLog, bus, clock })
  const list = createErasedList({ store, dataDir, erasure, logger, nowSeconds: () => 2_000_000_000 })
  return { store, auditLog, erasure, list, dataDir }
}

describe('a deleted account', () => {
  it('comes back with everything until it is erased, and then never', async () => {
    const { store, auditLog, erasure } = await setUp()
    const ann = await store.users.create(newUser({ email: 'ann@example.com', setting: '{"chat_hosts":[]}' }))
    const back = () => bringBack({ store, auditLog }, actor, ann.id)
    expect(await rejection(back())).toMatchObject({ code: 'user_not_deleted' })
    expect(await erasure.erase(ann.id)).toBe(false)
    await store.users.update(ann.id, { deletedAt: 5 })
    await back()
    const { credentialsVersion: _version, ...same } = ann
    expect(await store.users.find(ann.id)).toMatchObject(same)
    await store.users.update(ann.id, { deletedAt: 5 })
    expect(await erasure.eraseDue(2_000_000_000)).toBe(1)
    expect(await erasure.eraseDue(2_000_000_000)).toBe(0)
    expect(await rejection(back())).toMatchObject({ code: 'user_erased' })
    const { rows } = await store.auditLog.page({ targetId: ann.id }, { offset: 0, limit: 9 })
    expect(rows.map(({ action, targetName }) => [action, targetName])).toEqual([
      ['user.erase', `deleted-${ann.id}`],
      ['user.restore', `deleted-${ann.id}`],
    ])
  })

  it('is erased again where a backup brings it back, and no other account of its number', async () => {
    const { store, erasure, list, dataDir } = await setUp()
    const [ann, bob] = [await store.users.create(newUser()), await store.users.create(newUser())]
    for (const { id } of [ann, bob]) {
      await store.users.update(id, { deletedAt: 5 })
      await erasure.erase(id)
    }
    await list.note()
    await list.note()
    expect(JSON.parse(readFileSync(join(dataDir, erasedListName), 'utf8'))).toHaveLength(2)
    expect(await list.apply()).toBe(0)
    // As a backup has them: one as she was, and another person under the number of the other.
    const live = { username: 'ann again', email: 'ann@example.com', deletedAt: null, erasedAt: null }
    await store.users.update(ann.id, live)
    await store.users.update(bob.id, { ...live, username: 'bea', email: '', createdAt: bob.createdAt + 1 })
    expect(await list.apply()).toBe(1)
    expect(await store.users.find(ann.id)).toMatchObject({ username: `deleted-${ann.id}`, email: '' })
    expect(await store.users.find(bob.id)).toMatchObject({ username: 'bea', deletedAt: null })
  })

  it('stops no start by a list that cannot be read', async () => {
    const { list, dataDir } = await setUp()
    writeFileSync(join(dataDir, erasedListName), '{')
    expect(await list.apply()).toBe(0)
  })
})

describe('an erasure', () => {
  it('leaves no bytes of the texts in the files of the database', async () => {
    const { store, erasure, dataDir } = await setUp()
    const filesWith = (words: string) =>
      readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes(words))
    const marker = 'marker-in-the-files'
    const ann = await store.users.create(
      newUser({ username: marker, displayName: `${marker} ${'x'.repeat(40)}` }),
    )
    await store.tokens.create(newToken(ann.id, { name: marker }))
    await store.usage.append([
      {
        ...settlement(1),
        type: 'top-up',
        userId: ann.id,
        username: marker,
        content: `${marker} ${'y'.repeat(9000)}`,
      },
    ])
    expect(filesWith(marker)).not.toEqual([])
    await store.users.update(ann.id, { deletedAt: 5 })
    expect(await erasure.erase(ann.id)).toBe(true)
    expect(filesWith(marker)).toEqual([])
  })
})

describe('closed identities', () => {
  it('names accounts whose identity the provider does not list, with their working keys', async () => {
    const { store } = await setUp()
    const [ann, bob] = [
      await store.users.create(newUser({ oidcId: 'ann', email: 'Ann@example.com' })),
      await store.users.create(newUser({ oidcId: 'bob' })),
    ]
    await store.tokens.create(newToken(ann.id))
    await store.tokens.create(newToken(ann.id, { status: 'disabled' }))
    expect(await findClosedIdentities(store, 'oidc', ['bob', 'cyd'])).toEqual([
      { id: ann.id, username: ann.username, identity: 'ann', keys: 1 },
    ])
    expect(await findClosedIdentities(store, 'email', ['ann@EXAMPLE.com '])).toEqual([])
    await store.users.update(bob.id, { deletedAt: 1 })
    expect(await findClosedIdentities(store, 'oidc', ['ann'])).toEqual([])
  })
})
