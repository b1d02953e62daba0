import { RequestFault } from './canonical/codec.ts'
import type { FormatName } from './canonical/format.ts'
import type { ChatRequest } from './canonical/request.ts'
import { type CallerPlace, callerPlaceOf } from './source-paths.ts'

type Names = Readonly<Record<string, string>>

/** What encoders call a field, in the one spelling that OpenAI's callers know. */
const chatNames: Names = {
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  parallelToolCalls: 'parallel_tool_calls',
  promptCacheKey: 'prompt_cache_key',
  serviceTier: 'service_tier',
  cache: 'cache_control',
  reasoning: 'reasoning_effort',
  budgetTokens: 'reasoning.max_tokens',
}

/** Fields of `generationConfig` by OpenAI's names. */
const generationConfig: Names = {
  response_format: 'responseSchema',
  stop: 'stopSequences',
  n: 'candidateCount',
  modalities: 'responseModalities',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  logprobs: 'responseLogprobs',
  reasoning_effort: 'thinkingConfig',
  'reasoning.max_tokens': 'thinkingConfig.thinkingBudget',
}

/** Fields by OpenAI's names, and what callers of the other formats call them. */
const names: Partial<Record<FormatName, Names>> = {
  'openai-responses': {
    response_format: 'text.format',
    verbosity: 'text.verbosity',
    logprobs: 'top_logprobs',
    reasoning_effort: 'reasoning',
  },
  'anthropic-messages': {
    response_format: 'output_config.format',
    stop: 'stop_sequences',
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    user: 'metadata.user_id',
    filename: 'title',
    reasoning_effort: 'thinking',
    'reasoning.max_tokens': 'thinking.budget_tokens',
  },
  gemini: Object.fromEntries(
    Object.entries(generationConfig).map(([name, own]) => [name, `generationConfig.${own}`]),
  ),
}

/** What stood nowhere in the caller's body, or where is not known, has the name of the list alone: counts are not the caller's. */
const tools = [/^tools\[\d+\](?= \(|\.name$|\.parameters|$)/, 'tools'] as const
const counted = (messages: string) => [tools, [/^messages(\[.*)?$/s, messages]] as const
const roots: Partial<Record<FormatName, readonly (readonly [RegExp, string])[]>> = {
  'openai-chat': counted('messages'),
  'openai-compaction': counted('input'),
  'openai-responses': counted('input'),
  'anthropic-messages': counted('messages'),
  gemini: counted('contents'),
}

/** What an upstream's format cannot say, told with the field's name in the caller's own format. */
export function withCallerFieldName(fault: RequestFault, format: string, request: ChatRequest): RequestFault {
  const { param, message, code } = fault
  if (param === null) return fault
  const name = callerFieldName(param, format, request)
  if (name === param) return fault
  const told = message.startsWith(param) ? name + message.slice(param.length) : `${name}: ${message}`
  return new RequestFault(told, name, code)
}

/**
 * The name by which callers of a format know a field that an encoder names.
 * @param request what was encoded
 */
export function callerFieldName(field: string, format: string, request: ChatRequest): string {
  // What the caller's format has alone is kept, and named, as the caller wrote it.
  if (Object.hasOwn(request.vendor?.fields ?? {}, field)) return field
  const place = callerPlaceOf(field, request)
  if (place !== undefined) return place.path + inTool(place, format)
  const counted = roots[format as FormatName]?.find(([pattern]) => pattern.test(field))
  if (counted !== undefined) return field.replace(...counted)
  const known = memberOf(chatNames, field) ?? field
  return memberOf(names[format as FormatName] ?? {}, known) ?? known
}

/** Fields of a tool, where the caller's format puts or calls them otherwise than its functions of old, and Gemini's, do. */
const toolFields: Partial<Record<FormatName, readonly (readonly [RegExp, string])[]>> = {
  'openai-chat': [[/^\.(?=name|parameters)/, '.function.']],
  'anthropic-messages': [[/^\.parameters/, '.input_schema']],
}

function inTool({ path, rest }: CallerPlace, format: string): string {
  const known = path.startsWith('tools[') ? toolFields[format as FormatName] : undefined
  return (known ?? []).reduce((field, [pattern, own]) => field.replace(pattern, own), rest)
}

function memberOf(table: Names, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
