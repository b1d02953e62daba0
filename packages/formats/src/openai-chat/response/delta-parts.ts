import type { MediaPart, ReasoningPart, Signature } from '../../canonical/request.ts'
import { type Citation, citedRange, type TokenLogprob } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { leftOut } from '../../framing/event-shape.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { mediaSource } from '../../media.ts'
import { readThinkingBlocks } from '../thinking-blocks.ts'

/**
 * Signed and encrypted reasoning as OpenRouter shows it to callers of this format, who send it back unchanged: the
 * only way in which a vendor's signature survives a conversation here.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
const vendors: ReadonlyMap<unknown, Signature['vendor']> = new Map([
  ['anthropic-claude-v1', 'anthropic'],
  ['google-gemini-v1', 'gemini'],
  ['openai-responses-v1', 'openai'],
  ['azure-openai-responses-v1', 'openai'],
  ['amazon-bedrock-v1', 'bedrock'],
])

const formats = {
  anthropic: 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
  openai: 'openai-responses-v1',
  bedrock: 'amazon-bedrock-v1',
} as const satisfies Record<Signature['vendor'], string>

/** Reasoning of a message or a delta, from any field that has it; several fields may repeat the same reasoning. */
export function readReasoning(message: JsonObject): readonly ReasoningPart[] {
  const plain = textOf(message.reasoning_content) || textOf(message.reasoning)
  const details = detailsOf(message)
  if (details.length === 0) return plain === '' ? none : [{ type: 'reasoning', text: plain }]
  // Some give the text beside the details and only a proof of it inside.
  const hasText = plain === '' || details.some(({ text }) => text !== '')
  return hasText ? details : [{ type: 'reasoning', text: plain }, ...details]
}

const none: readonly never[] = []

/** OpenRouter's details, or LiteLLM's blocks where these alone have a proof. */
function detailsOf(message: JsonObject): readonly ReasoningPart[] {
  const details = message.reasoning_details === undefined ? none : readDetails(message.reasoning_details)
  if (message.thinking_blocks === undefined || details.some(isProven)) return details
  const blocks = readThinkingBlocks(message)
  return blocks.length > 0 ? blocks : details
}

function isProven({ signature, encrypted }: ReasoningPart): boolean {
  return signature !== undefined || encrypted !== undefined
}

function readDetails(details: unknown): readonly ReasoningPart[] {
  return listOf(details).flatMap((detail) => readDetail(objectOf(detail)) ?? [])
}

/** `undefined` for an empty detail, or an unreadable one. */
function readDetail(detail: JsonObject): ReasoningPart | undefined {
  const vendor = vendors.get(detail.format)
  const data = textOf(detail.data)
  if (data !== '') {
    return vendor && { type: 'reasoning', text: '', encrypted: { vendor, value: data } }
  }
  const text = textOf(detail.text) || textOf(detail.summary)
  const value = textOf(detail.signature)
  if (vendor !== undefined && value !== '') return { type: 'reasoning', text, signature: { vendor, value } }
  return text === '' ? undefined : { type: 'reasoning', text }
}

/** The detail of signed or encrypted reasoning; `undefined` for plain reasoning. */
export function encodeDetail({ text, signature, encrypted }: ReasoningPart, index: number): unknown {
  if (encrypted !== undefined) {
    const { vendor, value } = encrypted
    return { type: 'reasoning.encrypted', data: value, format: formats[vendor], index }
  }
  if (signature === undefined) return undefined
  const { vendor, value } = signature
  return { type: 'reasoning.text', text, signature: value, format: formats[vendor], index }
}

/** Google's own OpenAI endpoint gives signatures of texts and calls here, and wants them back here. */
export function readGoogleSignature(holder: JsonObject): Signature | undefined {
  if (holder.extra_content === undefined) return undefined
  const value = textOf(objectOf(objectOf(holder.extra_content).google).thought_signature)
  return value === '' ? undefined : { vendor: 'gemini', value }
}

/** The member that carries a signature of Gemini; nothing for others. */
export function googleSignature(signature: Signature | undefined): JsonObject {
  if (signature?.vendor !== 'gemini') return {}
  return { extra_content: { google: { thought_signature: signature.value } } }
}

