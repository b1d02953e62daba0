import { calls, type Session } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { OwnSession, Sessions } from '../../../users/auth/sessions.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** The browsers in which somebody is logged in. */
export function sessionRoutes({ sessions }: { readonly sessions: Sessions }): readonly ConsoleRoute[] {
  return [
    route(calls.sessions.list, async (_, { caller, sessionId = '' }) => ({
      data: (await sessions.listOwn(caller.userId, sessionId)).map(toWire),
    })),
    route(calls.sessions.end, async ({ params }, { caller }) => {
      if (!(await sessions.endOwn(caller.userId, params.id))) throw new Refusal('record_not_found')
      return { data: undefined }
    }),
    route(calls.sessions.endOthers, async (_, { caller, sessionId = '' }) => ({
      data: await sessions.endOthersOf(caller.userId, sessionId),
    })),
  ]
}

function toWire({ id, isCurrent, userAgent, address, ...times }: OwnSession): Session {
  return {
    id,
    current: isCurrent,
    user_agent: userAgent,
    address,
    created_at: times.createdAt,
    last_seen_at: times.lastSeenAt,
    expires_at: times.expiresAt,
  }
}
