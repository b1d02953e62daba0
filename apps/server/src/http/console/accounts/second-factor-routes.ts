import { calls } from '@tollgate/api'
import type { ResetSecondFactor } from '../../../accounts/users/login/second-factor.ts'
import type { Users } from '../../../accounts/users/users.ts'
import { type ConsoleRoute, route } from '../route.ts'
import {
  clearChallenge,
  clientInfoOf,
  loginContextOf,
  readChallenge,
  startBrowserSession,
} from './browser.ts'

const { secondFactor } = calls

interface Dependencies {
  readonly users: Pick<Users, 'secondFactors' | 'loginFlow' | 'ownerOf'>
  readonly resetSecondFactor: ResetSecondFactor
}

/** Time-based codes: setting them up, and the second step of a login. */
export function secondFactorRoutes({ users, resetSecondFactor }: Dependencies): readonly ConsoleRoute[] {
  const { secondFactors, loginFlow } = users
  return [
    route(secondFactor.status, async (_, { caller }) => {
      const { enabledAt, recoveryCodesLeft } = await secondFactors.status(caller.userId)
      const enabled = enabledAt !== undefined
      return { enabled, ...(enabled && { enabled_at: enabledAt }), recovery_codes_left: recoveryCodesLeft }
    }),
    route(secondFactor.begin, async (_, context) => secondFactors.begin(await users.ownerOf(context))),
    route(secondFactor.confirm, async ({ body }, context) => ({
      recovery_codes: [...(await secondFactors.confirm(await users.ownerOf(context), body.code))],
    })),
    route(secondFactor.disable, async ({ body }, context) =>
      secondFactors.disable(await users.ownerOf(context), body.code),
    ),
    route(secondFactor.renewRecoveryCodes, async ({ body }, context) => ({
      recovery_codes: [...(await secondFactors.renewRecoveryCodes(await users.ownerOf(context), body.code))],
    })),
    route(secondFactor.reset, ({ params }, context) =>
      resetSecondFactor(context.actor, params.id, clientInfoOf(context)),
    ),
    route(secondFactor.login, async ({ body }, context) => {
      const opened = await loginFlow.finish(readChallenge(context), body.code, loginContextOf(context))
      clearChallenge(context)
      return startBrowserSession(opened, context)
    }),
  ]
}
