import { calls } from '@tollgate/api'
import type { Setup } from '../../users/setup.ts'
import { type ConsoleRoute, route } from './route.ts'
import { successMessages } from './success-messages.ts'

export function setupRoutes({ setup }: { readonly setup: Setup }): ConsoleRoute[] {
  return [
    route(calls.setup.read, async () => ({ data: await setup.status() })),
    route(calls.setup.run, async ({ body }, { language }) => {
      await setup.run(body)
      return { data: undefined, message: successMessages.setup[language] }
    }),
  ]
}
