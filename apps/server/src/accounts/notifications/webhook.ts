import { assertDelivered } from '../../lib/outbound/delivery-queue.ts'
import type { UserFetch } from '../../lib/outbound/user-fetch.ts'
import type { Seconds } from '../../store/units.ts'
import { fillSlots, type Notification } from './notification.ts'

const timeoutMs = 5000
/** Most bytes of a response, which is not used. */
const maxBytes = 64 * 1024

/** Delivers to the user's own receiver. Resolves when it responds with 2xx. */
export async function deliverByWebhook(
  notification: Notification,
  receiver: { readonly url: string; readonly secret: string },
  deps: { readonly fetch: UserFetch; readonly now: Seconds; readonly signal: AbortSignal },
): Promise<void> {
  await postSigned(receiver, webhookBody(notification, deps.now), deps)
}

/** Posts JSON with its signature. Resolves when the receiver responds with 2xx. */
export async function postSigned(
  { url, secret }: { readonly url: string; readonly secret: string },
  json: string,
  deps: { readonly fetch: UserFetch; readonly signal: AbortSignal },
): Promise<void> {
  const { status } = await deps.fetch({
    url,
    method: 'POST',
    json,
    ...(secret !== '' && {
      headers: { 'X-Webhook-Signature': signatureOf(json, secret) },
      // A worker may need it as a key of its own; elsewhere the secret itself is never sent.
      headersByWorker: { Authorization: `Bearer ${secret}` },
    }),
    timeoutMs,
    maxBytes,
    signal: deps.signal,
  })
  assertDelivered(status)
}

function webhookBody({ type, title, template, values }: Notification, timestamp: Seconds): string {
  const content = fillSlots(template, values)
  return JSON.stringify({ type, title, content, ...(values.length > 0 && { values }), timestamp })
}

/** Lower-case hex HMAC-SHA-256 of the raw body. */
function signatureOf(body: string, secret: string): string {
  return new Bun.CryptoHasher('sha256', secret).update(body).digest('hex')
}
