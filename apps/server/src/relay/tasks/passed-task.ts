import { createPrice, type Price } from '../../billing/pricing/price.ts'

/** An upstream's answer that goes to the caller as it is. */
export interface PassedReply {
  readonly status: number
  readonly body: string
}

/** Currency per call of drawings and songs for which the operator has set no price. */
export const unsetPrice = 0.1

/** The same work for nothing. */
export function freePrice({ terms }: Price): Price {
  return terms.kind === 'per-call'
    ? createPrice({ ...terms, modelPrice: 0 })
    : createPrice({ ...terms, modelRatio: 0 })
}
