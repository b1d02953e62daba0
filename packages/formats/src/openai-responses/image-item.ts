import type { MediaPart } from '../canonical/request.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { type JsonObject, textOf } from '../json-value.ts'

/** The image of a call of the vendor's image generator; nothing when it has made none. */
export function readImage({ result, output_format }: JsonObject): readonly ChatPart[] {
  const data = textOf(result)
  if (data === '') return []
  const mediaType = `image/${textOf(output_format) || 'png'}`
  const source: MediaPart['source'] = /^https?:/.test(data)
    ? { type: 'url', url: data }
    : { type: 'base64', mediaType, data }
  return [{ type: 'media', candidate: 0, media: { type: 'media', kind: 'image', source } }]
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
