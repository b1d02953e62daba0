import type { EncodedRequest, EncodeTarget } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { lostVendorFields } from '../vendor-fields.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeOptions, encodeOutputFormat, encodeReasoning, encodeSampling } from './encode-options.ts'
import { encodeTools } from './encode-tools.ts'

/**
 * The request as Chat Completions. The limit goes out under its oldest name, which every server knows; upstreams that
 * want the newer one have a quirk for it.
 * @throws RequestFault for what this format cannot say and whose loss would change the answer
 */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest {
  const dropped = new Set(lostVendorFields(request.vendor, 'openai-chat'))
  const own = request.vendor?.format === 'openai-chat' ? request.vendor.fields : {}
  const { maxOutputTokens, stream } = request
  const body = {
    model: target.model,
    messages: encodeMessages(request, dropped, target.cacheMarks === true),
    ...(stream && { stream: true }),
    ...(stream && target.streamOptions && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...encodeTools(request, dropped),
    ...encodeOutputFormat(request.outputFormat),
    ...encodeReasoning(request.reasoning, target.model, dropped),
    ...encodeSampling(request.sampling, dropped),
    ...encodeOptions(request.options, dropped),
    ...own,
  }
  return { body, dropped: [...dropped] }
}
