import type { ChatCodec, EncodeContext } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import type { ChatResponse } from '../canonical/response.ts'
import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { type JsonObject, objectOf } from '../json/value.ts'
import { compactedText } from '../requests/compacted.ts'
import { openAiResponses } from './codec.ts'

/**
 * `/v1/responses/compact`: a conversation in, a shorter one out, which takes its place. It passes as received to upstreams
 * that support it; other upstreams get a request for a summary, which then is the shorter conversation.
 * https://platform.openai.com/docs/api-reference/responses/compact
 */
export const openAiCompaction: ChatCodec = {
  ...openAiResponses,
  format: 'openai-compaction',
  inspectRequest: (body, path) => ({ ...openAiResponses.inspectRequest(body, path), stream: false }),
  promptOf(body) {
    const prompt = openAiResponses.promptOf(body)
    return { ...prompt, texts: [...prompt.texts, summaryRequest] }
  },
  nativeEdits(request, facts, target) {
    const edits = openAiResponses.nativeEdits(request, facts, target)
    return request.body.stream == null ? edits : new Map([...edits, ['stream', undefined]])
  },
  decodeRequest: (body, path) => summarizing(openAiResponses.decodeRequest(body, path)),
  encodeResponse,
  faultOf: (response) => (summaryOf(response) === '' ? noSummary : undefined),
}

/** Nothing may take the place of a conversation. */
const noSummary: UpstreamErrorInfo = {
  kind: 'upstream_bug',
  status: 502,
  message: 'the upstream responded without a summary',
  type: 'upstream_error',
  code: '',
  param: null,
}

const summaryRequest = [
  'Summarize the conversation so far, so that another model can go on with the task from your summary alone.',
  'Quote what the user asked for and every constraint. Say what was done and decided, which files, commands, names and values',
  'matter, what is still to be done, and what comes next. Answer with the summary and nothing else, and call no tools.',
].join(' ')

/** Returns the request for a summary. Tools stay declared, because the conversation contains calls of them. */
function summarizing(request: ChatRequest): ChatRequest {
  const { outputFormat: _format, toolChoice: _choice, parallelToolCalls: _parallel, ...retained } = request
  return {
    ...retained,
    stream: false,
    messages: [...request.messages, { role: 'user', parts: [{ type: 'text', text: summaryRequest }] }],
    ...(request.tools.length > 0 && { toolChoice: { type: 'none' } }),
  }
}

/** A message of the user, which every client and every upstream takes back. */
function encodeResponse(response: ChatResponse, call: EncodeContext): unknown {
  const { id, created_at, usage } = objectOf(openAiResponses.encodeResponse(response, call))
  const content = [{ type: 'input_text', text: compactedText(summaryOf(response)) }]
  const message: JsonObject = { type: 'message', role: 'user', status: 'completed', content }
  return { id, object: 'response.compaction', created_at, output: [{ id: `msg_${id}`, ...message }], usage }
}

/** The text of a response. */
function summaryOf({ candidates: [candidate] }: ChatResponse): string {
  const texts = candidate?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? []
  return texts.join('').trim()
}
