import type { DeliveryQueue } from '../../lib/outbound/delivery-queue.ts'
import type { UserFetch } from '../../lib/outbound/user-fetch.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { SecurityEvent } from '../../store/accounts/security-events.ts'
import { postSigned } from './webhook.ts'

type Written = Omit<SecurityEvent, 'id'>

interface Dependencies {
  readonly settings: SettingsReader
  readonly fetch: UserFetch
  readonly queue: Pick<DeliveryQueue, 'add'>
}

/** Delivers each security event to the operator's own receiver, in the background. */
export function createSecurityWebhook({ settings, fetch, queue }: Dependencies) {
  return (event: Written): void => {
    const { SecurityWebhookUrl: url, SecurityWebhookSecret: secret } = settings.current
    if (url === '') return
    const { kind, userId } = event
    queue.add({
      kind: 'notification',
      about: { kind, userId, to: 'security webhook' },
      send: (signal) => postSigned({ url, secret }, securityBody(event), { fetch, signal }),
    })
  }
}

function securityBody({ createdAt, userId, username, kind, detail, address, userAgent }: Written): string {
  return JSON.stringify({
    type: 'security-event',
    timestamp: createdAt,
    kind,
    user_id: userId,
    username,
    detail,
    address,
    user_agent: userAgent,
  })
}
