import type { RefusalCode } from '@tollgate/api'
import type Stripe from 'stripe'

/** The address of Stripe's API: absent for Stripe itself. */
export type StripeAddress = URL | undefined

/** Loaded on first use: most installations never need it. */
async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default
}

export async function stripeClient(secretKey: string, address: StripeAddress): Promise<Stripe> {
  const StripeClient = await loadStripe()
  return new StripeClient(secretKey, {
    timeout: 15_000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(address !== undefined && {
      host: address.hostname,
      port: address.port,
      protocol: address.protocol === 'http:' ? 'http' : 'https',
    }),
  })
}

export async function stripeWebhooks(): Promise<typeof Stripe.webhooks> {
  return (await loadStripe()).webhooks
}

/** Its message alone: the SDK's errors include the complete exchange. */
export function withoutRequest(error: unknown): Error {
  return new Error(error instanceof Error ? `${error.name}: ${error.message}` : 'unknown')
}

/** Statuses by which Stripe says that it is busy or has the same call under way: the call may still be carried out. */
const undecided: readonly number[] = [408, 409, 429]

/**
 * Reads from a failed call for a refund what became of the money: nothing moved, the call's key made another refund, or nobody can say. A
 * connection that breaks off and a failure of Stripe's own say nothing.
 * https://docs.stripe.com/error-low-level
 */
export function refundRefusalOf(error: unknown): RefusalCode {
  const { type, statusCode = 0 } = error as Partial<Pick<Stripe.errors.StripeError, 'type' | 'statusCode'>>
  if (type === 'StripeIdempotencyError') return 'top_up_changed'
  const isDecided = statusCode >= 400 && statusCode < 500 && !undecided.includes(statusCode)
  return isDecided ? 'top_up_refund_refused' : 'top_up_refund_unknown'
}
