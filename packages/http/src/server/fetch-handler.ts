import type { ReadableStreamDefaultReader } from 'node:stream/web'
import type { DisconnectListener, InboundRequest } from './inbound-request.ts'
import type { BodySink, Reply, StreamedBody } from './reply.ts'

/**
 * A `Response` whose body is sent while it is made, under back-pressure; bodies of other responses are collected first.
 * Its body is cancelled when the caller hangs up. One that fails is broken off.
 */
export class StreamedResponse extends Response {}

/** Pipes a web stream to a caller: read no faster than they take it. */
class PipedStream implements StreamedBody, DisconnectListener {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #disconnected = Promise.withResolvers<void>()

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** The caller hung up. */
  disconnected(): void {
    this.#disconnected.resolve()
    // The caller is gone: an error while closing no longer has a recipient.
    this.#reader.cancel().catch(() => undefined)
  }

  pipe(sink: BodySink): void {
    this.#pump(sink).catch(() => sink.abort())
  }

  async #pump(sink: BodySink): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) return sink.end('')
      if (!sink.write([value])) await this.#drained(sink)
    }
  }

  #drained(sink: BodySink): Promise<void> {
    return Promise.race([
      this.#disconnected.promise,
      new Promise<void>((resolve) => sink.whenDrained(resolve)),
    ])
  }
}

type FetchHandler = (request: Request) => Response | Promise<Response>

/**
 * Passes a request to a handler for the platform's `Request` and `Response`. `HEAD` reaches it as `GET`: the response then
 * has its length, and the server leaves the body out.
 */
export async function replyByFetch(inbound: InboundRequest, handle: FetchHandler): Promise<Reply> {
  const request = requestOf(inbound)
  // The platform takes a method that it does not know for GET.
  if (request.method !== fetchMethod(inbound)) return { status: 501, headers: {}, body: '' }
  return replyOf(await handle(request), inbound)
}

/** An address needs one; what `Host` says may not make an address, and is among the headers. */
const anyOrigin = 'http://localhost'

function requestOf(inbound: InboundRequest): Request {
  const { target, headers } = inbound
  const method = fetchMethod(inbound)
  const hasBody = method !== 'GET' && headers.framing !== 0
  return new Request(anyOrigin + target, {
    method,
    headers: [...headers.entries()],
    ...(hasBody && { body: streamOf(inbound), duplex: 'half' }),
  })
}

function fetchMethod({ method }: InboundRequest): string {
  return method === 'HEAD' ? 'GET' : method
}

function streamOf(inbound: InboundRequest): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value } = await inbound.read()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** Fields that the server sets itself. */
const framingFields = new Set(['content-length', 'transfer-encoding', 'connection', 'date'])

async function replyOf(response: Response, inbound: InboundRequest): Promise<Reply> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of response.headers) if (!framingFields.has(name)) headers[name] = value
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const { body } = response
  if (response instanceof StreamedResponse && body !== null)
    return { status: response.status, headers, body: piped(body, inbound) }
  return { status: response.status, headers, body: await response.bytes() }
}

function piped(stream: ReadableStream<Uint8Array>, inbound: InboundRequest): PipedStream {
  const body = new PipedStream(stream)
  inbound.onDisconnect(body)
  return body
}
