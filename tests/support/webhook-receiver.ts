import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../scripts/house/tools.mjs'

export interface ReceivedHook {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Raw. */
  readonly body: string
}

/** Somebody's https server for webhooks, with a certificate of its own making. */
export interface WebhookReceiver {
  /** `https://localhost:<port>` */
  readonly url: string
  /** File of the certificate, for `NODE_EXTRA_CA_CERTS` of whoever is to trust it. */
  readonly authority: string
  readonly received: readonly ReceivedHook[]
  /** Statuses of the next answers; then 204. */
  answerWith(...statuses: readonly number[]): void
  stop(): Promise<void>
}

/** Whether a certificate can be made here. */
export function canMakeCertificates(): boolean {
  return findTool('openssl') !== undefined
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-hook-'))
  const authority = join(folder, 'own.pem')
  await makeCertificate(folder)
  const received: ReceivedHook[] = []
  const statuses: number[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: readFileSync(join(folder, 'own.key')), cert: readFileSync(authority) },
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
    answerWith: (...next) => void statuses.push(...next),
    async stop() {
      await server.stop(true)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makeCertificate(folder: string): Promise<void> {
  const asked =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout own.key -out own.pem'
  const making = Bun.spawn([findTool('openssl') ?? '', ...asked.split(' ')], {
    cwd: folder,
    stderr: 'ignore',
  })
  if ((await making.exited) !== 0) throw new Error('openssl could not make a certificate')
}
