import { type Clock, monotonicClock } from '@tollgate/base'
import { createSlidingWindow } from '../../lib/sliding-window.ts'
import type { Services } from '../../services.ts'

const causes = {
  signature: 'its signature: compare the secret with the one at the payment provider, and check the clock',
  merchant: 'its merchant: compare EpayId with the one at the payment provider',
  order: 'its number, which no order has: look for the payment at the payment provider',
} as const

/** Logs notices that credit nothing, each cause at most once a minute: providers repeat them, and strangers make some up. */
export function createRefusedNotices({ logger }: Pick<Services, 'logger'>, clock: Clock = monotonicClock) {
  const lines = createSlidingWindow({ limit: 1, windowSeconds: 60, clock })
  return (provider: 'epay' | 'stripe', cause: keyof typeof causes): void => {
    if (!lines.take(`${provider} ${cause}`)) return
    logger.warn({ provider }, `a payment notice credits nothing because of ${causes[cause]}`)
  }
}
