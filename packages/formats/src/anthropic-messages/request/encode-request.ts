import type { EncodedRequest, EncodeTarget } from '../../canonical/codec.ts'
import { jsonInstruction } from '../../canonical/instructions.ts'
import type { ChatRequest, Sampling } from '../../canonical/request.ts'
import { isObject, type JsonObject } from '../../json/value.ts'
import { withinMarkLimit } from '../../requests/cache-marks.ts'
import { unsupportedByProvider } from '../../requests/fields.ts'
import { fitRequest } from '../../schemas/fit-request.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeThinking, planThinking, type ThinkingPlan } from './encode-thinking.ts'
import { claudeSchemas, encodeTooling } from './encode-tools.ts'
import { type Encoding, startEncoding } from './encoding.ts'

const unknownHere = ['seed', 'presencePenalty', 'frequencyPenalty', 'logprobs'] as const
const samplingFields = ['temperature', 'topP', 'topK'] as const
type SamplingFields = Pick<Sampling, (typeof samplingFields)[number]>

/** @throws RequestFault for several candidates, and for stop sequences that the format cannot match */
function encodeSampling(sampling: Sampling, plan: ThinkingPlan, encoding: Encoding): JsonObject {
  if (sampling.candidates > 1) throw unsupportedByProvider('n', 'it gives one answer to a request')
  const taken = takenOf(sampling, plan, encoding)
  const { dropped } = encoding
  for (const name of unknownHere) if (sampling[name] !== undefined) dropped.add(name)
  for (const name of samplingFields) if (taken[name] !== sampling[name]) dropped.add(name)
  const { temperature, topP, topK } = taken
  const stop = encodeStopSequences(sampling.stop)
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  }
}

/** A model that thinks takes a temperature of 1, a high `top_p` and no `top_k`; later ones take nothing at all. */
function takenOf(sampling: Sampling, plan: ThinkingPlan, { traits }: Encoding): SamplingFields {
  if (!traits.sampling) return {}
  const thinks = plan.type === 'enabled' || plan.type === 'adaptive'
  const temperature = temperatureOf(sampling, thinks)
  const topP = topPOf(sampling, thinks)
  const topK = thinks ? undefined : sampling.topK
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && (temperature === undefined || traits.temperatureWithTopP) && { topP }),
    ...(topK !== undefined && { topK }),
  }
}

/** Returns the temperature, up to 1; other vendors go up to 2. */
function temperatureOf({ temperature }: Sampling, thinks: boolean): number | undefined {
  if (temperature === undefined) return undefined
  const clamped = Math.min(Math.max(temperature, 0), 1)
  return thinks && clamped !== 1 ? undefined : clamped
}

function topPOf({ topP }: Sampling, thinks: boolean): number | undefined {
  return topP !== undefined && thinks && topP < 0.95 ? undefined : topP
}

function encodeStopSequences(stop: readonly string[]): readonly string[] {
  const stated = stop.filter((sequence) => sequence !== '')
  if (stated.some((sequence) => sequence.trim() === ''))
    throw unsupportedByProvider('stop', 'it takes no stop sequence of white space alone')
  return stated
}

/** Output limit for a caller that set none: this format requires one. */
export const defaultMaxTokens = 8192

/** @throws RequestFault for what this format cannot say and whose loss would change the response */
export function encodeRequest(original: ChatRequest, target: EncodeTarget): EncodedRequest {
  const encoding = startEncoding(target)
  const fitted = fitRequest(original, claudeSchemas(encoding), encoding.dropped)
  const request = withinMarkLimit(fitted, encoding.dropped)
  const vendor = encodeVendor(request, encoding)
  const { system, messages } = encodeMessages(request.messages, encoding)
  const tooling = encodeTooling(request, encoding)
  const plan = planThinking(request, tooling.forced, encoding)
  const effort = plan.type === 'enabled' ? undefined : plan.effort
  const outputConfig = {
    ...(isObject(vendor.output_config) && vendor.output_config),
    ...(effort !== undefined && { effort }),
    ...(tooling.format !== undefined && { format: tooling.format }),
  }
  const instructions = [...system, ...formInstruction(request)]
  const thinking = encodeThinking(plan, request.reasoning)
  const body = {
    ...vendor,
    model: target.model,
    max_tokens: maxTokens(request, plan, target, encoding),
    ...(instructions.length > 0 && { system: instructions }),
    messages,
    ...(request.stream && { stream: true }),
    ...(tooling.tools.length > 0 && { tools: tooling.tools }),
    ...(tooling.toolChoice !== undefined && { tool_choice: tooling.toolChoice }),
    ...(thinking !== undefined && { thinking }),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...encodeSampling(request.sampling, plan, encoding),
    ...encodeOptions(request, encoding),
  }
  return { body, dropped: [...encoding.dropped] }
}

/** Fields of other formats whose loss would change the response; the other fields are only listed as dropped. */
const refusedFields: ReadonlySet<string> = new Set([
  'audio',
  'web_search_options',
  'previous_response_id',
  'conversation',
  'prompt',
  'cachedContent',
  'cached_content',
])

/** Puts back what this format's own decoder kept; of another's, says what is lost. */
function encodeVendor({ vendor }: ChatRequest, { dropped }: Encoding): JsonObject {
  const fields = Object.entries(vendor?.fields ?? {})
  const own = vendor?.format === 'anthropic-messages'
  // A name that is a path stands for a block inside the messages, which cannot be put back.
  const retained = own ? fields.filter(([name]) => !/[.[]/.test(name)) : []
  for (const [name] of fields) {
    if (!own && refusedFields.has(name)) throw unsupportedByProvider(name, 'it has no such field')
    if (!retained.some(([other]) => other === name)) dropped.add(name)
  }
  return Object.fromEntries(retained)
}

/** Returns the limit of tokens. With a budget it covers reasoning and text: a limit that leaves no room for text is raised by the budget. */
function maxTokens(
  { maxOutputTokens }: ChatRequest,
  plan: ThinkingPlan,
  target: EncodeTarget,
  { traits }: Encoding,
): number {
  const standard = Math.min(
    target.defaultMaxTokens ?? defaultMaxTokens,
    traits.outputCap ?? Number.POSITIVE_INFINITY,
  )
  const limit = maxOutputTokens ?? standard
  return plan.type === 'enabled' && limit <= plan.budgetTokens ? plan.budgetTokens + limit : limit
}

/** Returns an instruction for JSON without a schema, for which the format has no field. */
function formInstruction({ outputFormat }: ChatRequest): readonly JsonObject[] {
  return outputFormat?.type === 'json' ? [{ type: 'text', text: jsonInstruction }] : []
}

const serviceTiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'standard_only',
  standard_only: 'standard_only',
}

function encodeOptions({ options }: ChatRequest, { dropped }: Encoding): JsonObject {
  const { user, metadata, serviceTier = '', promptCacheKey, verbosity, modalities = [] } = options
  if (modalities.some((kind) => kind !== 'text'))
    throw unsupportedByProvider('modalities', 'it answers with text alone')
  if (metadata !== undefined) dropped.add('metadata')
  if (promptCacheKey !== undefined) dropped.add('promptCacheKey')
  if (verbosity !== undefined) dropped.add('verbosity')
  const tier = Object.hasOwn(serviceTiers, serviceTier) ? serviceTiers[serviceTier] : undefined
  if (serviceTier !== '' && tier === undefined) dropped.add('serviceTier')
  return {
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...(tier !== undefined && { service_tier: tier }),
  }
}
