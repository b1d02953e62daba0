import { randomBytes } from 'node:crypto'
import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import { createReadThroughCache } from '../../../lib/async/read-through-cache.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { Session } from '../../../store/accounts/sessions.ts'
import type { CredentialState } from '../../../store/accounts/verified-account.ts'
import { type AccountOwner, type Credentials, sessionHash } from './credentials.ts'
import { createSightings } from './sightings.ts'

const idBytes = 32
const idForm = /^[\w-]{43}$/
const maxCached = 10_000
/** Time for which a cached session is used without another read: at most this long after a logout on another node. */
const believedMs = 30_000

const userAgentMaxLength = 300
const listedSessions = 100

/** The details by which an owner recognizes a session. */
export interface Device {
  readonly userAgent: string
  readonly address: string
}

/** A session as its owner may see it. */
export interface OwnSession extends Device {
  /** Start of the id's hash: names the session, and opens nothing. */
  readonly id: string
  readonly isCurrent: boolean
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** Length of the part of a hash that identifies one of a user's sessions. */
const visibleIdLength = 16

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'clock' | 'logger' | 'settings'> {
  readonly credentials: Pick<Credentials, 'write'>
  /** Clock for the age of cached sessions. */
  readonly monotonic?: Clock
}

const unknownDevice: Device = { userAgent: '', address: '' }

/** Login sessions: opaque random ids that only the browser knows, each good for one user. */
export function createSessions(deps: Dependencies) {
  const { store, credentials, bus, clock, settings, monotonic = monotonicClock } = deps
  const lifetime = () => settings.current.SessionLifetimeHours * 3600
  const cache = createReadThroughCache<string, Session>({
    load: (idHash) => store.sessions.find(idHash, unixSeconds(clock)),
    max: maxCached,
    absentMs: believedMs,
    presentMs: believedMs,
    clock: monotonic,
  })
  const dropOf = (userId: number) => cache.dropWhere((session) => session.userId === userId)
  // Another node that changed a password or ended sessions announces the user: cached sessions are older.
  bus.subscribe('user-changed', ({ id }) => dropOf(id))
  bus.subscribe('everything-changed', () => cache.clear())
  const noteSeen = createSightings({
    ...deps,
    name: 'a session',
    write: (idHash, at) => store.sessions.touch(idHash, at),
  })

  /** The options hold for sessions from before they were changed, too. */
  function isOver({ createdAt, lastSeenAt, expiresAt }: Session): boolean {
    const now = unixSeconds(clock)
    const idleSeconds = settings.current.SessionIdleHours * 3600
    if (expiresAt <= now || createdAt + lifetime() <= now) return true
    return idleSeconds > 0 && lastSeenAt + idleSeconds <= now
  }

  return {
    /** Seconds for which the browser may keep a new session's cookie. */
    lifetime,
    /**
     * The new session's id, for the cookie.
     * @param verified the account as the log-in was checked against it
     * @param formerId of a session of the same browser, which ends
     */
    async create(
      verified: CredentialState,
      { userAgent, address }: Device = unknownDevice,
      formerId?: string,
    ): Promise<string> {
      const id = randomBytes(idBytes).toString('base64url')
      const createdAt = unixSeconds(clock)
      const session = {
        idHash: sessionHash(id),
        createdAt,
        expiresAt: createdAt + lifetime(),
        userAgent: userAgent.slice(0, userAgentMaxLength),
        address,
        lastSeenAt: createdAt,
        provenAt: createdAt,
      }
      await credentials.write(verified, async (tx, account) => {
        if (formerId !== undefined) await tx.sessions.delete(sessionHash(formerId))
        await tx.sessions.create(account, session)
      })
      if (formerId !== undefined) cache.drop(sessionHash(formerId))
      return id
    },
    /** The session's owner, and when they proved their identity; `undefined` when it is unknown, expired or ended. */
    async find(id: string): Promise<Pick<Session, 'userId' | 'provenAt'> | undefined> {
      if (!idForm.test(id)) return undefined
      const session = await cache.find(sessionHash(id))
      if (session === undefined || isOver(session)) return undefined
      noteSeen(session.idHash, session.lastSeenAt)
      return session
    },
    /** Its owner has proven their identity again, as the account was at the start of the call. */
    async markProven({ user, sessionId = '' }: AccountOwner): Promise<void> {
      const idHash = sessionHash(sessionId)
      await credentials.write(user, async (tx, account) => {
        if (!(await tx.sessions.markProven(account, idHash, unixSeconds(clock))))
          throw new Refusal('not_logged_in')
      })
      cache.drop(idHash)
    },
    /** Decides whether memory has the session, so that a look-up costs no read of the database. */
    isCached: (id: string): boolean => idForm.test(id) && cache.peek(sessionHash(id)) !== undefined,
    async end(id: string): Promise<void> {
      const idHash = sessionHash(id)
      await store.sessions.delete(idHash)
      cache.drop(idHash)
    },
    /** Last seen first, at most 100. `currentId` is that of the session that asks. */
    async listOwn(userId: number, currentId: string): Promise<OwnSession[]> {
      const sessions = await store.sessions.listOwn(userId, unixSeconds(clock), listedSessions)
      const current = sessionHash(currentId)
      return sessions.map((session) => toOwnSession(session, current))
    },
    /** Ends the user's session with that id: here at once, on other nodes with the event. False when there is none. */
    async endOwn(userId: number, visibleId: string): Promise<boolean> {
      const isEnded = await store.sessions.deleteOwn(userId, visibleId)
      // Other nodes drop the user's cached sessions when they receive the event.
      if (isEnded) bus.publish('user-changed', { id: userId })
      return isEnded
    },
    /** Ends all of the user's sessions but one; returns how many. */
    async endOthersOf(userId: number, currentId: string): Promise<number> {
      const ended = await store.sessions.deleteOfUser(userId, sessionHash(currentId))
      if (ended > 0) bus.publish('user-changed', { id: userId })
      return ended
    },
    /** Ends all sessions of a user: password change, ban, deletion. */
    async endAllOf(userId: number): Promise<void> {
      await store.sessions.deleteOfUser(userId)
      dropOf(userId)
    },
    /** Housekeeping: forgets sessions that can no longer be used. */
    deleteExpired: (): Promise<void> => store.sessions.deleteExpired(unixSeconds(clock)),
  }
}

export type Sessions = ReturnType<typeof createSessions>

function toOwnSession(session: Session, currentHash: string): OwnSession {
  const { idHash, userAgent, address, createdAt, lastSeenAt, expiresAt } = session
  const id = idHash.slice(0, visibleIdLength)
  return { id, isCurrent: idHash === currentHash, userAgent, address, createdAt, lastSeenAt, expiresAt }
}
