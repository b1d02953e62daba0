import { createPrice, type Price } from '../../billing/pricing/price.ts'

/** An upstream's answer that goes to the caller as it is. */
export interface PassedReply {
  readonly status: number
  readonly body: string
}

/** Currency per call of drawings and songs without a price, and of all such work where models without one are accepted. */
export const unsetPrice = 0.1

/** The same work for nothing. */
export function freePrice({ terms }: Price): Price {
  return terms.kind === 'per-call'
    ? createPrice({ ...terms, modelPrice: 0 })
    : createPrice({ ...terms, modelRatio: 0 })
}

/** What is kept of a text of the caller's: upstreams take less, and lists show all of it. */
const longestKept = 16_000

export function keptText(text: string): string {
  return text.length > longestKept ? text.slice(0, longestKept) : text
}
