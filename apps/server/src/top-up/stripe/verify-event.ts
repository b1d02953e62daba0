import type { Services } from '../../services.ts'
import { stripeWebhooks } from './sdk.ts'

/** Oldest event that is accepted, against replays of a recorded one. Stripe's own advice. */
const toleranceSeconds = 300

/** Whether an event was signed recently with the secret of our endpoint. Without a secret no event is. */
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
