import { describe, expect, it } from 'bun:test'
import { createEventBus } from '../lib/event-bus.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import { createPresentedKeys } from './presented-keys.ts'
import type { DirectoryToken, TokenDirectory } from './token-directory.ts'

const token = (name: string): DirectoryToken => ({
  id: 1,
  userId: 1,
  name,
  status: 'enabled',
  expiresAt: null,
  unlimited: true,
  modelLimits: null,
  allowedAddresses: null,
  group: '',
})

function presentedTo(maximum: number) {
  const tokens = new Map<string, DirectoryToken | null>()
  const hashed: string[] = []
  const looked: string[] = []
  const events = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const directory = {
    peek(hash: string) {
      looked.push(hash)
      return tokens.get(hash)
    },
    find: async (hash: string) => tokens.get(hash) ?? undefined,
  } satisfies TokenDirectory
  function hash(key: string) {
    hashed.push(key)
    return `hash of ${key}`
  }
  function change(key: string, changed: DirectoryToken | null) {
    tokens.set(`hash of ${key}`, changed)
    events.publish('token-changed', { id: 1, keyHash: `hash of ${key}` })
  }
  const keys = createPresentedKeys({ directory, hash, events, maximum, maximumHashes: maximum })
  return { keys, hashed, looked, tokens, change }
}

describe('presented keys', () => {
  it('are hashed and looked up once, until they change', async () => {
    const { keys, hashed, looked, tokens, change } = presentedTo(10)
    expect(keys.peek('a')).toBeUndefined()
    expect(await keys.find('a')).toBeUndefined()
    tokens.set('hash of a', token('a'))
    expect(await keys.find('a')).toMatchObject({ name: 'a' })
    for (let call = 0; call < 5; call += 1) {
      expect(keys.peek('a')).toMatchObject({ name: 'a' })
      change('another', token('another'))
    }
    expect(hashed).toEqual(['a'])
    expect(looked).toEqual(['hash of a', 'hash of a'])
  })

  it('show an edit, a deletion and a return at once', () => {
    const { keys, change } = presentedTo(10)
    change('a', token('a'))
    change('b', token('b'))
    expect([keys.peek('a')?.name, keys.peek('b')?.name]).toEqual(['a', 'b'])
    change('a', token('renamed'))
    expect([keys.peek('a')?.name, keys.peek('b')?.name]).toEqual(['renamed', 'b'])
    change('a', null)
    expect([keys.peek('a'), keys.peek('a')]).toEqual([null, null])
    change('a', token('back'))
    expect(keys.peek('a')).toMatchObject({ name: 'back' })
  })

  it('of more tokens than are remembered are found all the same', () => {
    const { keys, hashed, change } = presentedTo(3)
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) change(name, token(name))
    for (let round = 0; round < 3; round += 1)
      expect(names.map((name) => keys.peek(name)?.name)).toEqual(names)
    expect(hashed.length).toBeGreaterThanOrEqual(names.length)
  })

  it('that are used stay known while guesses come and go', () => {
    const { keys, hashed } = presentedTo(10)
    for (let guess = 0; guess < 1000; guess += 1) {
      keys.peek(`guess ${guess}`)
      keys.peek('used')
    }
    expect(hashed.filter((key) => key === 'used')).toEqual(['used'])
    expect(hashed).toHaveLength(1001)
    keys.peek('guess 0')
    expect(hashed).toHaveLength(1002)
  })
})
