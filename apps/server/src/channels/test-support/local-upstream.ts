export interface SeenRequest {
  readonly path: string
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** A real upstream on loopback that records its requests and responds as the test says. */
export class LocalUpstream {
  readonly seen: SeenRequest[] = []
  response: (request: Request) => Response | Promise<Response> = healthyResponse
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const text = await request.clone().text()
      this.seen.push({
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: text === '' ? {} : JSON.parse(text),
      })
      return this.response(request)
    },
  })

  get port(): number {
    return Number(this.#server.port)
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Forgets the requests, and responds to chats and embeddings from now on. */
  reset(): void {
    this.seen.length = 0
    this.response = healthyResponse
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }
}

export function chatResponse(): Response {
  return Response.json({
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'length' }],
  })
}

function healthyResponse(request: Request): Response {
  return request.url.endsWith('/embeddings') ? Response.json({ data: [{ embedding: [0] }] }) : chatResponse()
}
