import type { RequestPath } from '../../canonical/codec.ts'
import type { ChatRequest, OutputFormat, ReasoningOptions } from '../../canonical/request.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf } from '../../json/value.ts'
import {
  isAbsent,
  optionalChoice,
  optionalFlag,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  provided,
  requiredText,
  wrongType,
} from '../../requests/fields.ts'
import { decodeConversation } from './decode-input.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { inspectRequest } from './inspect.ts'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const verbosities = ['low', 'medium', 'high'] as const

/** Fields that have a canonical form, and `stream_options`, which is between the caller and the gateway. */
const canonicalFields: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'temperature',
  'top_p',
  'top_logprobs',
  'max_output_tokens',
  'user',
  'metadata',
  'service_tier',
  'prompt_cache_key',
])

/** Fields about storing the response at the vendor: other vendors store none, and the response is the same. */
const silent: ReadonlySet<string> = new Set(['store', 'include', 'truncation'])

/**
 * Reads a caller's body for an upstream of another format.
 * @throws RequestFault that names the field
 */
export function decodeRequest(body: JsonObject, path: RequestPath): ChatRequest {
  const { model, stream, maxOutputTokens } = inspectRequest(body, path)
  const { messages, left } = decodeConversation(body)
  const fields = { ...left, ...vendorFields(body), ...unknownMembers(body) }
  return {
    model,
    stream,
    messages,
    tools: [...decodeTools(body.tools, 'tools'), ...additionalTools(body.input)],
    ...provided('toolChoice', decodeToolChoice(body.tool_choice)),
    ...provided('parallelToolCalls', optionalFlag(body.parallel_tool_calls, 'parallel_tool_calls')),
    ...provided('outputFormat', decodeOutputFormat(body)),
    ...provided('reasoning', decodeReasoning(body)),
    sampling: {
      ...provided('temperature', optionalNumber(body.temperature, 'temperature', 2)),
      ...provided('topP', optionalNumber(body.top_p, 'top_p', 1)),
      ...provided('logprobs', decodeLogprobs(body)),
      stop: [],
      candidates: 1,
    },
    ...provided('maxOutputTokens', maxOutputTokens),
    options: {
      ...provided('user', optionalText(body.user, 'user')),
      ...provided('metadata', optionalObject(body.metadata, 'metadata')),
      ...provided('serviceTier', optionalText(body.service_tier, 'service_tier')),
      ...provided('promptCacheKey', optionalText(body.prompt_cache_key, 'prompt_cache_key')),
      ...provided('verbosity', optionalChoice(textOptions(body).verbosity, verbosities, 'text.verbosity')),
    },
    ...(Object.keys(fields).length > 0 && { vendor: { format: 'openai-responses', fields } }),
  }
}

function vendorFields(body: JsonObject): JsonObject {
  const retained = Object.entries(body).filter(
    ([name, value]) => !canonicalFields.has(name) && !silent.has(name) && !isAbsent(value),
  )
  return Object.fromEntries(retained)
}

const knownMembers: Readonly<Record<string, readonly string[]>> = {
  reasoning: ['effort', 'summary', 'generate_summary'],
  text: ['format', 'verbosity'],
}

/** Returns what fields with a canonical form hold beside it, by its path: `reasoning.context`. */
function unknownMembers(body: JsonObject): JsonObject {
  const members = Object.entries(knownMembers).flatMap(([name, known]) =>
    Object.entries(optionalObject(body[name], name) ?? {}).flatMap(([member, value]) =>
      known.includes(member) || isAbsent(value) ? [] : [[`${name}.${member}`, value] as const],
    ),
  )
  return Object.fromEntries(members)
}

/** Tools inside the conversation, where a client adds them step by step. */
function additionalTools(input: unknown): ChatRequest['tools'] {
  return listOf(input).flatMap((item, index) =>
    isObject(item) && item.type === 'additional_tools'
      ? decodeTools(item.tools, `input[${index}].tools`)
      : [],
  )
}

function textOptions(body: JsonObject): JsonObject {
  return optionalObject(body.text, 'text') ?? {}
}

function decodeOutputFormat(body: JsonObject): OutputFormat | undefined {
  const param = 'text.format'
  const format = optionalObject(textOptions(body).format, param)
  if (format === undefined) return undefined
  const types = ['text', 'json_object', 'json_schema'] as const
  const type = optionalChoice(requiredText(format.type, `${param}.type`), types, `${param}.type`)
  if (type !== 'json_schema') return { type: type === 'json_object' ? 'json' : 'text' }
  return {
    type: 'json-schema',
    name: requiredText(format.name, `${param}.name`),
    schema: optionalObject(format.schema, `${param}.schema`) ?? {},
    ...provided('strict', optionalFlag(format.strict, `${param}.strict`)),
    ...provided('description', optionalText(format.description, `${param}.description`)),
  }
}

/** A request for a summary asks for visible reasoning. */
function decodeReasoning(body: JsonObject): ReasoningOptions | undefined {
  const reasoning = optionalObject(body.reasoning, 'reasoning')
  if (reasoning === undefined) return undefined
  const effort = optionalChoice(reasoning.effort, efforts, 'reasoning.effort')
  if (effort === 'none') return { effort }
  const summary = optionalText(reasoning.summary ?? reasoning.generate_summary, 'reasoning.summary')
  if (effort === undefined && summary === undefined) return undefined
  return { ...provided('effort', effort), includeThoughts: summary !== undefined }
}

/** Wanted with a count of alternatives, or by name among what is to be included. */
function decodeLogprobs(body: JsonObject): number | undefined {
  const top = optionalInteger(body.top_logprobs, 'top_logprobs')
  const named = optionalList(body.include, 'include').includes('message.output_text.logprobs')
  if (named) return top ?? 0
  return top === undefined || top === 0 ? undefined : top
}

function optionalNumber(value: unknown, param: string, max: number): number | undefined {
  if (isAbsent(value)) return undefined
  const number = numberOf(value)
  if (number === undefined || number < 0 || number > max)
    throw wrongType(param, `a number between 0 and ${max}`)
  return number
}
