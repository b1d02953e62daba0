import type { RequestPath } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { type JsonObject, listOf } from '../json-value.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeOptions, decodeOutputFormat, decodeReasoning, decodeSampling } from './decode-options.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { inspectRequest, outputLimitIn } from './facts.ts'
import { given, isAbsent, optionalFlag } from './faults.ts'
import { chatChecks } from './request-checks.ts'

/** Fields that have a canonical form, and `stream_options`, which is between the caller and the gateway. */
const canonicalFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'stop',
  'n',
  'logprobs',
  'top_logprobs',
  'max_tokens',
  'max_completion_tokens',
  'user',
  'metadata',
  'service_tier',
  'prompt_cache_key',
  'verbosity',
  'modalities',
])

/**
 * Reads a caller's body for an upstream of another format.
 * @throws RequestFault that names the field
 */
export function decodeRequest(body: JsonObject, path: RequestPath): ChatRequest {
  const { model, stream } = inspectRequest(body, path)
  const fields = vendorFields(body)
  return {
    model,
    stream,
    messages: decodeMessages(listOf(body.messages)),
    tools: decodeTools(body),
    ...given('toolChoice', decodeToolChoice(body)),
    ...given('parallelToolCalls', optionalFlag(body.parallel_tool_calls, 'parallel_tool_calls')),
    ...given('outputFormat', decodeOutputFormat(body.response_format)),
    ...given('reasoning', decodeReasoning(body)),
    sampling: decodeSampling(body),
    ...given('maxOutputTokens', outputLimitIn(body, chatChecks)),
    options: decodeOptions(body),
    ...(fields.length > 0 && { vendor: { format: 'openai-chat', fields: Object.fromEntries(fields) } }),
  }
}

function vendorFields(body: JsonObject): readonly (readonly [string, unknown])[] {
  return Object.entries(body).filter(([name, value]) => !canonicalFields.has(name) && !isAbsent(value))
}
