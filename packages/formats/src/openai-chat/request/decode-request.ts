import type { RequestPath } from '../../canonical/codec.ts'
import type {
  ChatRequest,
  OutputFormat,
  ReasoningOptions,
  RequestOptions,
  Sampling,
} from '../../canonical/request.ts'
import { numberOf } from '../../json/number-text.ts'
import { type JsonObject, listOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import {
  integer,
  isAbsent,
  object,
  optional,
  optionalChoice,
  optionalFlag,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  provided,
  requiredText,
  stopSequences,
  text,
  wrongType,
} from '../../requests/fields.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { chatChecks, choicesIn, inspectRequest, outputLimitIn } from './inspect.ts'
import { readSwitch } from './thinking-switch.ts'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const verbosities = ['low', 'medium', 'high'] as const
const modalities = ['text', 'image', 'audio'] as const

/** Reads the sampling options, whose numbers have been checked: see `chatChecks`. */
function decodeSampling(body: JsonObject): Sampling {
  return {
    ...provided('temperature', numberOf(body.temperature)),
    ...provided('topP', numberOf(body.top_p)),
    ...provided('topK', optionalInteger(body.top_k, 'top_k')),
    ...provided('seed', optional(body.seed, 'seed', integer(-(2 ** 64), 2 ** 64))),
    ...provided('presencePenalty', numberOf(body.presence_penalty)),
    ...provided('frequencyPenalty', numberOf(body.frequency_penalty)),
    stop: decodeStop(body.stop),
    candidates: choicesIn(body, chatChecks),
    ...provided('logprobs', decodeLogprobs(body)),
  }
}

function decodeOptions(body: JsonObject): RequestOptions {
  return {
    ...provided('user', optionalText(body.user, 'user')),
    ...provided('metadata', optionalObject(body.metadata, 'metadata')),
    ...provided('serviceTier', optionalText(body.service_tier, 'service_tier')),
    ...provided('promptCacheKey', optionalText(body.prompt_cache_key, 'prompt_cache_key')),
    ...provided('verbosity', optionalChoice(body.verbosity, verbosities, 'verbosity')),
    ...provided('modalities', decodeModalities(body.modalities)),
  }
}

function decodeOutputFormat(value: unknown): OutputFormat | undefined {
  const format = optionalObject(value, 'response_format')
  if (format === undefined) return undefined
  const types = ['text', 'json_object', 'json_schema'] as const
  const type = optionalChoice(
    requiredText(format.type, 'response_format.type'),
    types,
    'response_format.type',
  )
  if (type === 'json_schema') return decodeSchemaFormat(format.json_schema)
  return { type: type === 'json_object' ? 'json' : 'text' }
}

function decodeSchemaFormat(value: unknown): OutputFormat {
  const param = 'response_format.json_schema'
  const wanted = object(value, param)
  return {
    type: 'json-schema',
    name: requiredText(wanted.name, `${param}.name`),
    schema: optionalObject(wanted.schema, `${param}.schema`) ?? {},
    ...provided('strict', optionalFlag(wanted.strict, `${param}.strict`)),
    ...provided('description', optionalText(wanted.description, `${param}.description`)),
  }
}

/**
 * `reasoning_effort`, or OpenRouter's `reasoning`, which may limit the reasoning by tokens instead. A request for effort also
 * requests visible reasoning: the format has no other field for it.
 */
function decodeReasoning(body: JsonObject): ReasoningOptions | undefined {
  const switched = isAbsent(body.reasoning_effort ?? body.reasoning) ? readSwitch(body) : undefined
  if (switched !== undefined) return withSourcePath(switched.reasoning, switched.fields[0])
  const reasoning = optionalObject(body.reasoning, 'reasoning') ?? {}
  const effort = isAbsent(body.reasoning_effort)
    ? optionalChoice(reasoning.effort, efforts, 'reasoning.effort')
    : optionalChoice(body.reasoning_effort, efforts, 'reasoning_effort')
  const budgetTokens = optionalInteger(reasoning.max_tokens, 'reasoning.max_tokens')
  const enabled = optionalFlag(reasoning.enabled, 'reasoning.enabled')
  const excluded = optionalFlag(reasoning.exclude, 'reasoning.exclude')
  if (enabled === false || effort === 'none') return { effort: 'none' }
  if (enabled === undefined && effort === undefined && budgetTokens === undefined) return undefined
  return {
    ...provided('effort', effort),
    ...provided('budgetTokens', budgetTokens),
    includeThoughts: excluded !== true,
  }
}

function decodeStop(value: unknown): readonly string[] {
  if (isAbsent(value)) return []
  if (typeof value === 'string') return stopSequences([value])
  if (!Array.isArray(value)) throw wrongType('stop', 'a text or a list of texts')
  return stopSequences(value.map((each, index) => text(each, `stop[${index}]`)))
}

/** Returns how many alternatives to each token the caller wants; 0 when only the tokens' own are wanted. */
function decodeLogprobs(body: JsonObject): number | undefined {
  const wanted = optionalFlag(body.logprobs, 'logprobs')
  const top = optionalInteger(body.top_logprobs, 'top_logprobs')
  return wanted === true ? (top ?? 0) : undefined
}

function decodeModalities(value: unknown): RequestOptions['modalities'] {
  if (isAbsent(value)) return undefined
  return optionalList(value, 'modalities').flatMap(
    (each, index) => optionalChoice(each, modalities, `modalities[${index}]`) ?? [],
  )
}

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
    ...provided('toolChoice', decodeToolChoice(body)),
    ...provided('parallelToolCalls', optionalFlag(body.parallel_tool_calls, 'parallel_tool_calls')),
    ...provided('outputFormat', decodeOutputFormat(body.response_format)),
    ...provided('reasoning', decodeReasoning(body)),
    sampling: decodeSampling(body),
    ...provided('maxOutputTokens', outputLimitIn(body, chatChecks)),
    options: decodeOptions(body),
    ...(fields.length > 0 && { vendor: { format: 'openai-chat', fields: Object.fromEntries(fields) } }),
  }
}

function vendorFields(body: JsonObject): readonly (readonly [string, unknown])[] {
  const read = isAbsent(body.reasoning_effort ?? body.reasoning) ? (readSwitch(body)?.fields ?? []) : []
  return Object.entries(body).filter(
    ([name, value]) => !canonicalFields.has(name) && !read.includes(name) && !isAbsent(value),
  )
}
