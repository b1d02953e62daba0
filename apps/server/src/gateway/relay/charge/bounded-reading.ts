import { noUsage, textsOf, truncateBody, type Usage } from '@tollgate/formats'
import type { OutputLimits } from '../../../billing/pricing/output-limits.ts'
import type { CallRequest, ResponseReading } from '../dialects/dialect.ts'
import { maxDelivered, roughDelivered, roughOutline } from './output-bound.ts'

type Read = Extract<ResponseReading, { ok: true }>

const utf8 = new TextDecoder()

/**
 * A buffered response that ends at its caller's limit, where its upstream delivered more than is believed of it; nearly always
 * the same reading, at once.
 * @param bytes size of the upstream's body: no token takes less than one
 */
export function boundedReading(
  reading: Read,
  request: Pick<CallRequest, 'format' | 'countTokens'>,
  limits: OutputLimits,
  bytes: number,
): Read | Promise<Read> {
  const max = maxDelivered(limits)
  if (max === undefined || bytes <= max || roughOutline(reading.outline) <= max) return reading
  if (roughDelivered(reading.delivered()) <= max) return reading
  return truncated(reading, request, limits, max)
}

async function truncated(
  reading: Read,
  request: Pick<CallRequest, 'format' | 'countTokens'>,
  { candidates }: OutputLimits,
  max: number,
): Promise<Read> {
  const texts = textsOf(request.format)
  const delivered = reading.delivered()
  const { outputTokens } = await request.countTokens(delivered)
  if (texts === undefined || outputTokens <= max) return reading
  const characters = delivered.text.length + delivered.overflowBytes
  const room = Math.floor((characters * max) / outputTokens / Math.max(1, candidates))
  const cut = (charged: Usage) => truncateBody(textOf(reading.encode(charged)), texts, room)
  const found = cut(reading.usage ?? noUsage)
  if (found === undefined) return reading
  const { usage, leftOut, contentType } = reading
  return {
    ok: true,
    usage: undefined,
    latestUsage: usage && { ...usage, outputTokens: 0, reasoningTokens: 0 },
    delivered: () => ({ text: found.text, overflowBytes: 0, toolCalls: 0 }),
    ended: 'output_limit',
    leftOut,
    contentType,
    encode: (charged) => cut(charged)?.body ?? found.body,
  }
}

function textOf(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : utf8.decode(body)
}
