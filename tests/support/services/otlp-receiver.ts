import { decodeTraceRequest, type ReceivedSpan } from '../protocols/otlp-traces.ts'

/** A collector that takes OTLP over HTTP, as protobuf or JSON, and keeps what it got. */
export interface OtlpReceiver {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Bodies of metrics, as received. */
  readonly metrics: readonly { readonly type: string; readonly body: Uint8Array }[]
  /** Bodies of logs, parsed. */
  readonly logs: readonly unknown[]
  /** Header fields of all requests, oldest first. */
  readonly headers: readonly Headers[]
  /** Status of responses from now on; 200 to begin with. */
  respondWith(status: number): void
  stop(): Promise<void>
}

export function startOtlpReceiver(): OtlpReceiver {
  const spans: ReceivedSpan[] = []
  const metrics: { type: string; body: Uint8Array }[] = []
  const logs: unknown[] = []
  const headers: Headers[] = []
  let status = 200
  function keep(pathname: string, type: string, body: Uint8Array): boolean {
    if (pathname === '/v1/traces') spans.push(...decodeTraceRequest(type, body))
    else if (pathname === '/v1/metrics') metrics.push({ type, body })
    else if (pathname === '/v1/logs') logs.push(JSON.parse(new TextDecoder().decode(body)))
    else return false
    return true
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const type = request.headers.get('content-type') ?? ''
      const received = new Uint8Array(await request.arrayBuffer())
      const isZipped = request.headers.get('content-encoding') === 'gzip'
      const body = isZipped ? Bun.gunzipSync(received) : received
      headers.push(request.headers)
      if (status === 200 && !keep(pathname, type, body)) return new Response('', { status: 404 })
      return type === 'application/json'
        ? Response.json({}, { status })
        : new Response(new Uint8Array(), { status, headers: { 'content-type': type } })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    metrics,
    logs,
    headers,
    respondWith(next) {
      status = next
    },
    stop: () => server.stop(true),
  }
}
