import type { MediaPart, ReasoningPart, Signature } from '../../canonical/request.ts'
import { type Citation, citedRange, type TokenLogprob } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { encodeUtf8 } from '../../json/utf8.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { base64Source } from '../../media.ts'
import { unwrapSummary } from '../../requests/compacted.ts'
import {
  type DetachedSignature,
  readMarked,
  unwrapSignature,
  wrapSignature,
} from '../../requests/foreign-signatures.ts'

/** Citations of the web have an address; those of files and containers have none. */
export function decodeCitation(annotation: JsonObject): Citation | undefined {
  const url = textOf(annotation.url)
  if (annotation.type !== 'url_citation' || url === '') return undefined
  const { title, content, start_index, end_index } = annotation
  return { url, title: textOf(title), text: textOf(content), ...citedRange(start_index, end_index) }
}

/** Its position in the text is 0 where that is not told. */
export function encodeCitation({ url, title, text, range = { start: 0, end: 0 } }: Citation): JsonObject {
  return {
    type: 'url_citation',
    url,
    title,
    start_index: range.start,
    end_index: range.end,
    ...(text !== '' && { content: text }),
  }
}

/** Unlike Chat Completions, this format has no token without bytes. */
export function encodeLogprob({ token, logprob, top }: TokenLogprob): JsonObject {
  return { ...weighed({ token, logprob }), top_logprobs: top.map(weighed) }
}

function weighed({ token, logprob }: Pick<TokenLogprob, 'token' | 'logprob'>): JsonObject {
  return { token, logprob, bytes: [...encodeUtf8(token)] }
}

/** The image of a call of the vendor's image generator, as a part of a response. */
export function readImage(item: JsonObject): readonly ChatPart[] {
  return madeImages(item).map((media) => ({ type: 'media', candidate: 0, media }))
}

/** The image of a call of the vendor's image generator; nothing without an image. */
export function madeImages({ result, output_format }: JsonObject): readonly MediaPart[] {
  const data = textOf(result)
  if (data === '') return []
  const mediaType = `image/${textOf(output_format) || 'png'}`
  const source: MediaPart['source'] = /^https?:/.test(data)
    ? { type: 'url', url: data }
    : base64Source({ mediaType, data })
  return [{ type: 'media', kind: 'image', source }]
}

/** An image that was made, as a call of the generator; `undefined` for other media, which have no item. */
export function imageItem({ kind, source }: MediaPart): JsonObject | undefined {
  if (kind !== 'image' || source.type !== 'base64') return undefined
  const output_format = formats[source.mediaType] ?? 'png'
  return { type: 'image_generation_call', status: 'completed', output_format, result: source.data }
}

const formats: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
}

/**
 * Reads a reasoning item: its summary or text, what proves it, and another vendor's signature of a text or call. Nothing for
 * one that holds none of these: what it names is kept by the vendor alone.
 */
export function readReasoningItem(item: JsonObject): readonly (ReasoningPart | DetachedSignature)[] {
  const text = reasoningIn(item)
  const opaque = textOf(item.encrypted_content)
  const mark = unwrapSignature(opaque)
  const read =
    mark !== undefined
      ? readMarked(text, mark)
      : [{ type: 'reasoning', text, ...(opaque !== '' && { encrypted: openAi(opaque) }) } as const]
  return read.filter((part) => part.type === 'mark' || part.text !== '' || part.signature || part.encrypted)
}

function openAi(value: string): Signature {
  return { vendor: 'openai', value }
}

/** The reasoning itself where the vendor shows it, otherwise the paragraphs of its summary. */
function reasoningIn(item: JsonObject): string {
  const content = textsIn(item.content)
  return (content.length > 0 ? content : textsIn(item.summary)).join('\n\n')
}

function textsIn(list: unknown): readonly string[] {
  return listOf(list)
    .map((part) => textOf(objectOf(part).text))
    .filter((text) => text !== '')
}

/** Value of `encrypted_content` for callers of this format, for reasoning of any vendor. */
export function encryptedContentOf({
  signature,
  encrypted,
}: Pick<ReasoningPart, 'signature' | 'encrypted'>): string {
  if (encrypted?.vendor === 'openai') return encrypted.value
  if (encrypted !== undefined) return wrapSignature('encrypted', encrypted)
  // Without a mark, OpenAI would look for reasoning that it never had.
  return signature === undefined ? wrapSignature('unsigned') : wrapSignature('reasoning', signature)
}

/** Returns whether an item holds what another vendor signed. */
export function isForeignReasoning(item: unknown): boolean {
  const { type, encrypted_content } = objectOf(item)
  return type === 'reasoning' && unwrapSignature(textOf(encrypted_content)) !== undefined
}

/** The type of the item by which a turn asks for the compaction of its conversation. */
export const compactionTrigger = 'compaction_trigger'

/** The summary in an item that the gateway made of a conversation; `undefined` for all else. */
export function summaryIn({ type, encrypted_content }: JsonObject): string | undefined {
  return isCompaction(textOf(type)) ? unwrapSummary(textOf(encrypted_content)) : undefined
}

/** https://developers.openai.com/api/docs/guides/compaction (2026-11-28), and the names that Codex has for the same. */
export function isCompaction(type: string): boolean {
  return type === 'compaction' || type === 'compaction_summary' || type === 'context_compaction'
}
