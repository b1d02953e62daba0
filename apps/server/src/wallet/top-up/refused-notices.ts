import { type Clock, monotonicClock } from '@tollgate/base'
import { createSlidingWindow } from '../../lib/sliding-window.ts'
import type { Services } from '../../services.ts'
import type { PaymentClaim } from './match-payment.ts'

const causes = {
  signature:
    'a payment notice is not signed with the secret that is set here, so nothing is credited: compare the secret with the one at the payment provider, and check the clock',
  merchant:
    'a payment notice is for another merchant, so nothing is credited: compare EpayId with the one at the payment provider',
  order:
    'a payment notice has the number of no order, so nothing is credited: look for the payment at the payment provider',
} as const

/** Hears of a provider's message that credits nothing and that no order keeps a record of. */
export type RefusedNotice = (
  provider: PaymentClaim['provider'],
  cause: keyof typeof causes,
  tradeNo?: string,
) => void

/** Numbers as orders have them: anybody may send others, and they belong in no log. */
const tradeNumber = /^USR\d{1,16}NO[0-9A-Za-z]{1,32}$/

/** Writes refused notices to the log, each cause at most once a minute: providers repeat a notice, and strangers make some up. */
export function createRefusedNotices(
  { logger }: Pick<Services, 'logger'>,
  clock: Clock = monotonicClock,
): RefusedNotice {
  const lines = createSlidingWindow({ limit: 1, windowSeconds: 60, clock })
  return (provider, cause, tradeNo = '') => {
    if (!lines.take(`${provider} ${cause}`)) return
    logger.warn({ provider, ...(tradeNumber.test(tradeNo) && { order: tradeNo }) }, causes[cause])
  }
}
