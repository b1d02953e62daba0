import {
  type Candidate,
  type ChatPart,
  type DecodedResponse,
  gemini,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseJson,
  type StreamDecoder,
  textOf,
  type UpstreamCodec,
} from '@tollgate/formats'
import { encodeRequest } from './encode-request.ts'

const { decodeError } = gemini

/** Answers come whole, also to callers who wait for a stream. */
const decodeStream: StreamDecoder<null> = {
  start: () => null,
  step: (_state, { data }) => {
    const reading = decodeResponse(parseJson(data))
    return reading.ok ? partsOf(reading.response.candidates) : [{ type: 'error', error: reading.error }]
  },
  finish: () => [],
}

/** https://developers.generativeai.google/api/rest/generativelanguage/models/generateMessage, as it was */
export const palmCodec: UpstreamCodec = {
  format: 'provider:palm',
  encodeRequest,
  decodeResponse,
  decodeStream,
  decodeError,
}

/** Nothing in it counts tokens. What a filter stopped has no candidates. */
function decodeResponse(body: unknown): DecodedResponse {
  const { candidates, filters } = objectOf(body)
  const found = listOf(candidates).map((candidate, index) => candidateOf(objectOf(candidate), index))
  const blocked = listOf(filters).some(isObject)
  if (found.length === 0 && !blocked)
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' }) }
  const all: readonly Candidate[] =
    found.length > 0 ? found : [{ index: 0, parts: [], stop: { reason: 'content-filter' } }]
  return { ok: true, response: { id: '', model: '', createdAt: 0, candidates: all, usage: undefined } }
}

function candidateOf({ content }: JsonObject, index: number): Candidate {
  const text = textOf(content)
  return { index, parts: text === '' ? [] : [{ type: 'text', text }], stop: { reason: 'stop' } }
}

function partsOf(candidates: readonly Candidate[]): readonly ChatPart[] {
  const spoken = candidates.flatMap(({ index, parts, stop }): ChatPart[] => [
    { type: 'open', candidate: index },
    ...parts.flatMap((part): ChatPart[] =>
      part.type === 'text' ? [{ type: 'text-delta', candidate: index, text: part.text }] : [],
    ),
    { type: 'stop', candidate: index, stop },
  ])
  return [{ type: 'start', id: '', model: '', createdAt: 0 }, ...spoken, { type: 'end' }]
}
