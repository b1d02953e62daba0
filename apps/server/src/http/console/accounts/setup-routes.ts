import { calls } from '@tollgate/api'
import type { Setup } from '../../../users/setup.ts'
import type { SetupCode } from '../../../users/setup-code.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { successMessages } from '../success-messages.ts'

interface Dependencies {
  readonly setup: Pick<Setup, 'isDone' | 'status' | 'run'>
  readonly setupCode: SetupCode
}

/** First come is root, so a visitor from another machine has to know the code that this one printed. */
export function setupRoutes({ setup, setupCode }: Dependencies): ConsoleRoute[] {
  return [
    route(calls.setup.read, async (_, { isLocal }) => {
      const status = await setup.status()
      return { data: { ...status, code_required: !status.status && !isLocal } }
    }),
    route(calls.setup.run, async ({ body }, { language, isLocal }) => {
      if (!isLocal && !(await setup.isDone())) setupCode.check(body.code)
      await setup.run(body)
      return { data: undefined, message: successMessages.setup[language] }
    }),
  ]
}
