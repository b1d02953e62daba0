import { calls } from '@tollgate/api'
import type { Setup } from '../../users/setup.ts'
import { type ConsoleRoute, route } from './route.ts'

export function setupRoutes({ setup }: { readonly setup: Setup }): ConsoleRoute[] {
  return [
    route(calls.setup.read, async () => ({ data: await setup.status() })),
    route(calls.setup.run, async ({ body }) => {
      await setup.run(body)
      return { data: undefined }
    }),
  ]
}
