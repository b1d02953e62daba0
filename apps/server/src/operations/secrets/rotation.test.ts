import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { createEventBus } from '../../lib/async/event-bus.ts'
import { createVault, type Vault } from '../../lib/crypto.ts'
import { keyIdOf } from '../../lib/key-ring.ts'
import { sealedInFirstForm } from '../../lib/test-support/first-form.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { sqliteForTests, type TestStore } from '../../store/contract/place.ts'
import { newToken, newUser, withAccount } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { Store } from '../../store/store.ts'
import { openVault } from './open-vault.ts'
import { createRotation } from './rotation.ts'

const former = 'the former secret of this installation, long enough'
const secret = 'the next secret of this installation, long enough'
const tokens = 450

let testStore: TestStore
let store: Store

beforeEach(async () => {
  testStore = await sqliteForTests.createTestStore()
  store = await openStore(testStore.config)
})
afterEach(async () => {
  await store.close()
  await testStore.remove()
})

const logger = { info: () => undefined, warn: () => undefined }
const { signal } = new AbortController()

/** A process of the installation. */
async function open(secrets: { secret: string; former?: string }, change: object = {}) {
  const time = { now: 0 }
  const opened = await openVault({ former: undefined, ...secrets, source: 'environment' }, store.identity)
  const rotation = createRotation({
    store,
    ring: opened.ring,
    secret: secrets.secret,
    next: undefined,
    isShared: false,
    connectionName: 'tollgate one',
    everyNodeAccepts: async () => true,
    bus: createEventBus<ChangeEvents>(() => undefined),
    logger,
    clock: { now: () => time.now },
    ...change,
  })
  return { ...opened, rotation, time }
}

/** Fills every kind of sealed column, with texts of the given vault. */
async function fill({ seal, hash }: Pick<Vault, 'seal' | 'hash'>) {
  const { id: userId } = await store.users.create(newUser())
  for (let index = 0; index < tokens; index += 1) {
    const keyHash = hash(`key ${index}`)
    await store.tokens.create(
      newToken(userId, { keyHash, keySealed: seal(`key ${index}`, sealContexts.tokenKey(keyHash)) }),
    )
  }
  const setting = {
    language: 'en',
    webhook_secret_sealed: seal('hook', sealContexts.webhookSecret(userId)),
  }
  await store.users.update(userId, { setting: JSON.stringify(setting) })
  await store.options.change(async () => [
    { key: 'SMTPToken', value: seal('mail', sealContexts.option('SMTPToken')) },
    { key: 'SystemName', value: 'Ours' },
  ])
  const secretSealed = seal('totp', sealContexts.secondFactor(userId))
  await withAccount(store, userId, (tx, account) =>
    tx.secondFactors.create(account, { secretSealed, lastStep: 0, createdAt: 1 }, []),
  )
  return userId
}

async function textsOf(userId: number, { open: unseal }: Pick<Vault, 'open'>) {
  const page = await store.tokens.pageOwn(
    userId,
    {},
    { offset: 0, limit: 1000, sort: 'id', descending: false },
  )
  const setting = JSON.parse((await store.users.find(userId))?.setting ?? '{}')
  const options = new Map((await store.options.listAll()).map(({ key, value }) => [key, value]))
  const factor = await store.secondFactors.find(userId)
  return {
    keys: new Set(page.rows.map((row) => unseal(row.keySealed, sealContexts.tokenKey(row.keyHash)))).size,
    hook: unseal(setting.webhook_secret_sealed, sealContexts.webhookSecret(userId)),
    language: setting.language,
    mail: unseal(options.get('SMTPToken') ?? '', sealContexts.option('SMTPToken')),
    name: options.get('SystemName'),
    totp: unseal(factor?.secretSealed ?? '', sealContexts.secondFactor(userId)),
  }
}

const all = { keys: tokens, hook: 'hook', language: 'en', mail: 'mail', name: 'Ours', totp: 'totp' }

