import type { MediaPart, MediaSource, RefusalPart, TextPart } from '../canonical/request.ts'
import { readDataUrl } from '../data-url.ts'
import type { JsonObject } from '../json-value.ts'
import {
  given,
  isAbsent,
  missing,
  optionalList,
  optionalText,
  requiredObject,
  requiredText,
  unsupported,
} from '../openai-chat/faults.ts'
import { audioMediaType, mediaKind } from '../openai-chat/media-types.ts'
import { withSourcePath } from '../source-paths.ts'

type ContentPart = TextPart | MediaPart | RefusalPart

/** Content of an item: a text, or a list of parts. Texts without a character are left out. */
export function decodeContent(content: unknown, param: string): readonly ContentPart[] {
  if (isAbsent(content) || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return optionalList(content, param).flatMap((part, place) =>
    decodePart(requiredObject(part, `${param}[${place}]`), `${param}[${place}]`).map((made) =>
      withSourcePath(made, `${param}[${place}]`),
    ),
  )
}

/** As `decodeContent`, where a refusal has no place: what a user says, and what a tool gave. */
export function decodeInput(content: unknown, param: string): readonly (TextPart | MediaPart)[] {
  return decodeContent(content, param).map((part, place) => {
    if (part.type === 'refusal') throw unsupported(`${param}[${place}].type`, 'only the model refuses')
    return part
  })
}

/** As `decodeContent`, for instructions. */
export function decodeTexts(content: unknown, param: string): readonly TextPart[] {
  return decodeContent(content, param).map((part, place) => {
    if (part.type !== 'text') throw unsupported(`${param}[${place}]`, 'instructions can hold texts only')
    return part
  })
}

function decodePart(part: JsonObject, param: string): readonly ContentPart[] {
  const type = requiredText(part.type, `${param}.type`)
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text': {
      const text = optionalText(part.text, `${param}.text`) ?? ''
      return text === '' ? [] : [{ type: 'text', text }]
    }
    case 'refusal':
      return [{ type: 'refusal', text: requiredText(part.refusal, `${param}.refusal`) }]
    case 'input_image':
      return [decodeImage(part, param)]
    case 'input_file':
      return [decodeFile(part, param)]
    case 'input_audio':
      return [decodeAudio(requiredObject(part.input_audio, `${param}.input_audio`), `${param}.input_audio`)]
    default:
      throw unsupported(`${param}.type`, `this kind of content part is not known: ${type}`)
  }
}

function decodeImage(part: JsonObject, param: string): MediaPart {
  const detail = optionalText(part.detail, `${param}.detail`)
  const id = optionalText(part.file_id, `${param}.file_id`)
  const source = id ? fileSource(id) : sourceOf(requiredText(part.image_url, `${param}.image_url`))
  return { type: 'media', kind: 'image', source, ...given('detail', detail) }
}

function decodeFile(part: JsonObject, param: string): MediaPart {
  const named = given('filename', optionalText(part.filename, `${param}.filename`))
  const id = optionalText(part.file_id, `${param}.file_id`)
  if (id) return { type: 'media', kind: 'document', source: fileSource(id), ...named }
  const url = optionalText(part.file_url, `${param}.file_url`)
  if (url) return { type: 'media', kind: 'document', source: sourceOf(url), ...named }
  const data = optionalText(part.file_data, `${param}.file_data`)
  if (!data) throw missing(`${param}.file_data`)
  // Bare base64 is a PDF: what files mostly are.
  const source: MediaSource = data.startsWith('data:')
    ? sourceOf(data)
    : { type: 'base64', mediaType: 'application/pdf', data }
  const kind = source.type === 'base64' ? mediaKind(source.mediaType) : 'document'
  return { type: 'media', kind, source, ...named }
}

function decodeAudio(audio: JsonObject, param: string): MediaPart {
  const data = requiredText(audio.data, `${param}.data`)
  const mediaType = audioMediaType(requiredText(audio.format, `${param}.format`))
  return { type: 'media', kind: 'audio', source: { type: 'base64', mediaType, data } }
}

function fileSource(id: string): MediaSource {
  return { type: 'file', format: 'openai-responses', id }
}

function sourceOf(url: string): MediaSource {
  const data = readDataUrl(url)
  return data === undefined ? { type: 'url', url } : { type: 'base64', ...data }
}
