import { calls } from '@tollgate/api'
import type { EpayFields, EpayReply } from '../../../wallet/top-up/epay.ts'
import type { StripeReply } from '../../../wallet/top-up/stripe/events.ts'
import { type ConsoleRoute, route, type SignedRequest } from '../route.ts'

export interface PaymentDependencies {
  readonly isSignedByEpay: (fields: EpayFields) => boolean
  readonly takeEpayNotice: (fields: EpayFields) => Promise<EpayReply>
  readonly isSignedByStripe: (body: Uint8Array, signature: string | null) => Promise<boolean>
  readonly takeStripeEvent: (body: Uint8Array) => Promise<StripeReply>
}

/** Routes that payment providers call by themselves. */
export function paymentRoutes(deps: PaymentDependencies): ConsoleRoute[] {
  const verifyEpay = (text: string) => {
    const fields = fieldsOnce(text)
    return fields !== undefined && deps.isSignedByEpay(fields)
  }
  return [
    route(
      calls.payments.epayNotify,
      async ({ query }) => ({ text: await deps.takeEpayNotice(query) }),
      ({ target }) => verifyEpay(target.slice(target.indexOf('?') + 1)),
    ),
    route(
      calls.payments.epayNotifyForm,
      async ({ body }) => ({ text: await deps.takeEpayNotice(body) }),
      ({ body }) => verifyEpay(Buffer.from(body).toString('utf8')),
    ),
    route(
      calls.payments.stripeWebhook,
      async ({ body }) => ({ text: await deps.takeStripeEvent(body) }),
      ({ body, headers }: SignedRequest) => deps.isSignedByStripe(body, headers.get('stripe-signature')),
    ),
  ]
}

/** Urlencoded fields; nothing when one comes twice: what was signed and what is read might not be the same. */
function fieldsOnce(text: string): EpayFields | undefined {
  const entries = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(entries)
  return Object.keys(fields).length === entries.length ? fields : undefined
}
