import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { OutboundForbiddenError } from '../lib/outbound/outbound-guard.ts'

/** A message that was not delivered. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** Another attempt would not help. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent }: { readonly isPermanent: boolean }) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** Whether another attempt may succeed after this error. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof DeliveryError) return !error.isPermanent
  if (error instanceof OutboundForbiddenError) return false
  if (error instanceof OutboundError) return error.failure === 'timeout' || error.failure === 'unreachable'
  return true
}
