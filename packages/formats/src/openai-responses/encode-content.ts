import type { MediaPart, TextPart } from '../canonical/request.ts'
import { dataUrl } from '../data-url.ts'
import type { JsonObject } from '../json-value.ts'
import { given, unsupported } from '../openai-chat/faults.ts'
import { audioFormat } from '../openai-chat/media-types.ts'

/** Names a part that cannot be carried. */
export type PathOf = (part: TextPart | MediaPart) => string

/** Content of what a user says, or of what a tool gave. */
export function encodeContent(
  parts: readonly (TextPart | MediaPart)[],
  pathOf: PathOf,
): readonly JsonObject[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'input_text', text: part.text } : encoders[part.kind](part, pathOf),
  )
}

const encoders = {
  image: encodeImage,
  document: encodeDocument,
  audio: encodeAudio,
  video: (part, pathOf) => {
    throw cannotCarry(part, pathOf)
  },
} as const satisfies Record<MediaPart['kind'], (part: MediaPart, pathOf: PathOf) => JsonObject>

function encodeImage(part: MediaPart, pathOf: PathOf): JsonObject {
  const { source, detail } = part
  const shown = given('detail', detail || undefined)
  const id = fileId({ source })
  if (id !== undefined) return { type: 'input_image', file_id: id, ...shown }
  if (source.type === 'url') return { type: 'input_image', image_url: source.url, ...shown }
  if (source.type === 'base64') return { type: 'input_image', image_url: dataUrl(source), ...shown }
  throw cannotCarry(part, pathOf)
}

/** A document of plain text is text. */
function encodeDocument(part: MediaPart, pathOf: PathOf): JsonObject {
  const { source, filename } = part
  const named = given('filename', filename)
  const id = fileId({ source })
  if (id !== undefined) return { type: 'input_file', file_id: id, ...named }
  switch (source.type) {
    case 'url':
      return { type: 'input_file', file_url: source.url, ...named }
    case 'base64':
      return { type: 'input_file', file_data: dataUrl(source), ...named }
    case 'text':
      return {
        type: 'input_text',
        text: filename === undefined ? source.text : `${filename}\n\n${source.text}`,
      }
    default:
      throw cannotCarry(part, pathOf)
  }
}

function encodeAudio(part: MediaPart, pathOf: PathOf): JsonObject {
  const { source } = part
  if (source.type !== 'base64') throw cannotCarry(part, pathOf)
  const { data, mediaType } = source
  return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } }
}

/** Both formats of OpenAI know the same files. */
function fileId({ source }: Pick<MediaPart, 'source'>): string | undefined {
  if (source.type !== 'file') return undefined
  return source.format === 'openai-chat' || source.format === 'openai-responses' ? source.id : undefined
}

function cannotCarry(part: MediaPart, pathOf: PathOf): Error {
  const { kind, source } = part
  const given = source.type === 'file' ? 'file of another vendor' : source.type
  return unsupported(pathOf(part), `the upstream takes no ${kind} given as ${given}`)
}
