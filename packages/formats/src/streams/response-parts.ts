import type { CallRules, UpstreamCodec } from '../canonical/codec.ts'
import type { AssistantPart } from '../canonical/request.ts'
import type { Candidate, ChatResponse } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { settleCalls } from './settle-calls.ts'

/**
 * A codec whose stream is one event: the buffered response of an upstream that was asked for a stream and sent none.
 * @param rules of the caller's format
 */
export function singleEventCodec(codec: UpstreamCodec, rules: CallRules): UpstreamCodec {
  return {
    ...codec,
    decodeStream: {
      start: () => undefined,
      step(_, { data }) {
        const decoded = codec.decodeResponse(parseExactJson(data) ?? data)
        const reading = decoded.ok ? settleCalls(decoded.response, rules, undefined) : decoded
        return reading.ok ? partsOfResponse(reading.response) : [{ type: 'error', error: reading.error }]
      },
      finish: () => [],
    },
  }
}

/** The parts that a stream of the response would have had. */
export function partsOfResponse({
  id,
  model,
  createdAt,
  candidates,
  usage,
  leftOut = [],
}: ChatResponse): readonly ChatPart[] {
  return [
    { type: 'start', id, model, createdAt },
    ...leftOut.map((name) => ({ type: 'left-out', name }) as const),
    ...candidates.flatMap(partsOfCandidate),
    ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
    { type: 'end' },
  ]
}

function partsOfCandidate({ index, parts, citations = [], logprobs = [], stop }: Candidate): ChatPart[] {
  const candidate = index
  const calls = parts.filter((part) => part.type === 'tool-call')
  return [
    { type: 'open', candidate },
    ...parts.flatMap((part) => partsOf(part, candidate, part.type === 'tool-call' ? calls.indexOf(part) : 0)),
    ...citations.map((citation) => ({ type: 'citation', candidate, citation }) as const),
    ...(logprobs.length > 0 ? [{ type: 'logprobs', candidate, logprobs } as const] : []),
    { type: 'stop', candidate, stop },
  ]
}

function partsOf(part: AssistantPart, candidate: number, call: number): readonly ChatPart[] {
  switch (part.type) {
    case 'text': {
      const { text, signature } = part
      const delta: ChatPart = { type: 'text-delta', candidate, text }
      return signature ? [delta, { type: 'text-signature', candidate, signature }] : [delta]
    }
    case 'reasoning': {
      const { text, signature, encrypted } = part
      return [
        ...(text === '' ? [] : [{ type: 'reasoning-delta', candidate, text } as const]),
        ...(signature ? [{ type: 'reasoning-signature', candidate, signature } as const] : []),
        ...(encrypted ? [{ type: 'reasoning-encrypted', candidate, encrypted } as const] : []),
      ]
    }
    case 'refusal':
      return [{ type: 'refusal-delta', candidate, text: part.text }]
    case 'tool-call': {
      const { id, name, signature } = part
      return [
        { type: 'tool-call-start', candidate, call, id, name, ...(signature && { signature }) },
        { type: 'tool-call-delta', candidate, call, arguments: part.arguments },
        ...(part.isCut === true ? [] : [{ type: 'tool-call-end', candidate, call } as const]),
      ]
    }
    case 'media':
      return [{ type: 'media', candidate, media: part }]
  }
}
