import { acts, type Call, calls } from '@tollgate/api'
import { type InboundRequest, type Reply, replyByFetch } from '@tollgate/http/server'
import { createAllowedMethods, methodNotAllowed, readMethods } from './allowed-methods.ts'
import type { EdgeBindings } from './client-address.ts'
import { metricsPath } from './metrics-endpoint.ts'
import { isRelayPath } from './relay/paths.ts'
import type { RelayEdge } from './relay/relay-edge.ts'
import { pathOf } from './request-path.ts'

interface Dependencies {
  readonly relayEdge: RelayEdge
  /** The console's calls under /api. */
  readonly console: (request: Request, bindings: EdgeBindings) => Response | Promise<Response>
  /** Responds with whether this node can serve now, for load balancers. */
  readonly readiness: () => Promise<Response>
  /** Metrics for a scraper; absent where this address does not show them. */
  readonly metrics?: ((request: Request) => Promise<Response>) | undefined
  /** The console's pages: everything else. */
  readonly pages: (request: Request) => Response | Promise<Response>
  /** `Strict-Transport-Security` of the console for the sender of a request; `undefined` where it gets none. */
  readonly transportSecurity: (sender: InboundRequest) => string | undefined
}

const consoleMethods = createAllowedMethods(
  Object.values(calls)
    .flatMap((room) => Object.values<Call>(room))
    .flatMap((call) => [{ ...call, acts: acts(call) }, ...preflightOf(call)]),
)

/** A browser asks before it sends a key from another site. */
function preflightOf({ access, path }: Call) {
  return access === 'relay-key' ? [{ method: 'OPTIONS', path }] : []
}

/** Routes each request to the relay, the console's calls, the readiness check or the console's pages. @step */
export function createApplication(deps: Dependencies) {
  const { relayEdge, console, readiness, metrics, pages, transportSecurity } = deps

  async function secured(inbound: InboundRequest, response: Response | Promise<Response>): Promise<Response> {
    const sent = await response
    const value = transportSecurity(inbound)
    if (value !== undefined) sent.headers.set('strict-transport-security', value)
    return sent
  }

  return (inbound: InboundRequest): Promise<Reply> => {
    const path = pathOf(inbound.target)
    if (isRelayPath(path)) return relayEdge(inbound, path)
    const isConsole = path.startsWith('/api/') || path === '/api'
    const refused = methodNotAllowed(inbound.method, path, isConsole ? consoleMethods(path) : readMethods)
    if (refused !== undefined) return Promise.resolve(refused)
    if (isConsole)
      return replyByFetch(inbound, (request) => secured(inbound, console(request, { sender: inbound })))
    if (path === metricsPath && metrics !== undefined) return replyByFetch(inbound, metrics)
    if (path === '/readyz') return replyByFetch(inbound, readiness)
    return replyByFetch(inbound, (request) => secured(inbound, pages(request)))
  }
}
