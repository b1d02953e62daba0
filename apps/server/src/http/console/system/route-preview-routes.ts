import { calls } from '@tollgate/api'
import type { RouteSimulator } from '../../../channels/simulate/route-simulator.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** Routes of the preview of calls, for administrators. */
export function routePreviewRoutes({ simulator }: { readonly simulator: RouteSimulator }): ConsoleRoute[] {
  return [
    route(calls.routes.preview, ({ query }) => simulator.preview(query)),
    route(calls.routes.whatIf, ({ body }) => simulator.whatIf(body)),
  ]
}
