import { randomBytes } from 'node:crypto'
import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import { sha256 } from '../lib/crypto.ts'
import { createReadThroughCache } from '../lib/read-through-cache.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Session } from '../store/entities.ts'
import type { Store } from '../store/store.ts'

export const sessionLifetimeSeconds = 30 * 24 * 3600

const idBytes = 32
const idForm = /^[\w-]{43}$/
const maximumCached = 10_000
/** How long a cached session is used without reading it again: another node's logout is noticed after at most this. */
const believedMs = 30_000

/** Login sessions: opaque random ids that only the browser knows, each good for one user. */
export interface Sessions {
  /** The new session's id, for the cookie. */
  create(userId: number): Promise<string>
  /** Whose session it is; `undefined` when it is unknown, expired or ended. */
  find(id: string): Promise<number | undefined>
  /** Whether memory knows the session, so that asking costs no read of the database. */
  isHeld(id: string): boolean
  end(id: string): Promise<void>
  /** Ends all sessions of a user: password change, ban, deletion. */
  endAllOf(userId: number): Promise<void>
  /** Housekeeping: forgets sessions that can no longer be used. */
  deleteExpired(): Promise<void>
}

/** As the store knows a session. */
export const sessionHash = sha256

interface Dependencies {
  readonly store: { readonly sessions: Store['sessions'] }
  readonly events: ChangeBus
  readonly clock: Clock
  /** For the age of cached sessions. */
  readonly monotonic?: Clock
}

export function createSessions({ store, events, clock, monotonic = monotonicClock }: Dependencies): Sessions {
  const cache = createReadThroughCache<string, Session>({
    load: (idHash) => store.sessions.find(idHash, unixSeconds(clock)),
    maximum: maximumCached,
    absentMs: believedMs,
    presentMs: believedMs,
    clock: monotonic,
  })
  const dropOf = (userId: number) => cache.dropWhere((session) => session.userId === userId)
  // Another node that changed a password or ended sessions announces the user: cached sessions are older.
  events.subscribe('user-changed', ({ id }) => dropOf(id))

  return {
    async create(userId) {
      const id = randomBytes(idBytes).toString('base64url')
      const createdAt = unixSeconds(clock)
      const expiresAt = createdAt + sessionLifetimeSeconds
      await store.sessions.create({ idHash: sessionHash(id), userId, createdAt, expiresAt })
      return id
    },
    async find(id) {
      if (!idForm.test(id)) return undefined
      const session = await cache.find(sessionHash(id))
      return session !== undefined && session.expiresAt > unixSeconds(clock) ? session.userId : undefined
    },
    isHeld: (id) => idForm.test(id) && cache.peek(sessionHash(id)) !== undefined,
    async end(id) {
      const idHash = sessionHash(id)
      await store.sessions.delete(idHash)
      cache.drop(idHash)
    },
    async endAllOf(userId) {
      await store.sessions.deleteOfUser(userId)
      dropOf(userId)
    },
    deleteExpired: () => store.sessions.deleteExpired(unixSeconds(clock)),
  }
}
