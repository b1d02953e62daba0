import type { InboundRequest } from './inbound-request.ts'
import type { Reply } from './reply.ts'
import { PipedStream, StreamedResponse } from './streamed-response.ts'

type FetchHandler = (request: Request) => Response | Promise<Response>

/**
 * Has a handler that is written for the platform's `Request` and `Response` answer a request. `HEAD` is asked as `GET`: the
 * answer has its length, and the server leaves the body out.
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

/** What the server says itself. */
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
