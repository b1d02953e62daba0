import { outputToolName } from '../../canonical/instructions.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import { type Citation, type CitedRange, citedRange, type TokenLogprob } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { leftOut } from '../../framing/event-shape.ts'
import { camelCase } from '../../json/camel-case.ts'
import { numberOf } from '../../json/number-text.ts'
import { decodeUtf8, encodeUtf8 } from '../../json/utf8.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { countOf } from '../../usage.ts'
import { member } from '../fields.ts'
import { assistantPartOf } from '../parts.ts'

/** A candidate as one frame, or a buffered response, holds it. */
export interface CandidateReading {
  readonly index: number
  /** The content is there, if only with its role. */
  readonly opens: boolean
  /** Calls without an id of the upstream's have an empty one. */
  readonly parts: readonly AssistantPart[]
  readonly finishReason: string
  readonly finishMessage: string
  readonly citations: readonly Citation[]
  readonly logprobs: readonly TokenLogprob[]
  /** Parts without a canonical form. */
  readonly leftOut: readonly ChatPart[]
}

/** Never throws. @param position among the candidates, for one that does not say its index */
export function readCandidate(candidate: JsonObject, position: number): CandidateReading {
  const content = objectOf(candidate.content)
  const index = countOf(candidate.index) ?? position
  return {
    index,
    opens: isObject(candidate.content),
    parts: listOf(content.parts).flatMap((part) => responsePart(assistantPartOf(objectOf(part))) ?? []),
    finishReason: textOf(member(candidate, 'finishReason')),
    finishMessage: textOf(member(candidate, 'finishMessage')),
    citations: [...groundingOf(candidate), ...sourcesOf(candidate)],
    logprobs: logprobsOf(candidate),
    leftOut: listOf(content.parts).flatMap((part, at) =>
      unknownPart(objectOf(part), `candidates[${index}].content.parts[${at}]`),
    ),
  }
}

/** A call that holds a response in JSON is the text of it: see `outputToolName`. */
function responsePart(part: AssistantPart | undefined): AssistantPart | undefined {
  if (part?.type !== 'tool-call' || part.name !== outputToolName) return part
  const { arguments: text, signature } = part
  return { type: 'text', text, ...(signature && { signature }) }
}

/** Members of parts that are read, or that add nothing to what is. */
const knownMembers: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'functionCall',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
])

function unknownPart(part: JsonObject, position: string): readonly ChatPart[] {
  const keys = Object.keys(part)
  const unknown = keys.find((key) => !knownMembers.has(camelCase(key)))
  if (unknown === undefined || assistantPartOf(part) !== undefined) return []
  return [leftOut(position, unknown)]
}

/**
 * An id for a call that the upstream gave none. It is made from the response's own id, so that calls of two responses
 * differ and the same response gives the same ids; callers and upstreams take 40 characters of `[A-Za-z0-9_-]`.
 */
export function callIdOf(responseId: string, candidate: number, call: number): string {
  const response = responseId.replace(/[^A-Za-z0-9-]/g, '').slice(0, 24)
  return ['call', response, candidate === 0 ? '' : `c${candidate}`, String(call)].filter(Boolean).join('_')
}

/** Recognises a prompt that was refused: there is a response, but no candidate. */
export function isBlocked(body: JsonObject): boolean {
  return textOf(member(objectOf(member(body, 'promptFeedback')), 'blockReason')) !== ''
}

/** Unix seconds; 0 when the upstream does not say. */
export function createdAtOf(body: JsonObject): number {
  const milliseconds = Date.parse(textOf(member(body, 'createTime')))
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}

/** Pages of the search, with the texts that they support; a page that supports none is cited without a text. */
function groundingOf(candidate: JsonObject): readonly Citation[] {
  const metadata = objectOf(member(candidate, 'groundingMetadata'))
  const pages = listOf(member(metadata, 'groundingChunks')).map((chunk) => {
    const { web, retrievedContext } = objectOf(chunk)
    const page = objectOf(web ?? retrievedContext)
    return { url: textOf(page.uri), title: textOf(page.title) }
  })
  const cited = new Set<number>()
  const supported = listOf(member(metadata, 'groundingSupports')).flatMap((item) => {
    const support = objectOf(item)
    const segment = objectOf(support.segment)
    const text = textOf(segment.text)
    const position = positionOf(segment, candidate)
    return listOf(member(support, 'groundingChunkIndices')).flatMap((value): readonly Citation[] => {
      const index = numberOf(value) ?? -1
      const page = pages[index]
      if (page === undefined || page.url === '') return []
      cited.add(index)
      return [{ ...page, text, ...position }]
    })
  })
  const others = pages.filter((page, index) => page.url !== '' && !cited.has(index))
  return [...supported, ...others.map((page) => ({ ...page, text: '' }))]
}

/**
 * Returns the range of a segment, which counts bytes within its part; only a buffered response has the part beside it. Nothing for a
 * segment that is not there.
 */
function positionOf(segment: JsonObject, candidate: JsonObject): { readonly range?: CitedRange } {
  const texts = listOf(objectOf(candidate.content).parts).map(objectOf)
  const part = countOf(member(segment, 'partIndex')) ?? 0
  const before = texts.slice(0, part).map((each) => (each.thought === true ? '' : textOf(each.text)))
  const bytes = encodeUtf8(textOf(texts[part]?.text))
  const [from, to] = [countOf(member(segment, 'startIndex')) ?? 0, countOf(member(segment, 'endIndex')) ?? 0]
  const cited = decodeUtf8(bytes.subarray(from, to))
  if (cited === '' || cited !== textOf(segment.text)) return {}
  const start = before.join('').length + decodeUtf8(bytes.subarray(0, from)).length
  return citedRange(start, start + cited.length)
}

function sourcesOf(candidate: JsonObject): readonly Citation[] {
  const metadata = objectOf(member(candidate, 'citationMetadata'))
  const sources = listOf(member(metadata, 'citationSources') ?? metadata.citations).map(objectOf)
  return sources
    .map((source) => ({ url: textOf(source.uri), title: textOf(source.title), text: '' }))
    .filter(({ url }) => url !== '')
}

function logprobsOf(candidate: JsonObject): readonly TokenLogprob[] {
  const result = objectOf(member(candidate, 'logprobsResult'))
  const tops = listOf(member(result, 'topCandidates')).map((top) =>
    listOf(objectOf(top).candidates).map(tokenOf),
  )
  return listOf(member(result, 'chosenCandidates')).map((chosen, index) => ({
    ...tokenOf(chosen),
    top: tops[index] ?? [],
  }))
}

function tokenOf(value: unknown): { readonly token: string; readonly logprob: number } {
  const candidate = objectOf(value)
  const logprob = member(candidate, 'logProbability')
  return { token: textOf(candidate.token), logprob: numberOf(logprob) ?? 0 }
}
