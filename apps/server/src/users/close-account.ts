import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import { revokeCredentials } from './auth/revoke-credentials.ts'

interface Dependencies {
  readonly store: Store
  readonly bus: ChangeBus
  readonly clock: Clock
}

/**
 * Closes one's own account. The record stays (its name, address and logs with it), but sessions, access token and API
 * keys stop at once. Refuses for root, without whom nobody could run the installation.
 */
export function createCloseAccount({ store, bus, clock }: Dependencies) {
  return async ({ id, role }: Pick<User, 'id' | 'role'>): Promise<void> => {
    if (role === 'root') throw new Refusal('root_undeletable')
    await store.transaction(async (tx) => {
      await tx.users.update(id, { deletedAt: unixSeconds(clock) })
      await revokeCredentials(tx, [id], 'closed')
    })
    bus.publish('user-changed', { id })
  }
}
