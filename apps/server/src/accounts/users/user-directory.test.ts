import { afterAll, describe, expect, it } from 'bun:test'
import { defaultAdminParts } from '@tollgate/api'
import { createEventBus } from '../../lib/async/event-bus.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { newUser } from '../../store/contract/samples.ts'
import { closeTestStores, sharedTestStore } from './test-support/test-store.ts'
import { createUserDirectory } from './user-directory.ts'

afterAll(closeTestStores)

async function withUser(fields: Parameters<typeof newUser>[0] = {}) {
  const store = await sharedTestStore()
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const user = await store.users.create(newUser(fields))
  return { store, bus, user, directory: createUserDirectory({ store, bus }) }
}

describe('user directory', () => {
  it('holds the fields that calls need, and no password', async () => {
    const setting = JSON.stringify({ accept_unset_model_ratio_model: true, quota_warning_threshold: 5 })
    const { directory, user } = await withUser({ username: 'ann', role: 'admin', group: 'vip', setting })
    expect(directory.peek(user.id)).toBeUndefined()
    expect(await directory.find(user.id)).toEqual({
      id: user.id,
      username: 'ann',
      role: 'admin',
      parts: defaultAdminParts,
      status: 'enabled',
      group: 'vip',
      requestsPerMinute: 0,
      tokensPerMinute: 0,
      concurrency: 0,
      acceptsUnpricedModels: true,
      keepsFailedCalls: false,
      quotaWarningThreshold: 5,
    })
    expect(directory.peek(user.id)).toMatchObject({ username: 'ann' })
  })

  it('has a change as soon as it is announced, and never a deleted user', async () => {
    const { directory, store, bus, user } = await withUser()
    await directory.find(user.id)
    await store.users.update(user.id, { group: 'vip' })
    bus.publish('user-changed', { id: user.id })
    expect(await directory.find(user.id)).toMatchObject({ group: 'vip' })
    await store.users.update(user.id, { deletedAt: 1 })
    bus.publish('user-changed', { id: user.id })
    expect(await directory.find(user.id)).toBeUndefined()
    expect(directory.peek(user.id)).toBeNull()
  })
})
