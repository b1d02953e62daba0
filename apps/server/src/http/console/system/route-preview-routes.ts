import { calls } from '@tollgate/api'
import type { RouteSimulator } from '../../../channels/simulate/route-simulator.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** Which way calls go, and would go, for administrators. */
export function routePreviewRoutes({ simulator }: { readonly simulator: RouteSimulator }): ConsoleRoute[] {
  return [
    route(calls.routes.preview, ({ query }) => simulator.preview(query)),
    route(calls.routes.whatIf, ({ body }) => simulator.whatIf(body)),
  ]
}
