import { acceptsGzip } from '../accepts-gzip.ts'

/** Below this a compressed answer is no smaller on the wire. */
const worthCompressing = 1024
const fastest = 1

export function jsonResponse(request: Request, status: number, body: unknown, headers: Headers): Response {
  headers.set('content-type', 'application/json; charset=utf-8')
  return textResponse(request, status, JSON.stringify(body), headers)
}

/**
 * A text whose type the headers say, compressed when that pays and the caller takes it.
 * @param gzipped the same, where it was compressed beforehand
 */
export function textResponse(
  request: Request,
  status: number,
  text: string,
  headers: Headers,
  gzipped?: Uint8Array<ArrayBuffer>,
): Response {
  if (text.length < worthCompressing) return new Response(text, { status, headers })
  headers.append('vary', 'Accept-Encoding')
  if (!acceptsGzip(request.headers)) return new Response(text, { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(gzipped ?? Bun.gzipSync(Buffer.from(text), { level: fastest }), { status, headers })
}
