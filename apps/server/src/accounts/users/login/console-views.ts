import { mayUsePart } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor, AuditEvent } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import { refusalOf } from '../manage/ranks.ts'
import { activeUser } from '../stored-users.ts'
import type { DirectoryUser, UserDirectory } from '../user-directory.ts'
import { sessionHash } from './credentials.ts'
import type { SecurityEvents } from './security-events.ts'
import type { Device } from './sessions.ts'

/** Seconds after which a view ends by itself. */
const viewSeconds = 30 * 60

interface Dependencies extends Pick<Services, 'store' | 'clock' | 'auditLog'> {
  readonly directory: Pick<UserDirectory, 'find'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
}

/**
 * Sessions in which an administrator sees the console as a user does. A view hangs on the administrator's own session and on their rank
 * at each call; it has no credential of its own, and the guard refuses it everything but reading.
 */
export function createConsoleViews({ store, clock, auditLog, directory, securityEvents }: Dependencies) {
  return {
    /** Starts a view of a user of lower rank; returns the user and when the view ends. Records it for administrators and the user. */
    async start(
      actor: Actor,
      sessionId: string,
      userId: number,
      device: Device,
    ): Promise<{ readonly user: User; readonly endsAt: number }> {
      const user = activeUser(await store.users.find(userId), 'user_unknown')
      const refusal = refusalOf(actor, user, 'enable')
      if (refusal !== undefined) throw new Refusal(refusal)
      if (user.status === 'banned') throw new Refusal('user_banned')
      const startedAt = unixSeconds(clock)
      const expiresAt = startedAt + viewSeconds
      const view = { userId, viewerId: actor.userId, address: actor.address, startedAt, expiresAt }
      await store.transaction(async (tx) => {
        await tx.consoleViews.start({ ...view, sessionHash: sessionHash(sessionId) })
        await auditLog.record(actor, eventOf('user.view-start', user, { ends_at: expiresAt }), tx)
      })
      await securityEvents.record({ user, kind: 'viewed', detail: actor.username, device })
      return { user, endsAt: expiresAt }
    },

    /** Ends the view of a session; one that is over is ended already. */
    async end(actor: Actor, sessionId: string, userId: number): Promise<void> {
      const user = await store.users.find(userId)
      await store.transaction(async (tx) => {
        if (!(await tx.consoleViews.end(sessionHash(sessionId), userId))) return
        await auditLog.record(actor, eventOf('user.view-end', user ?? { id: userId }, { by: 'viewer' }), tx)
      })
    },

    /** The user as whom the owner of a session sees the console now; undefined where they see none, or no longer may. */
    async find(sessionId: string, viewer: DirectoryUser, userId: number): Promise<DirectoryUser | undefined> {
      if (!mayUsePart(viewer, 'users') || viewer.status === 'banned') return undefined
      const user = await directory.find(userId)
      if (user === undefined || refusalOf({ ...viewer, userId: viewer.id }, user, 'enable') !== undefined)
        return undefined
      const isOpen = await store.consoleViews.has(sessionHash(sessionId), userId, unixSeconds(clock))
      return isOpen ? user : undefined
    },

    /** Housekeeping: ends views whose time or session is over, each with its record. */
    async endOver(): Promise<void> {
      await store.transaction(async (tx) => {
        for (const { viewerId, userId, address } of await tx.consoleViews.endOver(unixSeconds(clock))) {
          const people = await tx.users.listByIds([viewerId, userId])
          const viewer = people.get(viewerId)
          const actor = {
            ...{ userId: viewerId, username: viewer?.username ?? '', role: viewer?.role ?? 'admin' },
            address,
          } as const
          const user = people.get(userId) ?? { id: userId }
          await auditLog.record(actor, eventOf('user.view-end', user, { by: 'time' }), tx)
        }
      })
    },
  }
}

export type ConsoleViews = ReturnType<typeof createConsoleViews>

function eventOf(
  action: 'user.view-start' | 'user.view-end',
  { id, username = '' }: Partial<Pick<User, 'username'>> & Pick<User, 'id'>,
  after: object,
): AuditEvent {
  return { action, target: { kind: 'user', id, name: username }, after }
}
