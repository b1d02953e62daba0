import type { EncodeContext, StreamEncoder } from '../../canonical/codec.ts'
import type { ChatResponse } from '../../canonical/response.ts'
import type { ApiError } from '../../errors/upstream-error.ts'
import type { JsonObject } from '../../json/value.ts'
import { wrapSummary } from '../../requests/compacted.ts'
import { noUsage } from '../../usage.ts'
import { toolNames } from '../tool-names.ts'
import { type EncodeState, encodeStream, outputOf } from './encode-stream.ts'
import type { EventSink } from './output-items.ts'
import { endedResponse, itemSuffix, responseHead, responseIdFor } from './response-object.ts'
import { ResponseOutput } from './response-output.ts'

/** The text of a response that is a summary. */
export function summaryOf({ candidates: [candidate] }: Pick<ChatResponse, 'candidates'>): string {
  const texts = candidate?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? []
  return texts.join('').trim()
}

/** Writes a summary as a response whose one item is the compacted conversation. */
export function encodeCompaction(response: ChatResponse, call: EncodeContext): JsonObject {
  const id = responseIdFor(response.id, call)
  const output = new ResponseOutput(itemSuffix(id), toolNames(undefined), noEvents)
  output.addCompaction(wrapSummary(summaryOf(response)))
  return {
    ...responseHead(id, response.createdAt || call.createdAt, call),
    ...endedResponse(
      { status: 'completed', incomplete_details: null },
      output.items,
      response.usage ?? noUsage,
      call,
    ),
  }
}

const noEvents: EventSink = { event: () => {} }

/** The stream so far, and the summary as far as it came. */
export interface CompactionState {
  readonly stream: EncodeState
  summary: string
}

/**
 * Writes the same as a stream: the item comes with the end of the summary, because clients read no piece of it.
 * @param failure for a stream that ends without a summary
 */
export function compactionStream(failure: ApiError): StreamEncoder<CompactionState> {
  return {
    start: (call) => ({ stream: encodeStream.start(call), summary: '' }),
    step(state, part) {
      if (part.type === 'text-delta' && part.candidate === 0) state.summary += part.text
      return part.type === 'start' || part.type === 'stop' ? encodeStream.step(state.stream, part) : []
    },
    finish({ stream, summary }, usage) {
      if (summary.trim() === '') return encodeStream.fail?.(stream, failure) ?? []
      outputOf(stream, undefined).addCompaction(wrapSummary(summary.trim()))
      // However the model ended: what it said takes the place of the conversation.
      stream.stop = { reason: 'stop' }
      return encodeStream.finish(stream, usage)
    },
    fail: ({ stream }, error) => encodeStream.fail?.(stream, error) ?? [],
  }
}
