/** A request that a fake provider received. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly form: URLSearchParams
}

type FakeResponse = object | { readonly status: number; readonly body: string }

export interface ProviderServer {
  readonly url: string
  readonly seen: SeenRequest[]
  /** The newest request for a path. */
  last(path: string): SeenRequest | undefined
  stop(): void
}

/** Serves paths with JSON, or with a status and a text, and records the requests. */
export function startProviderServer(
  paths: Readonly<Record<string, (request: SeenRequest) => FakeResponse | Promise<FakeResponse>>>,
): ProviderServer {
  const seen: SeenRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const requested: SeenRequest = {
        method: request.method,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        form: new URLSearchParams(await request.text()),
      }
      seen.push(requested)
      const response = await paths[pathname]?.(requested)
      if (response === undefined) return new Response('not found', { status: 404 })
      if ('status' in response) return new Response(response.body, { status: response.status })
      return Response.json(response)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    last: (path) => seen.findLast((request) => request.path === path),
    stop: () => server.stop(true),
  }
}
