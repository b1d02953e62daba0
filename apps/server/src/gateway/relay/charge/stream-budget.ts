import type { Delivered, StreamReader, Usage } from '@tollgate/formats'
import { costOf, estimateOf } from '../../../billing/pricing/charge.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import type { CallCharge } from './call-charge.ts'
import { roughDelivered } from './output-bound.ts'

/** Output tokens that the reservation grows by at a time: what a stream may cost beyond a balance that is used up. */
const stepTokens = 256
/**
 * Bytes of an upstream that are read without a look at the balance: an upstream that sends its whole answer at once is read
 * in pieces, none of which delivers much more than a step.
 */
export const uncheckedBytes = 1024

type Delivering = Pick<StreamReader, 'deliveredSize' | 'delivered' | 'latestUsage' | 'isWhole'>

/**
 * Has a stream's reservation grow with what it delivers, so that many streams of one account cannot promise the same
 * balance. A stream that stays inside what was reserved for it costs one comparison per event.
 */
export class StreamBudget {
  readonly #charge: CallCharge
  readonly #request: Pick<CallRequest, 'maxOutputTokens' | 'countTokens'>
  /** Characters delivered up to which what is held is known to be enough: hardly a token is shorter than one. */
  #coveredSize: number

  constructor(charge: CallCharge, request: Pick<CallRequest, 'maxOutputTokens' | 'countTokens'>) {
    this.#charge = charge
    this.#request = request
    this.#coveredSize = request.maxOutputTokens ?? stepTokens
  }

  /** Checks by an estimate alone that the delivered part is covered. */
  isCovered(reader: Delivering): boolean {
    return reader.deliveredSize <= this.#coveredSize
  }

  /** Bytes that may be read before the next look at what was delivered: no character takes less than one. */
  readableBytes(reader: Delivering): number {
    if (reader.isWhole === true) return Number.POSITIVE_INFINITY
    return Math.max(uncheckedBytes, this.#coveredSize - reader.deliveredSize)
  }

  /**
   * Looks closer, and holds more where it must. False when the balance cannot carry the next step. At once, unless the
   * quick estimate is too dear for the balance: then a tokenizer has the last word, and other nodes may have the quota.
   */
  cover(reader: Delivering): boolean | Promise<boolean> {
    const delivered = reader.delivered()
    const outputTokens = roughDelivered(delivered)
    const needed = this.#costWith(this.#charge.promptTokens, outputTokens, reader.latestUsage)
    return this.#holds(needed, reader.deliveredSize) || this.#coverCounted(delivered, reader)
  }

  async #coverCounted(delivered: Delivered, reader: Delivering): Promise<boolean> {
    const { inputTokens, outputTokens } = await this.#request.countTokens(delivered)
    const missing = this.#costWith(inputTokens, outputTokens, reader.latestUsage) - this.#charge.reserved
    if (missing > 0 && !(await this.#charge.extendOrAcquire(missing))) return false
    this.#coveredSize = reader.deliveredSize + stepTokens
    return true
  }

  /** Holds what is needed now and for the next step. */
  #holds(needed: number, deliveredSize: number): boolean {
    const missing = needed - this.#charge.reserved
    if (missing > 0 && !this.#charge.extend(missing)) return false
    this.#coveredSize = deliveredSize + stepTokens
    return true
  }

  /** Cost of what was delivered and of the next step; never less than what the upstream has counted by now. */
  #costWith(promptTokens: number, outputTokens: number, counted: Usage | undefined): number {
    const { price, costs } = this.#charge
    const size = { promptTokens, maxOutputTokens: outputTokens + stepTokens, ...costs }
    const estimate = estimateOf(size, price, 0)
    return counted === undefined ? estimate : Math.max(estimate, costOf(counted, price))
  }
}
