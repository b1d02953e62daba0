import type { OutputFormat, ReasoningOptions, RequestOptions, Sampling } from '../canonical/request.ts'
import type { JsonObject } from '../json-value.ts'
import { choicesIn } from './facts.ts'
import {
  given,
  isAbsent,
  optionalChoice,
  optionalFlag,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  requiredObject,
  requiredText,
  wrongType,
} from './faults.ts'
import { chatChecks } from './request-checks.ts'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const verbosities = ['low', 'medium', 'high'] as const
const modalities = ['text', 'image', 'audio'] as const

/** Numbers have been checked: see `chatChecks`. */
export function decodeSampling(body: JsonObject): Sampling {
  return {
    ...given('temperature', numberOf(body.temperature)),
    ...given('topP', numberOf(body.top_p)),
    ...given('topK', optionalInteger(body.top_k, 'top_k')),
    ...given('seed', optionalInteger(body.seed, 'seed')),
    ...given('presencePenalty', numberOf(body.presence_penalty)),
    ...given('frequencyPenalty', numberOf(body.frequency_penalty)),
    stop: decodeStop(body.stop),
    candidates: choicesIn(body, chatChecks),
    ...given('logprobs', decodeLogprobs(body)),
  }
}

export function decodeOptions(body: JsonObject): RequestOptions {
  return {
    ...given('user', optionalText(body.user, 'user')),
    ...given('metadata', optionalObject(body.metadata, 'metadata')),
    ...given('serviceTier', optionalText(body.service_tier, 'service_tier')),
    ...given('promptCacheKey', optionalText(body.prompt_cache_key, 'prompt_cache_key')),
    ...given('verbosity', optionalChoice(body.verbosity, verbosities, 'verbosity')),
    ...given('modalities', decodeModalities(body.modalities)),
  }
}

export function decodeOutputFormat(value: unknown): OutputFormat | undefined {
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
  const wanted = requiredObject(value, param)
  return {
    type: 'json-schema',
    name: requiredText(wanted.name, `${param}.name`),
    schema: optionalObject(wanted.schema, `${param}.schema`) ?? {},
    ...given('strict', optionalFlag(wanted.strict, `${param}.strict`)),
    ...given('description', optionalText(wanted.description, `${param}.description`)),
  }
}

/**
 * `reasoning_effort`, or OpenRouter's `reasoning`, which may limit the thoughts by tokens instead. Who asks for effort is
 * shown the thoughts: callers of this format have no other word for it.
 */
export function decodeReasoning(body: JsonObject): ReasoningOptions | undefined {
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
    ...given('effort', effort),
    ...given('budgetTokens', budgetTokens),
    includeThoughts: excluded !== true,
  }
}

function decodeStop(value: unknown): readonly string[] {
  if (isAbsent(value)) return []
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) throw wrongType('stop', 'a text or a list of texts')
  return value.map((text, place) => requiredText(text, `stop[${place}]`))
}

/** How many alternatives to each token; 0 when only the tokens' own are wanted. */
function decodeLogprobs(body: JsonObject): number | undefined {
  const wanted = optionalFlag(body.logprobs, 'logprobs')
  const top = optionalInteger(body.top_logprobs, 'top_logprobs')
  return wanted === true ? (top ?? 0) : undefined
}

function decodeModalities(value: unknown): RequestOptions['modalities'] {
  if (isAbsent(value)) return undefined
  return optionalList(value, 'modalities').flatMap(
    (each, place) => optionalChoice(each, modalities, `modalities[${place}]`) ?? [],
  )
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
