import type { OwnCertificate } from './certificate.ts'

/** A proxy in front of a gateway: takes https on a loopback port, and forwards by http, as nginx with the usual headers. */
export interface ForwardingProxy {
  /** `https://localhost:<port>`. */
  readonly url: string
  stop(): Promise<void>
}

/** Header by which a test says who is calling; a proxy of the real world knows by the connection. */
export const visitorHeader = 'x-test-visitor'

export function startForwardingProxy(target: string, { key, cert }: OwnCertificate): ForwardingProxy {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key, cert },
    fetch(request) {
      const { pathname, search, host } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('host', host)
      headers.set('x-forwarded-for', request.headers.get(visitorHeader) ?? '198.51.100.1')
      headers.set('x-forwarded-proto', 'https')
      const { method, body } = request
      return fetch(target + pathname + search, {
        method,
        headers,
        body,
        redirect: 'manual',
        decompress: false,
      })
    },
  })
  return { url: `https://localhost:${server.port}`, stop: () => server.stop(true) }
}
