import type { EncodeContext } from '../../canonical/codec.ts'
import type { AssistantPart, MediaPart, ToolCallPart } from '../../canonical/request.ts'
import type { Candidate, ChatResponse, Citation, TokenLogprob } from '../../canonical/response.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { dataUrl } from '../../media.ts'
import { textInArguments } from '../../requests/custom-tools.ts'
import { isCut } from '../../streams/settle-calls.ts'
import { noUsage } from '../../usage.ts'
import { encodeThinkingBlock } from '../thinking-blocks.ts'
import { encodeDetail, googleSignature } from './delta-parts.ts'
import { encodeStop } from './stop.ts'
import { encodeTier, encodeUsage } from './usage.ts'

/** A response of any provider, as callers of Chat Completions read it. */
export function encodeResponse(response: ChatResponse, call: EncodeContext): unknown {
  const head = {
    id: responseId(response.id, call),
    createdAt: response.createdAt || call.createdAt,
    thinkingBlocks: call.echo?.thinking_blocks === true,
    customTools: customToolsOf(call),
  }
  const tier = encodeTier(response.usage ?? noUsage)
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.createdAt,
    model: call.model,
    choices: response.candidates.map((candidate) => encodeChoice(candidate, head)),
    ...(response.usage && { usage: encodeUsage(response.usage) }),
    ...(tier !== undefined && { service_tier: tier }),
  }
}

/** The upstream's id when it is one of this format, else the gateway's own. */
export function responseId(id: string, call: EncodeContext): string {
  if (id.startsWith(idPrefix)) return id
  return call.responseId.startsWith(idPrefix) ? call.responseId : `${idPrefix}${call.responseId}`
}

const idPrefix = 'chatcmpl-'

/** An id for a call of a vendor that gives none: the same for the same call of the same response. */
export function toolCallId(id: string, response: string, candidate: number, call: number): string {
  return id === '' ? `call_${response.slice(idPrefix.length)}_${candidate}_${call}` : id
}

interface Head {
  readonly id: string
  readonly createdAt: number
  /** The caller reads LiteLLM's blocks. */
  readonly thinkingBlocks: boolean
  readonly customTools: ReadonlySet<string>
}

/** Names of the caller's tools whose calls hold free text: upstreams of other formats know them as functions. */
export function customToolsOf({ echo }: EncodeContext): ReadonlySet<string> {
  return new Set(listOf(echo?.custom_tools).map(textOf))
}

/** Names of such tools in a request. */
export function customNamesIn(tools: unknown): readonly string[] {
  return listOf(tools).flatMap((tool) => textOf(objectOf(objectOf(tool).custom).name) || [])
}

/** Leaves out calls that are cut: no member of a call says so, and clients make what they find. */
function encodeChoice({ index, parts: all, stop, logprobs, citations = [] }: Candidate, head: Head): unknown {
  const parts = all.filter((part) => !isCut(part))
  const context = {
    hasToolCalls: parts.some((part) => part.type === 'tool-call'),
    hasRefusal: parts.some((part) => part.type === 'refusal'),
  }
  return {
    index,
    message: { ...encodeMessage(parts, index, head), annotations: citations.map(encodeCitation) },
    logprobs: logprobs === undefined ? null : { content: logprobs.map(encodeLogprob), refusal: null },
    finish_reason: encodeStop(stop.reason, context),
  }
}

function encodeMessage(parts: readonly AssistantPart[], index: number, head: Head): JsonObject {
  const texts = parts.filter((part) => part.type === 'text')
  const reasoningParts = parts.filter((part) => part.type === 'reasoning')
  const calls = parts.filter((part) => part.type === 'tool-call')
  const media = parts.filter((part) => part.type === 'media')
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('')
  const reasoning = reasoningParts.map((part) => part.text).join('')
  const details = reasoningParts.flatMap((part, index) => encodeDetail(part, index) ?? [])
  const blocks = head.thinkingBlocks ? reasoningParts.flatMap(encodeThinkingBlock) : []
  const text = [...texts.map((part) => part.text), ...media.filter(isLink).map(linkOf)].join('')
  const images = media.filter((part) => part.kind === 'image')
  const signed = texts.findLast((part) => part.signature?.vendor === 'gemini')
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(blocks.length > 0 && { thinking_blocks: blocks }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, position) => encodeCall(call, index, position, head)),
    }),
    ...(images.length > 0 && { images: images.map(encodeImage) }),
    ...audioOf(media, index, head),
    ...googleSignature(signed?.signature),
  }
}

function encodeCall(part: ToolCallPart, candidate: number, position: number, head: Head): unknown {
  const { name, arguments: text, signature } = part
  const id = toolCallId(part.id, head.id, candidate, position)
  if (head.customTools.has(name))
    return { id, type: 'custom', custom: { name, input: textInArguments(text) } }
  return { id, type: 'function', function: { name, arguments: text }, ...googleSignature(signature) }
}

/** An image as OpenRouter gives it. */
export function encodeImage(part: MediaPart, index = 0): unknown {
  return { type: 'image_url', image_url: { url: addressOf(part) }, index }
}

/** An hour is how long OpenAI keeps what was said. */
const audioStoredSeconds = 3600

function audioOf(media: readonly MediaPart[], candidate: number, { id, createdAt }: Head): JsonObject {
  const stated = media.find((part) => part.kind === 'audio')
  if (stated?.source.type !== 'base64') return {}
  return {
    audio: {
      id: `audio_${id.slice(idPrefix.length)}_${candidate}`,
      data: stated.source.data,
      expires_at: createdAt + audioStoredSeconds,
      transcript: '',
    },
  }
}

/** Films and documents have no place in a response of this format: they are linked in its text. */
export function isLink({ kind, source }: MediaPart): boolean {
  return kind === 'video' || kind === 'document' || (kind === 'audio' && source.type !== 'base64')
}

/** A medium as a link in Markdown. */
export function linkOf(part: MediaPart): string {
  return `[${part.filename ?? part.kind}](${addressOf(part)})`
}

function addressOf({ source }: MediaPart): string {
  switch (source.type) {
    case 'url':
      return source.url
    case 'base64':
      return dataUrl(source)
    case 'file':
      return source.id
    default:
      return `data:text/plain,${encodeURIComponent(source.text)}`
  }
}

/** Its position in the text is 0 where that is not told. */
export function encodeCitation({ url, title, text, range = nowhere }: Citation): unknown {
  const { start, end } = range
  return {
    type: 'url_citation',
    url_citation: { url, title, start_index: start, end_index: end, ...(text !== '' && { content: text }) },
  }
}

const nowhere = { start: 0, end: 0 }

/** A token's log probability as this format writes it. */
export function encodeLogprob({ token, logprob, top }: TokenLogprob): unknown {
  return {
    token,
    logprob,
    bytes: null,
    top_logprobs: top.map((each) => ({ token: each.token, logprob: each.logprob, bytes: null })),
  }
}
