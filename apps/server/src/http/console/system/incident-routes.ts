import { calls } from '@tollgate/api'
import type { Incidents } from '../../../operations/incidents/manage-incidents.ts'
import { type ConsoleRoute, pageResult, pageWindow, route } from '../route.ts'

/** Routes of the causes of problems, for administrators. */
export function incidentRoutes({ incidents }: { readonly incidents: Incidents }): ConsoleRoute[] {
  return [
    route(calls.incidents.list, async ({ query }, { caller }) => {
      const found = await incidents.list(caller, query, pageWindow(query))
      return { ...pageResult(query, found, (row) => row), quiet: found.quiet }
    }),
    route(calls.incidents.accept, ({ params, body }, { actor }) => incidents.accept(actor, params.id, body)),
    route(calls.incidents.wake, ({ params }, { actor }) => incidents.wake(actor, params.id)),
  ]
}
