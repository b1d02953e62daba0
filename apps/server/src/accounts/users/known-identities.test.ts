import { afterAll, beforeAll, expect, it } from 'bun:test'
import { systemClock } from '@tollgate/base'
import { createVault } from '../../lib/crypto.ts'
import { sqliteForTests, type TestStore } from '../../store/contract/place.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { createKnownIdentities, emailClaim, type KnownIdentities } from './known-identities.ts'

let testStore: TestStore
let store: Store
let known: KnownIdentities

beforeAll(async () => {
  testStore = await sqliteForTests.createTestStore()
  store = await openStore(testStore.config)
  const vault = createVault('a master key for tests, long enough to be one')
  known = createKnownIdentities({ vault, clock: systemClock })
})
afterAll(async () => {
  await store.close()
  await testStore.remove()
})

it('knows an inbox under its aliases, and an account by its provider', async () => {
  const github = { provider: 'github', issuer: '', subject: '4711' } as const
  expect(await known.note(store, [emailClaim('Ann@example.com'), github])).toBe(true)
  expect(await known.note(store, [emailClaim('a.n.n+2@example.com')])).toBe(false)
  expect(await known.note(store, [github])).toBe(false)
  expect(await known.note(store, [{ ...github, provider: 'linuxdo' }])).toBe(true)
  expect(await known.note(store, [emailClaim('ben@example.com')])).toBe(true)
})

it('counts people as new when all their identities are new, or when they have none', async () => {
  const subject = (text: string) =>
    ({ provider: 'oidc', issuer: 'https://sso.example', subject: text }) as const
  expect(await known.note(store, [subject('1'), emailClaim('one@example.com')])).toBe(true)
  expect(await known.note(store, [subject('2'), emailClaim('one@example.com')])).toBe(false)
  expect(await known.note(store, [subject('2')])).toBe(false)
  expect(await known.note(store, [{ ...subject('2'), issuer: 'https://other.example' }])).toBe(true)
  expect(await known.note(store, [])).toBe(true)
})
