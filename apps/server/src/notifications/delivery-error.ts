import { OutboundError } from '../lib/outbound-fetch.ts'
import { OutboundForbiddenError } from '../lib/outbound-guard.ts'

/** A message that did not arrive. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** Trying again would not help. */
  readonly lasting: boolean

  constructor(message: string, { lasting }: { readonly lasting: boolean }) {
    super(message)
    this.lasting = lasting
  }
}

/** Whether another try may succeed where this error ended one. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DeliveryError) return !error.lasting
  if (error instanceof OutboundForbiddenError) return false
  if (error instanceof OutboundError) return error.failure === 'timeout' || error.failure === 'unreachable'
  return true
}
