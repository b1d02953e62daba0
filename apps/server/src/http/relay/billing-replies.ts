import type { KeyUsage } from '../../tokens/key-usage.ts'

/** As clients of OpenAI's former billing calls read it. */
export function subscriptionOf({ limit, expiresAt }: KeyUsage) {
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: expiresAt,
  }
}

/** In hundredths. Of all time: the dates that clients ask for are not looked at. */
export function usageOf({ used }: KeyUsage) {
  return { object: 'list', total_usage: used * 100 }
}