/** Adds the content of a delta, or of a complete message, to `parts` in the canonical order, tool calls apart. */
export function readDelta(candidate: number, delta: JsonObject, parts: ChatPart[]): void {
  for (const { text, signature, encrypted } of readReasoning(delta)) {
    if (text !== '') parts.push({ type: 'reasoning-delta', candidate, text })
    if (signature !== undefined) parts.push({ type: 'reasoning-signature', candidate, signature })
    if (encrypted !== undefined) parts.push({ type: 'reasoning-encrypted', candidate, encrypted })
  }
  readContent(candidate, delta.content, parts)
  const refusal = textOf(delta.refusal)
  if (refusal !== '') parts.push({ type: 'refusal-delta', candidate, text: refusal })
  if (isObject(delta.audio)) readAudio(candidate, delta.audio, parts)
  for (const image of listOf(delta.images)) readImage(candidate, objectOf(image), parts)
  for (const annotation of listOf(delta.annotations)) {
    const citation = readCitation(objectOf(annotation))
    if (citation !== undefined) parts.push({ type: 'citation', candidate, citation })
    else parts.push(leftOut(`choices[${candidate}].message.annotations`, textOf(objectOf(annotation).type)))
  }
  const signature = readGoogleSignature(delta)
  if (signature !== undefined) parts.push({ type: 'text-signature', candidate, signature })
}

/** Reads content, which is text, or parts; Mistral's thinking parts hold parts again. */
function readContent(candidate: number, content: unknown, parts: ChatPart[]): void {
  if (typeof content === 'string') {
    if (content !== '') parts.push({ type: 'text-delta', candidate, text: content })
    return
  }
  listOf(content).forEach((part, index) => {
    const { type, text, thinking, image_url } = objectOf(part)
    if (typeof text === 'string' && text !== '') parts.push({ type: 'text-delta', candidate, text })
    if (image_url !== undefined) readImage(candidate, objectOf(part), parts)
    for (const reasoning of listOf(thinking)) {
      const stated = textOf(objectOf(reasoning).text)
      if (stated !== '') parts.push({ type: 'reasoning-delta', candidate, text: stated })
    }
    if (text === undefined && thinking === undefined && image_url === undefined)
      parts.push(leftOut(`choices[${candidate}].message.content[${index}]`, textOf(type)))
  })
}

/** Images as OpenRouter gives them. https://openrouter.ai/docs/features/multimodal/image-generation */
function readImage(candidate: number, { image_url: image }: JsonObject, parts: ChatPart[]): void {
  const url = textOf(image) || textOf(objectOf(image).url)
  if (url === '') return
  const media = { type: 'media', kind: 'image', source: mediaSource(url) } as const
  parts.push({ type: 'media', candidate, media })
}

/** Reads audio, whose transcript is the response's text, too. */
function readAudio(candidate: number, { data, transcript }: JsonObject, parts: ChatPart[]): void {
  const text = textOf(transcript)
  if (text !== '') parts.push({ type: 'text-delta', candidate, text })
  const sound = textOf(data)
  if (sound === '') return
  const source: MediaPart['source'] = { type: 'base64', mediaType: audioType(sound), data: sound }
  parts.push({ type: 'media', candidate, media: { type: 'media', kind: 'audio', source } })
}

/** Detects the format by the first bytes: only the request names it. Streams are always raw samples. */
function audioType(base64: string): string {
  return audioStarts.find(([start]) => base64.startsWith(start))?.[1] ?? 'audio/pcm'
}

const audioStarts = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mpeg'],
  ['//', 'audio/mpeg'],
  ['T2dnU', 'audio/ogg'],
  ['ZkxhQ', 'audio/flac'],
] as const

function readCitation(annotation: JsonObject): Citation | undefined {
  const { url, title, content, start_index, end_index } = objectOf(annotation.url_citation)
  return typeof url === 'string'
    ? { url, title: textOf(title), text: textOf(content), ...citedRange(start_index, end_index) }
    : undefined
}

/** Log probabilities of a choice; empty when it has none. */
export function readLogprobs(logprobs: unknown): readonly TokenLogprob[] {
  if (!isObject(logprobs)) return noLogprobs
  return listOf(logprobs.content).map((entry) => {
    const { top_logprobs } = objectOf(entry)
    return { ...tokenOf(entry), top: listOf(top_logprobs).map(tokenOf) }
  })
}

const noLogprobs: readonly never[] = []

function tokenOf(entry: unknown): { readonly token: string; readonly logprob: number } {
  const { token, logprob } = objectOf(entry)
  return { token: textOf(token), logprob: numberOf(logprob) ?? 0 }
}

/**
 * Reads the sources of the buffered response, beside its choices: Perplexity's search results, or addresses alone, which is all
 * that it gave before and xAI gives. https://docs.perplexity.ai/api-reference/chat-completions-post
 */
export function readSources(response: JsonObject): readonly ChatPart[] {
  const results = listOf(response.search_results)
  const sources =
    results.length > 0 ? results.map(objectOf) : listOf(response.citations).map((url) => ({ url }))
  return sources.flatMap((source) => {
    const citation = sourceOf(source)
    return citation === undefined ? [] : [{ type: 'citation', candidate: 0, citation } as const]
  })
}

function sourceOf({ url, title, snippet }: JsonObject): Citation | undefined {
  return typeof url === 'string' && url !== ''
    ? { url, title: textOf(title), text: textOf(snippet) }
    : undefined
}
