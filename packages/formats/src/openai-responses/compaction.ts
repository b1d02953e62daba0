import type { ChatCodec, EncodeContext } from '../canonical/codec.ts'
import type { ChatResponse } from '../canonical/response.ts'
import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { type JsonObject, objectOf } from '../json/value.ts'
import { compactedText, promptToSummarize, summarizing } from '../requests/compacted.ts'
import { openAiResponses } from './codec.ts'
import type { DecodeState } from './response/decode-stream.ts'
import {
  type CompactionState,
  compactionStream,
  encodeCompaction,
  summaryOf,
} from './response/encode-compaction.ts'
import { compactionTrigger } from './response/item-content.ts'

/** Nothing may take the place of a conversation. */
const noSummary: UpstreamErrorInfo = {
  kind: 'upstream_bug',
  status: 502,
  message: 'the upstream responded without a summary',
  type: 'upstream_error',
  code: '',
  param: null,
}

/**
 * `/v1/responses/compact`: a conversation in, a shorter one out, which takes its place. It passes as received to upstreams
 * that support it; other upstreams get a request for a summary, which then is the shorter conversation.
 * https://platform.openai.com/docs/api-reference/responses/compact
 */
export const openAiCompaction: ChatCodec = {
  ...openAiResponses,
  format: 'openai-compaction',
  inspectRequest: (body, path) => ({ ...openAiResponses.inspectRequest(body, path), stream: false }),
  promptOf: (body) => promptToSummarize(openAiResponses.promptOf(body)),
  nativeEdits(request, facts, target) {
    const edits = openAiResponses.nativeEdits(request, facts, target)
    return request.body.stream == null ? edits : new Map([...edits, ['stream', undefined]])
  },
  decodeRequest: (body, path) => ({
    ...summarizing(openAiResponses.decodeRequest(body, path)),
    stream: false,
  }),
  encodeResponse,
  faultOf: (response) => (summaryOf(response) === '' ? noSummary : undefined),
}

/**
 * A turn of Responses that asks for compaction: its last item is a `compaction_trigger`, and Codex reads exactly one `compaction` of its
 * output. It passes as received to upstreams that compact; of others the gateway makes the item from a summary.
 * https://developers.openai.com/api/docs/guides/compaction (2026-11-30)
 */
export const openAiCompactionTurn: ChatCodec<DecodeState, CompactionState> = {
  ...openAiResponses,
  wanted: 'openai-compaction-turn',
  promptOf: (body) => promptToSummarize(openAiResponses.promptOf(body)),
  decodeRequest: (body, path) => summarizing(openAiResponses.decodeRequest(body, path)),
  encodeResponse: encodeCompaction,
  faultOf: (response) => (summaryOf(response) === '' ? noSummary : undefined),
  encodeStream: compactionStream(noSummary),
}

/** Returns whether a body of Responses asks for the compaction of its conversation. */
export function asksForCompaction({ input }: JsonObject): boolean {
  return Array.isArray(input) && input.some((item) => objectOf(item).type === compactionTrigger)
}

/** A message of the user, which every client and every upstream takes back. */
function encodeResponse(response: ChatResponse, call: EncodeContext): unknown {
  const { id, created_at, usage } = objectOf(openAiResponses.encodeResponse(response, call))
  const content = [{ type: 'input_text', text: compactedText(summaryOf(response)) }]
  const message: JsonObject = { type: 'message', role: 'user', status: 'completed', content }
  return { id, object: 'response.compaction', created_at, output: [{ id: `msg_${id}`, ...message }], usage }
}
