import type { EncodeContext } from '../../canonical/codec.ts'
import type { Candidate, ChatResponse, Citation, TokenLogprob } from '../../canonical/response.ts'
import { encodeResponsePart, malformedCall } from '../encode-part.ts'
import { encodeStop } from './stop.ts'
import { encodeUsage } from './usage.ts'

type Fields = Readonly<Record<string, unknown>>

/** A buffered response as callers of this format read it. */
export function encodeResponse(response: ChatResponse, call: EncodeContext): Fields {
  return {
    candidates: response.candidates.map(encodeCandidate),
    ...(response.usage !== undefined && { usageMetadata: encodeUsage(response.usage) }),
    modelVersion: call.model,
    responseId: response.id || call.responseId,
  }
}

function encodeCandidate({ index, parts, stop, citations = [], logprobs = [] }: Candidate): Fields {
  const malformed = parts
    .map((part) => (part.type === 'tool-call' ? malformedCall(part) : ''))
    .filter(Boolean)
  return {
    content: { parts: parts.flatMap((part) => encodeResponsePart(part) ?? []), role: 'model' },
    ...encodeStop(stop, malformed.join('\n')),
    index,
    ...encodeCitations(citations.map((citation) => withCitedText(citation, parts))),
    ...encodeLogprobs(logprobs),
  }
}

/** Adds the cited text: this format shows what a page supports by the response's own words. */
function withCitedText(citation: Citation, parts: Candidate['parts']): Citation {
  const { text, range } = citation
  if (text !== '' || range === undefined) return citation
  const stated = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { ...citation, text: stated.slice(range.start, range.end) }
}

/** Citations as grounding metadata holds them: pages, and the texts that each of them supports. */
export function encodeCitations(citations: readonly Citation[]): Fields {
  if (citations.length === 0) return {}
  const pages = new Map(citations.map(({ url, title }) => [url, title]))
  const positions = [...pages.keys()]
  const supports = citations
    .filter(({ text }) => text !== '')
    .map(({ url, text }) => ({ segment: { text }, groundingChunkIndices: [positions.indexOf(url)] }))
  const groundingChunks = [...pages].map(([uri, title]) => ({ web: { uri, title } }))
  return {
    groundingMetadata: { groundingChunks, ...(supports.length > 0 && { groundingSupports: supports }) },
  }
}

/** Log probabilities as the service gives them; no member without any. */
export function encodeLogprobs(logprobs: readonly TokenLogprob[]): Fields {
  if (logprobs.length === 0) return {}
  const encode = ({ token, logprob }: { readonly token: string; readonly logprob: number }) => ({
    token,
    logProbability: logprob,
  })
  const topCandidates = logprobs.map(({ top }) => ({ candidates: top.map(encode) }))
  return { logprobsResult: { topCandidates, chosenCandidates: logprobs.map(encode) } }
}
