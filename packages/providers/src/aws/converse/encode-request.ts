import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type JsonObject,
  lostVendorFields,
  type RequestOptions,
  unsupported,
} from '@tollgate/formats'
import { encodeInference } from './encode-inference.ts'
import { encodeMessages, type Turn } from './encode-messages.ts'
import { encodeTooling } from './encode-tools.ts'
import { type Encoding, startEncoding } from './encoding.ts'

/**
 * A body of `Converse` and `ConverseStream`: the model and whether to stream are said in the address.
 * @throws RequestFault for what this format cannot say and whose loss would change the answer
 */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest {
  const encoding = startEncoding(target)
  for (const name of lostVendorFields(request.vendor, 'bedrock-converse')) encoding.dropped.add(name)
  const { system, messages } = encodeMessages(request.messages, encoding)
  const { toolConfig, instructions } = encodeTooling(request, encoding)
  const said = placeInstructions(system, messages, instructions, encoding)
  const body = {
    ...said,
    ...(toolConfig !== undefined && { toolConfig }),
    ...encodeInference(request, encoding),
    ...encodeOptions(request.options, encoding),
  }
  return { body, dropped: [...encoding.dropped] }
}

function placeInstructions(
  system: readonly JsonObject[],
  messages: readonly Turn[],
  instructions: readonly string[],
  { traits }: Encoding,
): JsonObject {
  const blocks = instructions.map((text) => ({ text }))
  if (traits.system) {
    const all = [...system, ...blocks]
    return { ...(all.length > 0 && { system: all }), messages }
  }
  const [first, ...others] = messages
  if (first === undefined || blocks.length === 0) return { messages }
  return { messages: [{ ...first, content: [...blocks, ...first.content] }, ...others] }
}

const tiers: ReadonlySet<string> = new Set(['flex', 'priority'])
const usualTiers: ReadonlySet<string> = new Set(['', 'auto', 'default', 'standard', 'standard_only'])

function encodeOptions(options: RequestOptions, { dropped }: Encoding): JsonObject {
  const { user, metadata, promptCacheKey, verbosity, serviceTier = '', modalities = [] } = options
  if (modalities.some((kind) => kind !== 'text'))
    throw unsupported('modalities', 'it answers with text alone')
  for (const [name, value] of Object.entries({ user, metadata, promptCacheKey, verbosity }))
    if (value !== undefined) dropped.add(name)
  if (tiers.has(serviceTier)) return { serviceTier: { type: serviceTier } }
  if (!usualTiers.has(serviceTier)) dropped.add('serviceTier')
  return {}
}
