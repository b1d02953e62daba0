import { calls } from '@tollgate/api'
import type { Ledger } from '../../../billing/ledger-types.ts'
import type { HumanCheck } from '../../../users/auth/human-check.ts'
import type { Users } from '../../../users/users.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { clearSession, loginContextOf, respondToLogin } from './login-response.ts'
import { toWireUser } from './user-wire.ts'

interface Dependencies {
  readonly users: Pick<Users, 'login' | 'logout' | 'getUser'>
  readonly checkHuman: HumanCheck
  readonly ledger: Pick<Ledger, 'balance' | 'unflushed'>
  /** Names of models that someone of a group reaches through all groups open to them; sorted, each once. */
  readonly modelsOf: (group: string) => readonly string[]
}

export function userRoutes({ users, checkHuman, ledger, modelsOf }: Dependencies): ConsoleRoute[] {
  return [
    route(calls.users.login, async ({ query, body }, context) => {
      await checkHuman(query.turnstile, context.clientAddress)
      return { data: respondToLogin(await users.login({ ...body, ...loginContextOf(context) }), context) }
    }),
    route(calls.users.logout, async (_, { sessionId, responseHeaders }) => {
      await users.logout(sessionId)
      clearSession({ responseHeaders })
      return { data: undefined }
    }),
    route(calls.users.self, async (_, { caller }) => ({
      data: toWireUser(await users.getUser(caller.userId), ledger),
    })),
    route(calls.users.models, async (_, { caller }) => ({ data: [...modelsOf(caller.group)] })),
  ]
}
