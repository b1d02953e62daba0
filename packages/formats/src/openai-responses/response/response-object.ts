import type { EncodeContext, ErrorContext } from '../../canonical/codec.ts'
import type { ApiError } from '../../errors/upstream-error.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../../json/value.ts'
import { encodeTier } from '../../openai-chat/response/usage.ts'
import { isAbsent } from '../../requests/fields.ts'
import type { Usage } from '../../usage.ts'
import type { WireStop } from './stop.ts'
import { encodeUsage } from './usage.ts'

/** The members of a request that its response repeats, with their values where the caller set none. */
const repeated: JsonObject = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** Tools inside the conversation count among those of the request: a response uses their own names. */
export function echoOf(body: JsonObject): JsonObject {
  const stated = Object.keys(repeated).filter((name) => !isAbsent(body[name]))
  const found = listOf(body.input).flatMap((item) =>
    isObject(item) && item.type === 'additional_tools' ? listOf(item.tools) : [],
  )
  const tools = [...listOf(body.tools), ...found]
  return {
    ...Object.fromEntries(stated.map((name) => [name, completed(name, body[name])])),
    ...(tools.length > 0 && { tools: tools.map(completedTool) }),
  }
}

/** Objects of a response have every member, whichever of them the caller gave. */
function completed(name: string, value: unknown): unknown {
  if (name === 'text') return completedText(objectOf(value))
  return name === 'reasoning' ? { ...objectOf(repeated.reasoning), ...objectOf(value) } : value
}

function completedText(text: JsonObject): JsonObject {
  const format = isObject(text.format) ? text.format : { type: 'text' }
  const isSchema = format.type === 'json_schema'
  return { ...text, format: isSchema ? { description: null, strict: false, ...format } : format }
}

function completedTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== 'function') return tool
  return { description: null, parameters: null, strict: null, ...tool }
}

/** Fields of a response that are the same in its first and its last event. */
export function responseHead(id: string, createdAt: number, call: Pick<EncodeContext, 'model' | 'echo'>) {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    model: call.model,
    access_programs: null,
    ...repeated,
    ...call.echo,
  }
}

/** The other fields, while nothing has come of it. */
export const startedResponse = {
  status: 'in_progress',
  completed_at: null,
  error: null,
  incomplete_details: null,
  output: [],
  service_tier: 'auto',
  usage: null,
} as const

/** The same of one that has ended. */
export function endedResponse(
  stop: WireStop,
  output: readonly JsonObject[],
  usage: Usage,
  call: Pick<EncodeContext, 'createdAt' | 'nowSeconds'>,
) {
  const isComplete = stop.status === 'completed'
  return {
    completed_at: isComplete ? (call.nowSeconds?.() ?? call.createdAt) : null,
    error: null,
    ...stop,
    output,
    // Unlike there, it is never null; and this format has one name more.
    service_tier: usage.service?.tier === 'ultrafast' ? 'ultrafast' : (encodeTier(usage) ?? 'auto'),
    usage: encodeUsage(usage),
  }
}

/** The same of one that failed. It does not repeat what it had said, which the caller has: filters of words have read that. */
export function failedResponse({ status, message, code }: ApiError) {
  const known = code !== null && failureCodes.has(code) ? code : undefined
  const other = status === 429 ? 'rate_limit_exceeded' : 'server_error'
  return { ...startedResponse, status: 'failed', error: { code: known ?? other, message } } as const
}

/**
 * Those that agents act on, and OpenAI's own SDK knows here. Codex does not try again after `server_is_overloaded` in a stream:
 * an overloaded upstream is a `server_error`, which it does.
 * https://developers.openai.com/api/docs/guides/error-codes
 */
const failureCodes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'insufficient_quota',
  'invalid_prompt',
  'rate_limit_exceeded',
  'server_error',
])

/** The upstream's id when it is one of this format, else the gateway's own. */
export function responseIdFor(id: string, { responseId }: Pick<ErrorContext, 'responseId'>): string {
  if (id.startsWith(idPrefix)) return id
  return responseId.startsWith(idPrefix) ? responseId : `${idPrefix}${responseId}`
}

/** Returns what the ids of a response's items have in common. */
export function itemSuffix(id: string): string {
  return id.slice(idPrefix.length)
}

const idPrefix = 'resp_'
