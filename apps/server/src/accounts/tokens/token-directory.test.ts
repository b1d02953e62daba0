import { afterEach, describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { createEventBus } from '../../lib/async/event-bus.ts'
import type { NewToken } from '../../store/accounts/tokens.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { newToken } from '../../store/contract/samples.ts'
import { closeTestStores, openTestStore } from '../users/test-support/test-store.ts'
import { storedHash } from './hashed-key.ts'
import { createTokenDirectory } from './token-directory.ts'

afterEach(closeTestStores)

const plain = newToken(7, { name: 'laptop', keyHash: 'hash of key-1' })

const vault = { hash: (key: string) => `hash of ${key}`, seal: (key: string) => `sealed ${key}` }

async function withToken(fields: Partial<NewToken> = {}) {
  const store = await openTestStore()
  const events = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const directory = createTokenDirectory({ store, events, vault, nowSeconds: () => 1000 })
  const token = await store.tokens.create({ ...plain, ...fields })
  return { store, events, directory, token }
}

describe('token directory', () => {
  it('knows nothing at first, then returns without waiting', async () => {
    const { directory, token } = await withToken()
    expect(directory.peek('key-1')).toBeUndefined()
    expect(await directory.find('key-1')).toEqual({
      id: token.id,
      userId: 7,
      name: 'laptop',
      status: 'enabled',
      isFrozen: false,
      expiresAt: null,
      unlimited: false,
      modelLimits: null,
      allowedAddresses: null,
      group: '',
      requestsPerMinute: 0,
      tokensPerMinute: 0,
      concurrency: 0,
    })
    expect(directory.peek('key-1')).toMatchObject({ name: 'laptop' })
  })

  it('sees an edit, a deletion and a new key as soon as they are announced', async () => {
    const { directory, store, events, token } = await withToken()
    await directory.find('key-1')
    await store.tokens.changeOwn(7, [token.id], { name: 'renamed' })
    events.publish('token-changed', { id: token.id, keyHash: 'hash of key-1' })
    expect(await directory.find('key-1')).toMatchObject({ name: 'renamed' })
    await store.tokens.changeOwn(7, [token.id], { deletedAt: 1 })
    events.publish('token-changed', { id: token.id, keyHash: 'hash of key-1' })
    expect(await directory.find('key-1')).toBeUndefined()
    expect(directory.peek('key-1')).toBeNull()

    expect(await directory.find('key-2')).toBeUndefined()
    const { id } = await store.tokens.create({ ...plain, keyHash: 'hash of key-2' })
    events.publish('token-changed', { id, keyHash: 'hash of key-2' })
    expect(await directory.find('key-2')).toMatchObject({ id })
  })

  it('compiles limits: none when the switch is off, nothing allowed when the list is empty', async () => {
    const off = await withToken({ modelLimits: ['gpt-4o'] })
    expect((await off.directory.find('key-1'))?.modelLimits).toBeNull()
    const on = await withToken({ modelLimitsEnabled: true, modelLimits: ['gpt-4o'] })
    expect((await on.directory.find('key-1'))?.modelLimits).toEqual(new Set(['gpt-4o']))
    const empty = await withToken({ modelLimitsEnabled: true })
    expect((await empty.directory.find('key-1'))?.modelLimits?.size).toBe(0)
  })

  it('compiles addresses, and closes a key whose list has no readable line', async () => {
    const listed = await withToken({ allowIps: '10.0.0.0/8\n2001:db8::1' })
    const addresses = (await listed.directory.find('key-1'))?.allowedAddresses
    expect(['10.1.2.3', '2001:db8::1', '11.0.0.1', ''].map((address) => addresses?.allows(address))).toEqual([
      true,
      true,
      false,
      false,
    ])
    const broken = await withToken({ allowIps: 'somewhere' })
    expect((await broken.directory.find('key-1'))?.allowedAddresses?.allows('10.0.0.1')).toBe(false)
  })
})

describe('a key that came as a hash', () => {
  const key = 'aB-c_d-1'
  const digest = createHash('sha256').update(`sk-${key}`).digest('hex')

  it('works at once, and is known as a whole from its first use on', async () => {
    const { directory, store, token } = await withToken({ keyHash: storedHash(digest), keySealed: '' })
    expect(await directory.find(key)).toMatchObject({ id: token.id })
    expect(await store.tokens.find(token.id)).toMatchObject({
      keyHash: `hash of ${key}`,
      keySealed: `sealed ${key}`,
      keyHead: 'aB-c',
      keyTail: '_d-1',
    })
    expect(directory.peek(key)).toMatchObject({ id: token.id })
  })

  it('is not opened by its hash, and an unknown key costs one look-up', async () => {
    const { store, events, token } = await withToken({ keyHash: storedHash(digest), keySealed: '' })
    let reads = 0
    const counted = {
      adoptKey: store.tokens.adoptKey,
      listByKeyHashes: (hashes: readonly string[]) => {
        reads += 1
        return store.tokens.listByKeyHashes(hashes)
      },
    }
    const directory = createTokenDirectory({
      store: { tokens: { ...counted, find: store.tokens.find }, formerKeys: store.formerKeys },
      ...{ events, vault, nowSeconds: () => 1000 },
    })
    for (const wrong of [digest, storedHash(digest), `${key}x`])
      expect(await directory.find(wrong)).toBeUndefined()
    for (let round = 0; round < 5; round += 1) await directory.find(`${key}x`)
    expect(reads).toBe(3)
    expect((await store.tokens.find(token.id))?.keySealed).toBe('')
  })
})
