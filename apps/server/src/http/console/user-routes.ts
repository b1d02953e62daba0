import { calls } from '@tollgate/api'
import type { Ledger } from '../../billing/ledger-types.ts'
import { sessionLifetimeSeconds } from '../../users/sessions.ts'
import type { Users } from '../../users/users.ts'
import { type ConsoleRoute, route } from './route.ts'
import { clearedSessionCookie, sessionCookie } from './session-cookie.ts'
import { toSessionUser, toWireUser } from './user-wire.ts'

interface Dependencies {
  readonly users: Pick<Users, 'login' | 'logout' | 'getUser'>
  readonly ledger: Pick<Ledger, 'balance' | 'unflushed'>
  /** Names of models that someone of a group reaches through all groups open to them; sorted, each once. */
  readonly modelsOf: (group: string) => readonly string[]
}

export function userRoutes({ users, ledger, modelsOf }: Dependencies): ConsoleRoute[] {
  return [
    route(calls.users.login, async ({ body }, { sessionId, secure, responseHeaders }) => {
      const login = await users.login({ ...body, sessionId })
      responseHeaders.append('set-cookie', sessionCookie(login.sessionId, sessionLifetimeSeconds, secure))
      return { data: toSessionUser(login.user) }
    }),
    route(calls.users.logout, async (_, { sessionId, secure, responseHeaders }) => {
      await users.logout(sessionId)
      responseHeaders.append('set-cookie', clearedSessionCookie(secure))
      return { data: undefined }
    }),
    route(calls.users.self, async (_, { caller }) => ({
      data: toWireUser(await users.getUser(caller.userId), ledger),
    })),
    route(calls.users.models, async (_, { caller }) => ({ data: [...modelsOf(caller.group)] })),
  ]
}
