import type { MediaPart } from './canonical/request.ts'

/** Bytes as base64, and what they are. */
export interface Base64Data {
  readonly mediaType: string
  readonly data: string
}

/** Reads `data:<type>;base64,<data>`; `undefined` for other addresses. Parameters of the type are left out. */
export function readDataUrl(url: string): Base64Data | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  if (!parameters.includes('base64')) return undefined
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) }
}

/** The data URL of bytes. */
export function dataUrl({ mediaType, data }: Base64Data): string {
  return `data:${mediaType};base64,${data}`
}

/** Returns where a medium is that an address names: the bytes in a data URL, or the address itself. */
export function mediaSource(url: string): MediaPart['source'] {
  const data = readDataUrl(url)
  return data === undefined ? { type: 'url', url } : { type: 'base64', ...data }
}

/** The kind of a medium by its media type; everything but images, sounds and films is a document. */
export function mediaKind(mediaType: string): MediaPart['kind'] {
  const family = mediaType.split('/', 1)[0]
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}
