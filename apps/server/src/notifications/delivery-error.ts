import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { OutboundForbiddenError } from '../lib/outbound/outbound-guard.ts'

/** A message that did not arrive. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** Trying again would not help. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent }: { readonly isPermanent: boolean }) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** Whether another try may succeed where this error ended one. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof DeliveryError) return !error.isPermanent
  if (error instanceof OutboundForbiddenError) return false
  if (error instanceof OutboundError) return error.failure === 'timeout' || error.failure === 'unreachable'
  return true
}
