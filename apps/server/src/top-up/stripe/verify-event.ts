import type { Services } from '../../services.ts'
import { stripeWebhooks } from './sdk.ts'

/** How old an event may be, against one that was listened to and is sent again. Stripe's own advice. */
const toleranceSeconds = 300

/** Whether an event was signed with the secret of our endpoint, and lately. Without a secret none is. */
export function createVerifyStripeEvent({ settings, clock }: Pick<Services, 'settings' | 'clock'>) {
  return async (body: Uint8Array, signature: string | null): Promise<boolean> => {
    const secret = settings.current.StripeWebhookSecret
    if (secret === '' || signature === null) return false
    const webhooks = await stripeWebhooks()
    try {
      await webhooks.constructEventAsync(
        Buffer.from(body),
        signature,
        secret,
        toleranceSeconds,
        undefined,
        clock.now(),
      )
      return true
    } catch {
      return false
    }
  }
}
