/** What a local server in the place of a provider was asked. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly form: URLSearchParams
}

type Answer = object | { readonly status: number; readonly body: string }

export interface ProviderServer {
  readonly url: string
  readonly seen: SeenRequest[]
  /** The newest request for a path. */
  last(path: string): SeenRequest | undefined
  stop(): void
}

/** Serves paths with JSON, or with a status and a text, and keeps what it was asked. */
export function startProviderServer(
  paths: Readonly<Record<string, (request: SeenRequest) => Answer | Promise<Answer>>>,
): ProviderServer {
  const seen: SeenRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const asked: SeenRequest = {
        method: request.method,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        form: new URLSearchParams(await request.text()),
      }
      seen.push(asked)
      const answer = await paths[pathname]?.(asked)
      if (answer === undefined) return new Response('not found', { status: 404 })
      if ('status' in answer) return new Response(answer.body, { status: answer.status })
      return Response.json(answer)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    last: (path) => seen.findLast((request) => request.path === path),
    stop: () => server.stop(true),
  }
}
