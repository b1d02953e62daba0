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
