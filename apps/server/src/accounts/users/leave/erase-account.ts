import { unixSeconds } from '@tollgate/base'
import { gatewayActor } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import { eraseLog } from './erase-log.ts'

type Dependencies = Pick<Services, 'store' | 'auditLog' | 'bus' | 'clock'>

/** Returns the name of an erased account. */
function erasedName(id: number): string {
  return `deleted-${id}`
}

/** Takes everything personal of deleted accounts out of the database; sums and numbers stay, of nobody. */
export function createErasure({ store, auditLog, bus, clock }: Dependencies) {
  /** The log goes first, so that a crash leaves an account that is erased again. Returns false where nothing is left to erase. */
  async function erase(id: number): Promise<boolean> {
    const user = await store.users.find(id)
    if (user === undefined || !isErasable(user)) return false
    let isDone = false
    await store.people.overwriting(async () => {
      await eraseLog(store, user, erasedName(id))
      isDone = await store.transaction((tx) => eraseTables(tx, id))
    })
    bus.publish('user-changed', { id })
    return isDone
  }

  async function eraseTables(tx: Store, id: number): Promise<boolean> {
    const user = await tx.users.lock(id)
    // It may have been brought back meanwhile; its log is of nobody then.
    if (user === undefined || !isErasable(user)) return false
    await tx.people.erase(id, unixSeconds(clock))
    const target = { kind: 'user', id, name: erasedName(id) } as const
    await auditLog.record(gatewayActor, { action: 'user.erase', target }, tx)
    return true
  }

  return {
    erase,
    /** Erases accounts that were deleted before `time`, one after the other. */
    async eraseDue(time: number): Promise<number> {
      let erased = 0
      for (const id of await store.people.dueForErasure(time)) if (await erase(id)) erased += 1
      return erased
    },
  }
}

export type Erasure = ReturnType<typeof createErasure>

function isErasable({ deletedAt, erasedAt }: User): boolean {
  return deletedAt !== null && erasedAt === null
}
