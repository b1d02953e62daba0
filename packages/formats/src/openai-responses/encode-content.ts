import type { MediaPart, TextPart } from '../canonical/request.ts'
import { dataUrl } from '../data-url.ts'
import type { JsonObject } from '../json-value.ts'
import { given, unsupported } from '../openai-chat/faults.ts'
import { audioFormat } from '../openai-chat/media-types.ts'

/** Content of what a user says, or of what a tool gave. */
export function encodeContent(
  parts: readonly (TextPart | MediaPart)[],
  param: string,
): readonly JsonObject[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'input_text', text: part.text } : encoders[part.kind](part, param),
  )
}

const encoders = {
  image: encodeImage,
  document: encodeDocument,
  audio: encodeAudio,
  video: ({ kind, source }, param) => {
    throw cannotCarry(kind, source.type, param)
  },
} as const satisfies Record<MediaPart['kind'], (part: MediaPart, param: string) => JsonObject>

function encodeImage({ kind, source, detail }: MediaPart, param: string): JsonObject {
  const shown = given('detail', detail || undefined)
  const id = fileId({ source })
  if (id !== undefined) return { type: 'input_image', file_id: id, ...shown }
  if (source.type === 'url') return { type: 'input_image', image_url: source.url, ...shown }
  if (source.type === 'base64') return { type: 'input_image', image_url: dataUrl(source), ...shown }
  throw cannotCarry(kind, source.type, param)
}

/** A document of plain text is text. */
function encodeDocument({ kind, source, filename }: MediaPart, param: string): JsonObject {
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
      throw cannotCarry(kind, 'file of another vendor', param)
  }
}

function encodeAudio({ kind, source }: MediaPart, param: string): JsonObject {
  if (source.type !== 'base64') throw cannotCarry(kind, source.type, param)
  const { data, mediaType } = source
  return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } }
}

/** Both formats of OpenAI know the same files. */
function fileId({ source }: Pick<MediaPart, 'source'>): string | undefined {
  if (source.type !== 'file') return undefined
  return source.format === 'openai-chat' || source.format === 'openai-responses' ? source.id : undefined
}

function cannotCarry(kind: MediaPart['kind'], source: string, param: string): Error {
  return unsupported(param, `the upstream takes no ${kind} given as ${source}`)
}
