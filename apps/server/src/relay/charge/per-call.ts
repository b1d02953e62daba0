import type { Price } from '../../billing/pricing/price.ts'
import type { ModelRequest } from '../call.ts'

/** Whether a call of this price costs the same however much of its response comes: by the call, or by the image. */
export function isPaidPerCall({ terms, whenUncounted }: Price): boolean {
  return terms.kind === 'per-call' || whenUncounted !== undefined
}

/**
 * Whether a call that was sent is waited for, and paid for, without its caller: no stream was asked for, or its price is one
 * for all of it.
 */
export function outlivesCaller({ stream }: Pick<ModelRequest, 'stream'>, price: Price): boolean {
  return !stream || isPaidPerCall(price)
}
