import {
  type Delivered,
  FilteredStream,
  filterBody,
  noUsage,
  type StreamReader,
  textsOf,
  type Usage,
  type WordFilter,
} from '@tollgate/formats'
import type { CallRequest, ResponseReading } from '../dialects/dialect.ts'
import { arrayForm } from '../dialects/stream-form.ts'

type Read = Extract<ResponseReading, { ok: true }>

const utf8 = new TextDecoder()
const maxFrameBytes = 16 * 1024 * 1024

/** A stream without the operator's words. */
export function filteredStream(
  reader: StreamReader,
  { format, streamForm, includeUsage }: CallRequest,
  filter: WordFilter,
): StreamReader {
  const texts = textsOf(format)
  if (texts === undefined) return reader
  const isList = streamForm === arrayForm
  return new FilteredStream(reader, { filter, texts, isList, includeUsage, maxFrameBytes })
}

/** A whole answer without them: the same reading where there are none in it. */
export function filteredReading(reading: Read, { format }: CallRequest, filter: WordFilter): Read {
  const texts = textsOf(format)
  if (texts === undefined) return reading
  const filtered = (charged: Usage) => filterBody(textOf(reading.encode(charged)), texts, filter)
  const found = filtered(reading.usage ?? noUsage)
  if (found === undefined) return reading
  return {
    ...(filter.stop ? stoppedCounts(reading, found.text) : countsOf(reading)),
    ok: true,
    contentType: reading.contentType,
    encode: (charged) => filtered(charged)?.body ?? found.body,
  }
}

function textOf(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : utf8.decode(body)
}

function countsOf(reading: Read): Pick<Read, 'usage' | 'delivered'> {
  return { usage: reading.usage, delivered: () => reading.delivered() }
}

/** The prompt as the upstream counted it, and of the answer what is left of it. */
function stoppedCounts({ usage }: Read, text: string): Omit<Read, 'ok' | 'encode'> {
  const delivered: Delivered = { text, overflowBytes: 0, toolCalls: 0 }
  return {
    usage: undefined,
    latestUsage: usage && { ...usage, outputTokens: 0, reasoningTokens: 0 },
    delivered: () => delivered,
    ended: 'sensitive_words',
  }
}
