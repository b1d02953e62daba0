import type { EncodedRequest, EncodeTarget } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { isObject, type JsonObject } from '../json-value.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeSampling } from './encode-sampling.ts'
import { encodeThinking, planThinking, type ThinkingPlan } from './encode-thinking.ts'
import { encodeTooling } from './encode-tools.ts'
import { type Encoding, startEncoding } from './encoding.ts'
import { unsupported } from './fields.ts'

/** Output limit for a caller that set none: this format must say one. */
export const defaultMaxTokens = 8192

/** @throws RequestFault for what this format cannot say and whose loss would change the answer */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest {
  const encoding = startEncoding(target)
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
  const instructions = [...system, ...jsonInstruction(request)]
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

/** Fields of other formats that make another answer; the rest of theirs is only named. */
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
  const kept = own ? fields.filter(([name]) => !/[.[]/.test(name)) : []
  for (const [name] of fields) {
    if (!own && refusedFields.has(name)) throw unsupported(name, 'it has no such field')
    if (!kept.some(([other]) => other === name)) dropped.add(name)
  }
  return Object.fromEntries(kept)
}

/** With a budget the limit covers thoughts and answer: one that leaves no room for the answer is raised by the budget. */
function maxTokens(
  { maxOutputTokens }: ChatRequest,
  plan: ThinkingPlan,
  target: EncodeTarget,
  { traits }: Encoding,
): number {
  const usual = Math.min(
    target.defaultMaxTokens ?? defaultMaxTokens,
    traits.outputCap ?? Number.POSITIVE_INFINITY,
  )
  const limit = maxOutputTokens ?? usual
  return plan.type === 'enabled' && limit <= plan.budgetTokens ? plan.budgetTokens + limit : limit
}

/** There is no field for JSON of any schema. */
function jsonInstruction({ outputFormat }: ChatRequest): readonly JsonObject[] {
  if (outputFormat?.type !== 'json') return []
  return [
    { type: 'text', text: 'Answer with one valid JSON object and nothing else: no prose, no code fence.' },
  ]
}

const serviceTiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'standard_only',
  standard_only: 'standard_only',
}

function encodeOptions({ options }: ChatRequest, { dropped }: Encoding): JsonObject {
  const { user, metadata, serviceTier = '', promptCacheKey, verbosity, modalities = [] } = options
  if (modalities.some((kind) => kind !== 'text'))
    throw unsupported('modalities', 'it answers with text alone')
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
