import { makeCertificate } from '../network/certificate.ts'

export interface ReceivedHook {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Raw. */
  readonly body: string
}

/** A user's https server for webhooks, with a self-signed certificate. */
export interface WebhookReceiver {
  /** `https://localhost:<port>` */
  readonly url: string
  /** File of the certificate, for `NODE_EXTRA_CA_CERTS` of a program that should trust it. */
  readonly authority: string
  readonly received: readonly ReceivedHook[]
  /** Statuses of the next responses; then 204. */
  replyWith(...statuses: readonly number[]): void
  stop(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const { key, cert, authority, remove } = await makeCertificate('localhost')
  const received: ReceivedHook[] = []
  const statuses: number[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key, cert },
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      received.push({ path, headers: Object.fromEntries(request.headers), body: await request.text() })
      return new Response(null, { status: statuses.shift() ?? 204 })
    },
  })
  return {
    url: `https://localhost:${server.port}`,
    authority,
    received,
    replyWith: (...next) => void statuses.push(...next),
    async stop() {
      await server.stop(true)
      remove()
    },
  }
}
