import { type EncodedRequest, type EncodeTarget, RequestFault } from '../../canonical/codec.ts'
import type { ChatRequest, OutputFormat, ReasoningOptions, RequestOptions } from '../../canonical/request.ts'
import { isObject } from '../../json/value.ts'
import { lostVendorFields } from '../../requests/vendor-fields.ts'
import { fitRequest } from '../../schemas/fit-request.ts'
import { unsupported } from '../fields.ts'
import { encodeContents } from './encode-content.ts'
import { encodeTools, needsOtherWay, withJsonOtherwise } from './encode-tools.ts'
import { type ModelTraits, traitsOf } from './model.ts'

type ConfigFields = Readonly<Record<string, unknown>>

/** The service takes no more. */
const maxStopSequences = 5

/** `generationConfig`; empty when there is nothing to say. */
function encodeConfig(request: ChatRequest, traits: ModelTraits, dropped: Set<string>): ConfigFields {
  const { sampling, options, maxOutputTokens, outputFormat, reasoning } = request
  if (sampling.stop.length > maxStopSequences)
    throw unsupported('stop', `Gemini takes at most ${maxStopSequences} stop sequences`)
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty, logprobs } = sampling
  const thinkingConfig = reasoning === undefined ? {} : encodeReasoning(reasoning, traits, dropped)
  const modalities = options.modalities?.map((modality) => modality.toUpperCase())
  return defined({
    temperature,
    topP,
    topK,
    seed,
    presencePenalty,
    frequencyPenalty,
    maxOutputTokens,
    stopSequences: sampling.stop.length > 0 ? sampling.stop : undefined,
    candidateCount: sampling.candidates > 1 ? sampling.candidates : undefined,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs === undefined || logprobs === 0 ? undefined : logprobs,
    ...encodeOutputFormat(outputFormat, traits),
    // Text is what comes anyway.
    responseModalities: modalities?.some((modality) => modality !== 'TEXT') ? modalities : undefined,
    thinkingConfig: Object.keys(thinkingConfig).length > 0 ? thinkingConfig : undefined,
  })
}

function encodeOutputFormat(format: OutputFormat | undefined, { schemas }: ModelTraits): ConfigFields {
  if (format === undefined || format.type === 'text') return {}
  const responseMimeType = 'application/json'
  if (format.type !== 'json-schema') return { responseMimeType }
  const field = schemas.output.language === 'openapi' ? 'responseSchema' : 'responseJsonSchema'
  return { responseMimeType, [field]: format.schema }
}

/** A level from Gemini 3 on, a budget for 2.5 and unknown models, nothing for models before, which refuse both. */
function encodeReasoning(
  reasoning: ReasoningOptions,
  traits: ModelTraits,
  dropped: Set<string>,
): ConfigFields {
  const { includeThoughts } = reasoning
  if (traits.thinking === 'level')
    return defined({ thinkingLevel: levelOf(reasoning, traits), includeThoughts })
  if (traits.thinking === 'budget')
    return defined({ thinkingBudget: budgetOf(reasoning, traits), includeThoughts })
  if (reasoning.effort !== 'none') dropped.add('reasoning')
  return {}
}

type Level = 'minimal' | 'low' | 'medium' | 'high'

const levels = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Record<NonNullable<ReasoningOptions['effort']>, Level>

/** Thinking cannot be switched off from Gemini 3 on: the least of it is as near as can be. */
function levelOf({ effort, budgetTokens }: ReasoningOptions, { isPro }: ModelTraits): Level | undefined {
  const level = effort === undefined ? levelOfBudget(budgetTokens) : levels[effort]
  return level === 'minimal' && isPro ? 'low' : level
}

function levelOfBudget(budget: number | undefined): Level | undefined {
  if (budget === undefined || budget < 0) return undefined
  if (budget < 1024) return 'minimal'
  if (budget < 4096) return 'low'
  return budget < 16384 ? 'medium' : 'high'
}

/** Tokens that an effort stands for at models that know budgets alone. */
export const geminiBudgets = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24576,
  xhigh: 32768,
  max: 32768,
} as const satisfies Record<NonNullable<ReasoningOptions['effort']>, number>