describe('createRotation', () => {
  it('seals everything anew with the next secret, and hashes stay', async () => {
    const before = await open({ secret: former })
    const userId = await fill(before.vault)
    const { vault, rotation, ring, time } = await open({ secret, former })
    expect(vault.hash('key 1')).toBe(before.vault.hash('key 1'))
    expect(ring.active).toBe(keyIdOf(former))
    await rotation.run(signal)
    expect(ring.active).toBe(keyIdOf(secret))
    expect(await textsOf(userId, vault)).toEqual(all)
    expect((await store.identity.secret()).resealedKey).toBe('')
    time.now = 60_000
    await rotation.run(signal)
    expect((await store.identity.secret()).resealedKey).toBe(keyIdOf(secret))
    const after = await open({ secret })
    expect(await textsOf(userId, after.vault)).toEqual(all)
    expect(after.vault.hash('key 1')).toBe(before.vault.hash('key 1'))
  })

  it('refuses the former secret alone, and another one, once the next one is active', async () => {
    await open({ secret: former })
    const { rotation } = await open({ secret, former })
    await rotation.run(signal)
    for (const wrong of [former, 'a secret of another installation, long enough']) {
      const refused = await open({ secret: wrong }).then(
        () => 'opened',
        (error: Error) => error.message,
      )
      expect(refused).toContain('used with another secret')
    }
  })

  it('goes on where a killed process stopped, and opens everything meanwhile', async () => {
    const before = await open({ secret: former })
    const userId = await fill(before.vault)
    const killed = await open({ secret, former })
    const ending = new AbortController()
    const running = killed.rotation.run(ending.signal)
    await Bun.sleep(30)
    ending.abort()
    await running
    const { vault, rotation, time } = await open({ secret, former })
    expect(await textsOf(userId, vault)).toEqual(all)
    for (time.now = 20_000; time.now < 60_000; time.now += 10_000) await rotation.run(signal)
    expect(await textsOf(userId, (await open({ secret })).vault)).toEqual(all)
  })

  it('waits for every node to open what the next key seals', async () => {
    await open({ secret: former })
    let accepts = false
    const { ring, rotation } = await open({ secret, former }, { everyNodeAccepts: async () => accepts })
    await rotation.run(signal)
    expect(ring.active).toBe(keyIdOf(former))
    accepts = true
    await rotation.run(signal)
    expect(ring.active).toBe(keyIdOf(secret))
  })

  it('takes a next secret up while it runs, and puts it in the place of the former one', async () => {
    const disk: { current: string; next?: string } = { current: former }
    const files = {
      read: () => disk.next,
      keep() {
        disk.current = disk.next ?? ''
        delete disk.next
      },
    }
    const { rotation, ring, vault, time } = await open({ secret: former }, { next: files })
    const userId = await fill(vault)
    await rotation.run(signal)
    disk.next = secret
    for (time.now = 20_000; time.now < 60_000; time.now += 10_000) await rotation.run(signal)
    expect({ ...disk, keys: ring.ids }).toEqual({ current: secret, keys: [keyIdOf(secret)] })
    expect(await textsOf(userId, vault)).toEqual(all)
  })

  it('seals anew what former versions sealed, and records the hash key of their secret', async () => {
    const firstVault = createVault(former)
    const userId = await fill({ ...firstVault, seal: (text) => sealedInFirstForm(text, former) })
    const { vault, rotation, ring, time } = await open({ secret: former })
    expect(vault.hash('key 1')).toBe(firstVault.hash('key 1'))
    expect(await textsOf(userId, vault)).toEqual(all)
    for (time.now = 20_000; time.now < 60_000; time.now += 10_000) await rotation.run(signal)
    const factor = await store.secondFactors.find(userId)
    expect(factor?.secretSealed).toStartWith(ring.prefix)
    expect(await textsOf(userId, vault)).toEqual(all)
  })

  it('seals in the first form while a program may run that reads no other, and anew afterwards', async () => {
    await testStore.sql(`update database_identity set oldest_program = '0003-fleet'`)
    const { vault, rotation, ring, time } = await open({ secret })
    const userId = await fill(vault)
    const sealed = async () => (await store.secondFactors.find(userId))?.secretSealed
    expect(await sealed()).not.toStartWith('v2.')
    expect(createVault(secret).open((await sealed()) ?? '', sealContexts.secondFactor(userId))).toBe('totp')
    for (time.now = 20_000; time.now < 60_000; time.now += 10_000) await rotation.run(signal)
    expect(await sealed()).toStartWith(ring.prefix)
    expect(await textsOf(userId, vault)).toEqual(all)
  })

  it('changes nothing while a node lives that reads the first form alone', async () => {
    await testStore.sql(`update database_identity set oldest_program = '0003-fleet'`)
    const identity = { ...store.identity, adoptStoredForms: async () => false }
    const { vault, rotation, ring } = await open({ secret, former }, { store: { ...store, identity } })
    const userId = await fill(vault)
    await rotation.run(signal)
    expect([ring.namesKeys, ring.active]).toEqual([false, keyIdOf(former)])
    expect((await store.secondFactors.find(userId))?.secretSealed).not.toStartWith('v2.')
  })
})
