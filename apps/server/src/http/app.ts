import type { PeerLookup } from './client-address.ts'
import { isRelayPath, type RelayEdge } from './relay/relay-edge.ts'

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

/** Path of a request without its query. Cheaper than a URL object, and this runs for every request. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const query = url.indexOf('?', start)
  return query === -1 ? url.slice(start) : url.slice(start, query)
}

/** Sends each request to the part of the house it is for. */
export function createApplication({ relayEdge, console, readiness, pages }: Dependencies): Application {
  return (request, server) => {
    const path = pathOf(request.url)
    if (isRelayPath(path)) return relayEdge(request, path, server)
    if (path.startsWith('/api/') || path === '/api') return console(request, { server })
    if (path === '/readyz') return readiness()
    return pages(request)
  }
}
