import type { Price } from '../../billing/pricing/price.ts'

/** Whether a call of this price costs the same however much of its response comes: by the call, or by the image. */
export function isPaidPerCall({ terms, whenUncounted }: Price): boolean {
  return terms.kind === 'per-call' || whenUncounted !== undefined
}
