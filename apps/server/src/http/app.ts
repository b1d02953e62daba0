import type { InboundRequest, Reply } from '@tollgate/http/server'
import { replyByFetch } from '@tollgate/http/server'
import type { EdgeBindings } from './client-address.ts'
import { isRelayPath } from './relay/paths.ts'
import type { RelayEdge } from './relay/relay-edge.ts'
import { pathOf } from './request-path.ts'

interface Dependencies {
  readonly relayEdge: RelayEdge
  /** The console's calls under /api. */
  readonly console: (request: Request, bindings: EdgeBindings) => Response | Promise<Response>
  /** Whether this node can serve now, for load balancers. */
  readonly readiness: () => Promise<Response>
  /** The console's pages: everything else. */
  readonly pages: (request: Request) => Response | Promise<Response>
}

/** Sends each request to the part of the server it is for. */
export function createApplication({ relayEdge, console, readiness, pages }: Dependencies) {
  return (inbound: InboundRequest): Promise<Reply> => {
    const path = pathOf(inbound.target)
    if (isRelayPath(path)) return relayEdge(inbound, path)
    if (path.startsWith('/api/') || path === '/api')
      return replyByFetch(inbound, (request) => console(request, { sender: inbound }))
    return replyByFetch(inbound, path === '/readyz' ? readiness : pages)
  }
}