/** Within the model's range; -1, which leaves it to the model, is in every range. */
function budgetOf({ effort, budgetTokens }: ReasoningOptions, traits: ModelTraits): number | undefined {
  const isLeft = budgetTokens === undefined || budgetTokens < 0
  const wanted = isLeft && effort !== undefined ? geminiBudgets[effort] : budgetTokens
  if (wanted === undefined || wanted < 0) return wanted
  if (traits.isPro) return Math.min(Math.max(wanted, 128), 32768)
  if (wanted === 0) return 0
  return Math.min(Math.max(wanted, traits.isLite ? 512 : 1), 24576)
}

function defined(fields: ConfigFields): ConfigFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

type Fields = Readonly<Record<string, unknown>>

/** A body of `generateContent`. The model and whether to stream are said in its address. */
export function encodeRequest(original: ChatRequest, target: EncodeTarget): EncodedRequest {
  const traits = traitsOf(target.model)
  const dropped = new Set<string>()
  const { tools } = traits.schemas
  const needsWay = needsOtherWay(original, traits)
  const fitted = fitRequest(original, needsWay ? { tools, output: tools } : traits.schemas, dropped)
  const request = needsWay ? withJsonOtherwise(fitted) : fitted
  checkImages(request, target)
  const contents = encodeContents(request, traits, dropped)
  const config = encodeConfig(withImages(request, target), traits, dropped)
  const { safetySettings = [] } = target
  const body = {
    ...contents,
    ...encodeTools(request, traits, dropped),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(safetySettings.length > 0 && { safetySettings }),
  }
  noteOptions(request.options, dropped)
  return { body: withVendorFields(body, request, dropped), dropped: [...dropped] }
}

function checkImages({ messages }: ChatRequest, { maxImages = -1 }: EncodeTarget): void {
  const isImage = ({ type, ...part }: { readonly type: string; readonly kind?: string }) =>
    type === 'media' && part.kind === 'image'
  const beyond = messages.findIndex(({ parts }) => parts.filter(isImage).length > maxImages)
  if (maxImages < 0 || beyond < 0) return
  const message = `too many images in the message, max allowed is ${maxImages}`
  throw new RequestFault(message, `messages[${beyond}]`, 'too_many_images')
}

/** A model that generates images does so only when the request names the modality. */
function withImages(request: ChatRequest, { generatesImages = false }: EncodeTarget): ChatRequest {
  const { options } = request
  if (!generatesImages || options.modalities !== undefined) return request
  return { ...request, options: { ...options, modalities: ['text', 'image'] } }
}

const defaultTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard'])

function noteOptions(options: RequestOptions, dropped: Set<string>): void {
  const { user, metadata, promptCacheKey, verbosity, serviceTier } = options
  for (const [name, value] of Object.entries({ user, metadata, promptCacheKey, verbosity }))
    if (value !== undefined) dropped.add(name)
  if (serviceTier !== undefined && !defaultTiers.has(serviceTier)) dropped.add('serviceTier')
}

/** Puts back what came from a caller of this format; leaves out what came from others, and says so. */
function withVendorFields(body: Fields, { vendor }: ChatRequest, dropped: Set<string>): Fields {
  for (const name of lostVendorFields(vendor, 'gemini')) dropped.add(name)
  if (vendor?.format !== 'gemini') return body
  const out: Record<string, unknown> = { ...body }
  for (const [path, value] of Object.entries(vendor.fields)) {
    if (path.includes('[')) dropped.add(path)
    else putAt(out, path.split('.'), value)
  }
  return out
}

/** Never over what the request itself says. */
function putAt(holder: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [step, ...others] = steps
  if (step === undefined || step === '__proto__') return
  if (others.length === 0) {
    if (!Object.hasOwn(holder, step)) holder[step] = value
    return
  }
  const inner: Record<string, unknown> = { ...(isObject(holder[step]) ? holder[step] : {}) }
  putAt(inner, others, value)
  holder[step] = inner
}
