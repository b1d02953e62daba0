import { calls } from '@tollgate/api'
import type { ResetSecondFactor } from '../../../users/auth/reset-second-factor.ts'
import type { Users } from '../../../users/users.ts'
import { type ConsoleRoute, done, route } from '../route.ts'
import { clearChallenge, loginContextOf, readChallenge, startBrowserSession } from './login-response.ts'

const { secondFactor } = calls

interface Dependencies {
  readonly users: Pick<Users, 'secondFactors' | 'loginFlow'>
  readonly resetSecondFactor: ResetSecondFactor
}

/** Time-based codes: setting them up, and the second step of a login. */
export function secondFactorRoutes({ users, resetSecondFactor }: Dependencies): readonly ConsoleRoute[] {
  const { secondFactors, loginFlow } = users
  return [
    route(secondFactor.status, async (_, { caller }) => {
      const { enabledAt, recoveryCodesLeft } = await secondFactors.status(caller.userId)
      const enabled = enabledAt !== undefined
      return {
        data: { enabled, ...(enabled && { enabled_at: enabledAt }), recovery_codes_left: recoveryCodesLeft },
      }
    }),
    route(secondFactor.begin, async (_, { caller }) => ({
      data: await secondFactors.begin({ id: caller.userId, username: caller.username }),
    })),
    route(secondFactor.confirm, async ({ body }, { caller }) => ({
      data: { recovery_codes: [...(await secondFactors.confirm(caller.userId, body.code))] },
    })),
    route(secondFactor.disable, ({ body }, { caller }) =>
      done(secondFactors.disable(caller.userId, body.code)),
    ),
    route(secondFactor.renewRecoveryCodes, async ({ body }, { caller }) => ({
      data: { recovery_codes: [...(await secondFactors.renewRecoveryCodes(caller.userId, body.code))] },
    })),
    route(secondFactor.reset, ({ params }, { actor, language, clientAddress: address }) =>
      done(resetSecondFactor(actor, params.id, { language, address })),
    ),
    route(secondFactor.login, async ({ body }, context) => {
      const opened = await loginFlow.finish(readChallenge(context), body.code, loginContextOf(context))
      clearChallenge(context)
      return { data: startBrowserSession(opened, context) }
    }),
  ]
}
