import type { MediaPart } from '../canonical/request.ts'
import type { Citation, TokenLogprob } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { readDataUrl } from '../data-url.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'
import { readGoogleSignature, readReasoning } from './reasoning-details.ts'

/** Adds what a delta, or a whole message, says beside tool calls to `parts`, in the order in which it is meant. */
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
  }
  const signature = readGoogleSignature(delta)
  if (signature !== undefined) parts.push({ type: 'text-signature', candidate, signature })
}

/** Content is text, or parts; Mistral's thinking parts hold parts again. */
function readContent(candidate: number, content: unknown, parts: ChatPart[]): void {
  if (typeof content === 'string') {
    if (content !== '') parts.push({ type: 'text-delta', candidate, text: content })
    return
  }
  for (const part of listOf(content)) {
    const { text, thinking, image_url } = objectOf(part)
    if (typeof text === 'string' && text !== '') parts.push({ type: 'text-delta', candidate, text })
    if (image_url !== undefined) readImage(candidate, objectOf(part), parts)
    for (const reasoning of listOf(thinking)) {
      const said = textOf(objectOf(reasoning).text)
      if (said !== '') parts.push({ type: 'reasoning-delta', candidate, text: said })
    }
  }
}

/** Images as OpenRouter gives them. https://openrouter.ai/docs/features/multimodal/image-generation */
function readImage(candidate: number, { image_url: image }: JsonObject, parts: ChatPart[]): void {
  const url = textOf(image) || textOf(objectOf(image).url)
  if (url === '') return
  const data = readDataUrl(url)
  const source: MediaPart['source'] = data === undefined ? { type: 'url', url } : { type: 'base64', ...data }
  parts.push({ type: 'media', candidate, media: { type: 'media', kind: 'image', source } })
}

/** What is said is the answer's text, too. */
function readAudio(candidate: number, { data, transcript }: JsonObject, parts: ChatPart[]): void {
  const text = textOf(transcript)
  if (text !== '') parts.push({ type: 'text-delta', candidate, text })
  const sound = textOf(data)
  if (sound === '') return
  const source: MediaPart['source'] = { type: 'base64', mediaType: audioType(sound), data: sound }
  parts.push({ type: 'media', candidate, media: { type: 'media', kind: 'audio', source } })
}

/** Only the request says the format; the first bytes tell it as well. Streams are always raw samples. */
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
  const { url, title, content } = objectOf(annotation.url_citation)
  return typeof url === 'string' ? { url, title: textOf(title), text: textOf(content) } : undefined
}

/** Log probabilities of a choice; empty when it has none. */
export function readLogprobs(logprobs: unknown): readonly TokenLogprob[] {
  if (!isObject(logprobs)) return none
  return listOf(logprobs.content).map((entry) => {
    const { top_logprobs } = objectOf(entry)
    return { ...tokenOf(entry), top: listOf(top_logprobs).map(tokenOf) }
  })
}

const none: readonly never[] = []

function tokenOf(entry: unknown): { readonly token: string; readonly logprob: number } {
  const { token, logprob } = objectOf(entry)
  return { token: textOf(token), logprob: typeof logprob === 'number' ? logprob : 0 }
}
