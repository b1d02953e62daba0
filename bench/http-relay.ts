/**
 * The least relay there can be, by `SIDE`: the server and the client of packages/http (`own`), or those of the platform. It reads the call,
 * sends it to `UPSTREAM`, and passes the response on, a stream as it comes. Prints its port.
 */
import { createHttpClient, type HttpResponse, httpTarget } from '../packages/http/src/client/index.ts'
import {
  type BodySink,
  type InboundRequest,
  type Reply,
  serveHttp,
} from '../packages/http/src/server/index.ts'

const upstream = `${process.env['UPSTREAM']}/v1/chat/completions`
const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' }
const limit = 1024 * 1024

const start = { own: startOwn, platform: startPlatform }[process.env['SIDE'] ?? 'own'] ?? startOwn
process.stdout.write(`${start()}\n`)

function startOwn(): number {
  const client = createHttpClient()
  const target = httpTarget(upstream, new Headers(headers))
  const application = async (request: InboundRequest): Promise<Reply> => {
    const body = await request.buffered(limit)
    const response = await client.send({ target, method: 'POST', body }).response
    const type = response.header('content-type') ?? 'application/json'
    const isStream = type.startsWith('text/event-stream')
    return {
      status: response.status,
      headers: { 'content-type': type },
      body: isStream ? { pipe: (sink) => pipe(response, sink) } : ((await response.buffered(limit)) ?? ''),
    }
  }
  const reply: Reply & { readonly body: string } = { status: 500, headers: {}, body: '' }
  const options = { hostname: '127.0.0.1', port: 0, idleMs: 60_000 }
  return serveHttp({ ...options, application, refusal: () => reply, fault: () => reply }).port
}

function pipe(response: HttpResponse, sink: BodySink): void {
  const listener = {
    piece(bytes: Uint8Array) {
      if (sink.write([bytes])) response.next(listener)
      else sink.whenDrained(() => response.next(listener))
    },
    ended: () => sink.end(''),
    failed: () => sink.abort(),
  }
  response.next(listener)
}

function startPlatform(): number {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.arrayBuffer()
      const response = await fetch(upstream, { method: 'POST', headers, body })
      const type = response.headers.get('content-type') ?? 'application/json'
      const isStream = type.startsWith('text/event-stream')
      return new Response(isStream ? response.body : await response.arrayBuffer(), {
        status: response.status,
        headers: { 'content-type': type },
      })
    },
  })
  return server.port ?? 0
}
