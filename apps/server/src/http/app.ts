import type { PeerLookup } from './client-address.ts'
import { isRelayPath, type RelayEdge } from './relay/relay-edge.ts'
import { hasAddress, pathOf } from './request-path.ts'

interface Dependencies {
  readonly relayEdge: RelayEdge
  /** The console's calls under /api. */
  readonly console: (request: Request, bindings: { server: PeerLookup }) => Response | Promise<Response>
  /** Whether this node can serve now, for load balancers. */
  readonly readiness: () => Promise<Response>
  /** The console's pages: everything else. */
  readonly pages: (request: Request) => Response | Promise<Response>
}

export type Application = (request: Request, server: PeerLookup) => Response | Promise<Response>

/** The runtime leaves the address of such a request a bare path, which the console's router cannot read. */
function badHost(): Response {
  return Response.json(
    {
      error: { message: 'The Host header is not a host', type: 'invalid_request_error', param: '', code: '' },
    },
    { status: 400 },
  )
}

/** Sends each request to the part of the house it is for. */
export function createApplication({ relayEdge, console, readiness, pages }: Dependencies): Application {
  return (request, server) => {
    if (!hasAddress(request.url)) return badHost()
    const path = pathOf(request.url)
    if (isRelayPath(path)) return relayEdge(request, path, server)
    if (path.startsWith('/api/') || path === '/api') return console(request, { server })
    if (path === '/readyz') return readiness()
    return pages(request)
  }
}
