import type { EncodeContext } from '../../canonical/codec.ts'
import type { AssistantPart, MediaPart } from '../../canonical/request.ts'
import type { Candidate, ChatResponse, Citation } from '../../canonical/response.ts'
import { type JsonObject, textOf } from '../../json/value.ts'
import { dataUrl } from '../../media.ts'
import { type DetachedSignature, detachSignatures, wrapSignature } from '../../requests/foreign-signatures.ts'
import { isCut } from '../../streams/settle-calls.ts'
import { noUsage } from '../../usage.ts'
import { callHead, encodeCitation, encodeReasoning, textHead, thinkingBlock, toolUseId } from '../blocks.ts'
import { toolInput } from '../request/encode-messages.ts'
import { encodeStop } from './stop.ts'
import { encodeUsage } from './usage.ts'

/** The response as callers of this format read it. It has one candidate: the format cannot request more. */
export function encodeResponse(response: ChatResponse, call: EncodeContext): unknown {
  const candidate: Candidate = response.candidates[0] ?? { index: 0, parts: [], stop: { reason: 'stop' } }
  const refuses = candidate.parts.some(({ type }) => type === 'refusal')
  const stop = refuses ? ({ reason: 'refused' } as const) : candidate.stop
  return {
    ...messageHead(response.id === '' ? call.responseId : response.id, call),
    content: withCitations(withoutTrailing(blocksOf(candidate.parts, call)), candidate.citations ?? []),
    ...encodeStop(stop),
    usage: encodeUsage(response.usage ?? noUsage),
  }
}

/** Fields of a message that are the same in its first event and at its end. */
export function messageHead(id: string, { model }: EncodeContext): JsonObject {
  return { id, type: 'message', role: 'assistant', model, container: null, diagnostics: null }
}

/**
 * Leaves out reasoning behind the last text: Claude Code takes the last block for its result, and Anthropic itself never
 * ends with reasoning.
 */
function withoutTrailing(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.findLastIndex(({ type }) => type === 'text' || type === 'tool_use')
  return blocks[last]?.type === 'text' ? blocks.slice(0, last + 1) : blocks
}

/** Citations belong to a text: the one that they are told to begin in, else the last. */
function withCitations(blocks: readonly JsonObject[], citations: readonly Citation[]): readonly JsonObject[] {
  const last = blocks.findLastIndex(({ type }) => type === 'text')
  if (citations.length === 0 || last < 0) return blocks
  let end = 0
  const ends = blocks.map(({ type, text }) => {
    end += type === 'text' ? textOf(text).length : 0
    return end
  })
  const positionOf = ({ range }: Citation) => {
    const position = range === undefined ? -1 : ends.findIndex((each) => range.start < each)
    return position < 0 ? last : position
  }
  return blocks.map((block, index) => {
    const own = citations.filter((citation) => positionOf(citation) === index)
    return own.length === 0 ? block : { ...block, citations: own.map(encodeCitation) }
  })
}

/**
 * Returns the blocks of a response, with calls counted within it. Leaves out those that are cut: no member of a block could say so.
 */
function blocksOf(parts: readonly AssistantPart[], call: EncodeContext): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  const hasCalls = parts.some(({ type }) => type === 'tool-call')
  let calls = 0
  for (const item of detachSignatures(parts.filter((part) => !isCut(part)))) {
    if (item.type === 'mark') insertMark(blocks, item, hasCalls)
    else if (item.type === 'tool-call')
      blocks.push(...encodePart({ ...item, id: toolUseId(item.id, call, calls++) }))
    else blocks.push(...encodePart(item))
  }
  return blocks
}

/**
 * Puts another vendor's signature of a text or call where clients return it unread: on the reasoning that ends there, else in
 * a reasoning block without text. A response of texts alone gets no such block, because clients take its only block for
 * a text; Gemini does not ask for the signature of a text.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function insertMark(blocks: JsonObject[], { mark }: DetachedSignature, hasCalls: boolean): void {
  const opaque = wrapSignature(mark.kind, mark.signature)
  const last = blocks.at(-1)
  if (last?.signature === wrapSignature('unsigned'))
    blocks[blocks.length - 1] = { ...last, signature: opaque }
  else if (hasCalls) blocks.push(thinkingBlock('', opaque))
}

function encodePart(part: AssistantPart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlock(part.text)
    case 'refusal':
      return textBlock(part.text)
    case 'media':
      return textBlock(mediaText(part))
    case 'reasoning':
      return encodeReasoning(part)
    case 'tool-call': {
      const { id, name } = part
      return [{ ...callHead(id, name), input: toolInput(part) }]
    }
  }
}

function textBlock(text: string): readonly JsonObject[] {
  return text === '' ? [] : [{ ...textHead, text }]
}

/** Responses of this format hold no media: an image becomes Markdown, anything else its address. */
export function mediaText({ kind, source, filename }: MediaPart): string {
  const label = filename ?? kind
  const visible = kind === 'image' ? `![${label}]` : `[${label}]`
  switch (source.type) {
    case 'base64':
      return `${visible}(${dataUrl(source)})`
    case 'url':
      return `${visible}(${source.url})`
    case 'text':
      return source.text
    case 'file':
      return `${visible}(${source.id})`
  }
}
