import type { MediaPart, TextPart, UserPart } from '../../canonical/request.ts'
import { type JsonObject, objectOf } from '../../json/value.ts'
import { dataUrl } from '../../media.ts'
import { provided, unsupported } from '../../requests/fields.ts'
import { audioFormat } from './decode-content.ts'

/**
 * Texts alone become one text: a list is not understood by every upstream.
 * @param cacheMarks see `EncodeTarget.cacheMarks`
 * @param pathOf names a part that cannot be carried
 */
export function encodeContent(
  parts: readonly (TextPart | MediaPart)[],
  cacheMarks: boolean,
  pathOf: PathOf,
): unknown {
  if (parts.every((part) => part.type === 'text')) return encodeTexts(parts, cacheMarks)
  return parts.map((part) => {
    const encoded = encodePart(part, pathOf)
    return cacheMarks ? { ...objectOf(encoded), ...markOf(part) } : encoded
  })
}

type PathOf = (part: TextPart | MediaPart) => string

/** Texts of one message, joined into one unless a text carries a cache mark. */
export function encodeTexts(parts: readonly TextPart[], cacheMarks: boolean): unknown {
  if (!cacheMarks || parts.every(({ cache }) => cache === undefined)) return joinTexts(parts)
  const stated = parts.filter(({ text }) => text !== '')
  return stated.map((part) => ({ type: 'text', text: part.text, ...markOf(part) }))
}

/** Marks a part as Anthropic does, which OpenRouter takes. https://openrouter.ai/docs/features/prompt-caching */
function markOf({ cache }: UserPart): JsonObject {
  if (cache === undefined) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' && { ttl: '1h' }) } }
}

/** Texts of one message, one paragraph each. */
export function joinTexts(parts: readonly TextPart[]): string {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only.text
  return parts
    .map((part) => part.text)
    .filter((text) => text !== '')
    .join('\n\n')
}

function encodePart(part: TextPart | MediaPart, pathOf: PathOf): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text }
  return mediaEncoders[part.kind](part, pathOf)
}

const mediaEncoders = {
  image: (part, pathOf) => ({
    type: 'image_url',
    image_url: { url: addressOf(part, pathOf), ...provided('detail', part.detail || undefined) },
  }),
  video: (part, pathOf) => ({ type: 'video_url', video_url: { url: addressOf(part, pathOf) } }),
  audio: (part, pathOf) => {
    const { source } = part
    if (source.type !== 'base64') throw cannotCarry(part, pathOf)
    const { data, mediaType } = source
    return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } }
  },
  document: encodeDocument,
} as const satisfies Record<MediaPart['kind'], (part: MediaPart, pathOf: PathOf) => unknown>

/** Sends a file's bytes or its id; a plain-text document becomes text. */
function encodeDocument(part: MediaPart, pathOf: PathOf): unknown {
  const { source, filename } = part
  const named = provided('filename', filename)
  switch (source.type) {
    case 'base64':
      return { type: 'file', file: { file_data: dataUrl(source), ...named } }
    case 'text':
      return { type: 'text', text: filename === undefined ? source.text : `${filename}\n\n${source.text}` }
    case 'file':
      // Both formats of OpenAI know the same files.
      if (source.format === 'openai-chat' || source.format === 'openai-responses')
        return { type: 'file', file: { file_id: source.id, ...named } }
      throw cannotCarry(part, pathOf)
    default:
      throw cannotCarry(part, pathOf)
  }
}

function addressOf(part: MediaPart, pathOf: PathOf): string {
  const { source } = part
  if (source.type === 'url') return source.url
  if (source.type === 'base64') return dataUrl(source)
  throw cannotCarry(part, pathOf)
}

function cannotCarry(part: MediaPart, pathOf: PathOf): Error {
  const { kind, source } = part
  const provided = source.type === 'file' ? 'file of another vendor' : source.type
  return unsupported(pathOf(part), `the upstream takes no ${kind} given as ${provided}`)
}
