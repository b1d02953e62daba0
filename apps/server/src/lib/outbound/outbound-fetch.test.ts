import { afterAll, describe, expect, it } from 'bun:test'
import { OutboundError, outboundFetch } from './outbound-fetch.ts'
import { createOutboundGuard } from './outbound-guard.ts'

const seen: { host: string | null; url: string }[] = []
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    seen.push({ host: request.headers.get('host'), url: request.url })
    if (pathname === '/redirect') return Response.redirect('http://127.0.0.1:1/', 302)
    if (pathname === '/large') return new Response('x'.repeat(5000))
    if (pathname === '/bomb') {
      return new Response(Bun.gzipSync(new Uint8Array(100_000)), { headers: { 'content-encoding': 'gzip' } })
    }
    if (pathname === '/slow') await Bun.sleep(300)
    return new Response(`echo ${await request.text()}`, { status: pathname === '/bad' ? 418 : 200 })
  },
})
const base = `http://127.0.0.1:${upstream.port}`
const limits = { timeoutMs: 2000, maxBytes: 4000 }
const openGuard = createOutboundGuard({
  allowedRanges: () => ['127.0.0.0/8'],
  lookup: async () => ['127.0.0.1'],
})

afterAll(() => upstream.stop(true))

async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof OutboundError ? error.failure : `not an outbound error: ${String(error)}`
}

describe('outboundFetch', () => {
  it('returns status and text, whatever the status', async () => {
    const response = await outboundFetch({ url: `${base}/bad`, method: 'POST', body: 'hi', ...limits })
    expect(response).toMatchObject({ status: 418, body: 'echo hi' })
  })

  it('does not follow a redirect', async () => {
    expect(await failureOf(outboundFetch({ url: `${base}/redirect`, ...limits }))).toBe('redirect')
  })

  it('stops reading a response that is too large, also when it was compressed', async () => {
    expect(await failureOf(outboundFetch({ url: `${base}/large`, ...limits }))).toBe('too-large')
    expect(await failureOf(outboundFetch({ url: `${base}/bomb`, ...limits }))).toBe('too-large')
  })

  it('times out', async () => {
    expect(await failureOf(outboundFetch({ url: `${base}/slow`, ...limits, timeoutMs: 50 }))).toBe('timeout')
  })

  it('distinguishes an aborted request from a host that did not respond', async () => {
    const signal = AbortSignal.abort()
    expect(await failureOf(outboundFetch({ url: `${base}/slow`, ...limits, signal }))).toBe('aborted')
    expect(await failureOf(outboundFetch({ url: 'http://127.0.0.1:1/', ...limits }))).toBe('unreachable')
  })

  it('connects to the address that the guard checked, with the host name of the URL', async () => {
    const url = `http://rebinding.example:${upstream.port}/pinned`
    expect(await outboundFetch({ url, guard: openGuard, ...limits })).toMatchObject({ status: 200 })
    expect(seen.at(-1)?.host).toBe(`rebinding.example:${upstream.port}`)
  })

  it('tries each address that the guard checked, after the one before refused the connection', async () => {
    const guard = createOutboundGuard({
      allowedRanges: () => ['127.0.0.0/8'],
      lookup: async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'],
    })
    const url = `http://several.example:${upstream.port}/several`
    const response = await outboundFetch({ url, method: 'POST', body: 'once', guard, ...limits })
    expect(response).toMatchObject({ status: 200, body: 'echo once' })
    const closed = createOutboundGuard({
      allowedRanges: () => ['127.0.0.0/8'],
      lookup: async () => ['127.0.0.2', '127.0.0.3'],
    })
    expect(await failureOf(outboundFetch({ url, guard: closed, ...limits }))).toBe('unreachable')
  })

  it('sends nothing when the guard refuses the address or the proxy', async () => {
    const closed = createOutboundGuard({ allowedRanges: () => [], lookup: async () => ['93.184.216.34'] })
    const before = seen.length
    await expect(outboundFetch({ url: base, guard: closed, ...limits })).rejects.toThrow('not public')
    const proxied = outboundFetch({ url: 'http://public.example/', proxy: base, guard: closed, ...limits })
    await expect(proxied).rejects.toThrow('not public')
    expect(seen.length).toBe(before)
  })

  it('goes through the proxy and nowhere else', async () => {
    const response = await outboundFetch({
      url: 'http://only-behind-proxy.example/path',
      proxy: base,
      ...limits,
    })
    expect(response.status).toBe(200)
    expect(seen.at(-1)?.url).toContain('only-behind-proxy.example/path')
    const gone = outboundFetch({ url: `${base}/direct`, proxy: 'http://127.0.0.1:1', ...limits })
    expect(await failureOf(gone)).toBe('unreachable')
  })
})
