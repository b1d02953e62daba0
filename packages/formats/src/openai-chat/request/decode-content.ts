import type { CacheMark, MediaPart, MediaSource, TextPart } from '../../canonical/request.ts'
import { isObject, type JsonObject, objectOf } from '../../json/value.ts'
import { base64Source, documentSource, imageKind, mediaKind, mediaSource } from '../../media.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import {
  isAbsent,
  missing,
  object,
  optionalList,
  optionalText,
  provided,
  requiredText,
  unsupported,
  wrongType,
} from '../../requests/fields.ts'

/** Audio formats whose name here differs from the second half of their media type. */
const audioTypes: ReadonlyMap<string, string> = new Map([
  ['mp3', 'mpeg'],
  ['pcm16', 'pcm'],
])

const audioFormats: ReadonlyMap<string, string> = new Map([
  ['mpeg', 'mp3'],
  ['x-wav', 'wav'],
  ['wave', 'wav'],
  ['pcm', 'pcm16'],
])

/** `mp3` → `audio/mpeg`. */
export function audioMediaType(format: string): string {
  return `audio/${audioTypes.get(format) ?? format}`
}

/** `audio/mpeg` → `mp3`. */
export function audioFormat(mediaType: string): string {
  const subtype = mediaType.slice(mediaType.indexOf('/') + 1)
  return audioFormats.get(subtype) ?? subtype
}

/**
 * Content of a message: a text, or a list of parts. Texts without a character are left out.
 * @throws RequestFault for unknown parts
 */
export function decodeContent(content: unknown, param: string): readonly (TextPart | MediaPart)[] {
  if (isAbsent(content) || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return optionalList(content, param).flatMap((part, index) => decodePart(part, `${param}[${index}]`))
}

/** Works as `decodeContent`, for messages of which only texts are understood. */
export function decodeTexts(content: unknown, param: string): readonly TextPart[] {
  return decodeContent(content, param).map((part, index) => {
    if (part.type !== 'text') throw unsupported(`${param}[${index}]`, 'this message can hold texts only')
    return part
  })
}

/** `cache_control` as Anthropic's callers write it, also where they speak this format. */
export function decodeCacheMark({ cache_control: mark }: JsonObject): { readonly cache?: CacheMark } {
  if (!isObject(mark)) return {}
  return { cache: { ttl: mark.ttl === '1h' ? '1h' : '5m' } }
}

/** One part of a content; nothing for an empty text. */
export function decodePart(part: unknown, param: string): readonly (TextPart | MediaPart)[] {
  if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part }]
  if (!isObject(part)) throw wrongType(param, 'a content part')
  const decode = decoders.get(requiredText(part.type, `${param}.type`))
  if (decode === undefined) throw unsupported(`${param}.type`, 'this kind of content part is not known')
  const decoded = decode(part, param)
  return decoded === undefined ? [] : [withSourcePath({ ...decoded, ...decodeCacheMark(part) }, param)]
}

type PartDecoder = (part: JsonObject, param: string) => TextPart | MediaPart | undefined

const decoders: ReadonlyMap<string, PartDecoder> = new Map<string, PartDecoder>([
  [
    'text',
    (part, param) => {
      const text = optionalText(part.text, `${param}.text`) ?? ''
      return text === '' ? undefined : { type: 'text', text }
    },
  ],
  [
    'image_url',
    (part, param) => {
      const { url, detail } = addressed(part.image_url, `${param}.image_url`)
      const source = mediaSource(url)
      return { type: 'media', kind: imageKind(source), source, ...provided('detail', detail) }
    },
  ],
  [
    'video_url',
    (part, param) => {
      const { url } = addressed(part.video_url, `${param}.video_url`)
      return { type: 'media', kind: 'video', source: mediaSource(url) }
    },
  ],
  ['input_audio', (part, param) => decodeAudio(part.input_audio, `${param}.input_audio`)],
  ['file', (part, param) => decodeFile(object(part.file, `${param}.file`), `${param}.file`)],
])

function decodeAudio(value: unknown, param: string): MediaPart {
  const audio = object(value, param)
  const data = requiredText(audio.data, `${param}.data`)
  const mediaType = audioMediaType(requiredText(audio.format, `${param}.format`))
  return { type: 'media', kind: 'audio', source: { type: 'base64', mediaType, data } }
}

/** An address under a key of its own, or as the bare text that some upstreams want. */
function addressed(
  value: unknown,
  param: string,
): { readonly url: string; readonly detail?: string | undefined } {
  if (typeof value === 'string') return { url: requiredText(value, param) }
  const { url, detail } = object(value, param)
  return { url: requiredText(url, `${param}.url`), detail: optionalText(detail, `${param}.detail`) }
}

function decodeFile(file: JsonObject, param: string): MediaPart {
  const filename = optionalText(file.filename, `${param}.filename`)
  const id = optionalText(file.file_id, `${param}.file_id`)
  if (id !== undefined && id !== '') {
    const source: MediaSource = { type: 'file', format: 'openai-chat', id }
    return { type: 'media', kind: 'document', source, ...provided('filename', filename) }
  }
  const data = optionalText(file.file_data, `${param}.file_data`)
  if (data === undefined || data === '') throw missing(`${param}.file_data`)
  const source = fileSource(data)
  const kind = source.type === 'base64' ? mediaKind(source.mediaType) : 'document'
  return { type: 'media', kind, source, ...provided('filename', filename) }
}

/** Bare base64 is a PDF: what files mostly are. */
function fileSource(data: string): MediaSource {
  const isAddress = data.startsWith('data:') || /^https?:/.test(data.slice(0, 6))
  return isAddress ? documentSource(data) : base64Source({ mediaType: 'application/pdf', data })
}

/** Images that an assistant's message carries beside its text. */
export function decodeImages(images: unknown, param: string): readonly MediaPart[] {
  return optionalList(images, param).map((image, index) => {
    const { url } = addressed(objectOf(image).image_url, `${param}[${index}].image_url`)
    return withSourcePath({ type: 'media', kind: 'image', source: mediaSource(url) }, `${param}[${index}]`)
  })
}
