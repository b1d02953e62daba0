import type { ContentOutline, Delivered, StreamReader } from '@tollgate/formats'
import type { OutputLimits } from '../../../billing/pricing/output-limits.ts'
import { maxBelievedOutput } from '../../../billing/pricing/plausible-usage.ts'
import { roughTokens } from '../../../billing/tokenizer/prompt-parts.ts'
import type { CallRequest } from '../dialects/dialect.ts'

type Counting = Pick<CallRequest, 'countTokens'>
type Delivering = Pick<StreamReader, 'deliveredSize' | 'delivered' | 'lengthTrailer'>

/** Our tokenizer may cut a text that fits a vendor's limit into half as many tokens again. */
const otherTokenizers = 1.5
/** Characters between two counts by the tokenizer, at least. */
const minStep = 4096

/**
 * The most output tokens that a response is delivered with, by our own count: the caller's limit and what is believed beyond it.
 * `undefined` where the output is no model's text.
 */
export function maxDelivered(limits: OutputLimits): number | undefined {
  if (limits.maxOutputTokens === 0) return undefined
  return Math.max(maxBelievedOutput(limits), (limits.maxOutputTokens ?? 0) * otherTokenizers)
}

/** Upper estimate of what was delivered, at once. */
export function roughDelivered({ text, overflowBytes, toolCalls }: Delivered): number {
  return roughTokens(text) + Math.ceil(overflowBytes / 3) + toolCalls * 8
}

/** A call of a tool takes three bytes of JSON and is estimated at eight tokens. */
const maxTokensOfByte = 3
const minBytesOfToken = 3

/** Upper estimate of `roughDelivered` for a response that an outline stands for; infinite without one. */
export function roughOutline(outline: ContentOutline | undefined): number {
  if (outline === undefined) return Number.POSITIVE_INFINITY
  return outline.json.length * maxTokensOfByte + Math.ceil(outline.textBytes / minBytesOfToken)
}

/** Watches that an upstream does not deliver far beyond the limit of its caller. */
export class OutputBound {
  readonly #max: number
  readonly #request: Counting
  /** Characters delivered up to which the bound is known to hold: hardly a token is shorter than one. */
  #checkedSize: number

  constructor(limits: OutputLimits, request: Counting) {
    this.#max = maxDelivered(limits) ?? Number.POSITIVE_INFINITY
    this.#request = request
    this.#checkedSize = this.#max
  }

  /** Checks the bound: synchronously, unless the quick estimate is beyond it, when a tokenizer has the last word. */
  isPassed(reader: Delivering): boolean | Promise<boolean> {
    if (reader.deliveredSize <= this.#checkedSize || reader.lengthTrailer === undefined) return false
    const delivered = reader.delivered()
    return roughDelivered(delivered) > this.#max && this.#count(delivered, reader.deliveredSize)
  }

  async #count(delivered: Delivered, size: number): Promise<boolean> {
    const { outputTokens } = await this.#request.countTokens(delivered)
    this.#checkedSize = size + Math.max(minStep, this.#max - outputTokens)
    return outputTokens > this.#max
  }
}
