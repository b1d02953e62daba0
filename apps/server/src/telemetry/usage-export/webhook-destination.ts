import { unixSeconds } from '@tollgate/base'
import type { Services } from '../../services.ts'
import { type Destination, RefusedBatchError, refusesContent, type UsageBatch } from './destination.ts'

interface Options extends Pick<Services, 'clock'> {
  readonly url: string
  readonly secret: string | undefined
}

const timeoutMs = 10_000

/**
 * Posts batches as JSON. `Idempotency-Key` is the same when a batch is sent again; `X-Webhook-Signature` is the hex HMAC-SHA-256
 * of the raw body, which holds the time at which it was sent.
 */
export function webhookDestination({ url, secret, clock }: Options): Destination {
  return {
    name: 'webhook',
    everyMs: 5000,
    maxRecords: 500,
    async send({ after, records }: UsageBatch, signal) {
      const body = JSON.stringify({ type: 'usage', sent_at: unixSeconds(clock), after, records })
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tollgate',
          'idempotency-key': `usage-${after}-${records.at(-1)?.id}`,
          ...(secret !== undefined && { 'x-webhook-signature': signatureOf(body, secret) }),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      if (refusesContent(response.status)) throw new RefusedBatchError(`status ${response.status}`)
      if (!response.ok) throw new Error(`status ${response.status}`)
    },
  }
}

function signatureOf(body: string, secret: string): string {
  return new Bun.CryptoHasher('sha256', secret).update(body).digest('hex')
}
