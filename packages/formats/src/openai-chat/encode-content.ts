import type { MediaPart, TextPart, UserPart } from '../canonical/request.ts'
import { dataUrl } from '../data-url.ts'
import { type JsonObject, objectOf } from '../json-value.ts'
import { given, unsupported } from './faults.ts'
import { audioFormat } from './media-types.ts'

/**
 * Texts alone become one text: a list is not understood by every upstream.
 * @param cacheMarks see `EncodeTarget.cacheMarks`
 */
export function encodeContent(parts: readonly UserPart[], cacheMarks: boolean): unknown {
  if (parts.every((part) => part.type === 'text')) return encodeTexts(parts, cacheMarks)
  return parts.map((part) =>
    cacheMarks ? { ...objectOf(encodePart(part)), ...markOf(part) } : encodePart(part),
  )
}

/** Texts of one message; apart where a mark stands on one of them. */
export function encodeTexts(parts: readonly TextPart[], cacheMarks: boolean): unknown {
  if (!cacheMarks || parts.every(({ cache }) => cache === undefined)) return joinTexts(parts)
  const said = parts.filter(({ text }) => text !== '')
  return said.map((part) => ({ type: 'text', text: part.text, ...markOf(part) }))
}

/** As Anthropic says it, which is how OpenRouter takes it. https://openrouter.ai/docs/features/prompt-caching */
function markOf({ cache }: UserPart): JsonObject {
  if (cache === undefined) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' && { ttl: '1h' }) } }
}

/** Texts of one message, one paragraph each. */
export function joinTexts(parts: readonly TextPart[]): string {
  return parts
    .map((part) => part.text)
    .filter((text) => text !== '')
    .join('\n\n')
}

function encodePart(part: UserPart): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'media') return mediaEncoders[part.kind](part)
  return undefined // Results are messages of their own.
}

const mediaEncoders = {
  image: (part) => ({
    type: 'image_url',
    image_url: { url: addressOf(part), ...given('detail', part.detail || undefined) },
  }),
  video: (part) => ({ type: 'video_url', video_url: { url: addressOf(part) } }),
  audio: ({ kind, source }) => {
    if (source.type !== 'base64') throw cannotCarry(kind, source.type)
    const { data, mediaType } = source
    return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } }
  },
  document: encodeDocument,
} as const satisfies Record<MediaPart['kind'], (part: MediaPart) => unknown>

/** Files are given whole or by their id; a document of plain text is text. */
function encodeDocument({ kind, source, filename }: MediaPart): unknown {
  const named = given('filename', filename)
  switch (source.type) {
    case 'base64':
      return { type: 'file', file: { file_data: dataUrl(source), ...named } }
    case 'text':
      return { type: 'text', text: filename === undefined ? source.text : `${filename}\n\n${source.text}` }
    case 'file':
      // Both formats of OpenAI know the same files.
      if (source.format === 'openai-chat' || source.format === 'openai-responses')
        return { type: 'file', file: { file_id: source.id, ...named } }
      throw cannotCarry(kind, 'file of another vendor')
    default:
      throw cannotCarry(kind, source.type)
  }
}

function addressOf({ kind, source }: MediaPart): string {
  if (source.type === 'url') return source.url
  if (source.type === 'base64') return dataUrl(source)
  throw cannotCarry(kind, source.type)
}

function cannotCarry(kind: MediaPart['kind'], source: string): Error {
  return unsupported('messages', `the upstream takes no ${kind} given as ${source}`)
}
