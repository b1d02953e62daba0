import type { MediaPart } from './canonical/request.ts'
import { decodeBase64 } from './json/utf8.ts'

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
  return data === undefined ? { type: 'url', url } : base64Source(data)
}

/** First characters of base64 by which the type of an image or a document is known. */
const signatures: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ['image/png', /^iVBORw0KGg/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD[dl]h/],
  ['image/webp', /^UklGR.{6}XRUJQ/],
  ['application/pdf', /^JVBERi0/],
]

/**
 * Returns the source of bytes by the type that they show, whatever their caller calls them: clients go by names of files, and Claude compares
 * ("The image was specified using the image/png media type, but the image appears to be a image/jpeg image").
 * https://github.com/BerriAI/litellm/issues/24900 (2026-04-01)
 */
export function base64Source({ mediaType, data }: Base64Data): Base64Data & { readonly type: 'base64' } {
  const visible = signatures.find(([, start]) => start.test(data.slice(0, 16)))?.[0]
  return {
    type: 'base64',
    mediaType: visible ?? (mediaType === 'image/jpg' ? 'image/jpeg' : mediaType),
    data,
  }
}

/** Types of files whose bytes are text. */
const textType =
  /^(text\/[\w.+-]+|application\/(json|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript|sql|csv|markdown))$/

/** Recognises the data URL of a text file by its beginning. Such files are short, and read as text: no vendor takes all their types. */
export function isTextFile(url: string): boolean {
  return textType.test(/^data:([^;,]*);base64,/i.exec(url.slice(0, 200))?.[1]?.toLowerCase() ?? '')
}

/** The source of a document in a data URL, or at an address: the text of a text file, the bytes of any other. */
export function documentSource(url: string): MediaPart['source'] {
  const source = mediaSource(url)
  const text = source.type === 'base64' && isTextFile(url) ? decodeBase64(source.data) : undefined
  return text === undefined ? source : { type: 'text', text }
}

/** The kind of a medium by its media type; everything but images, sounds and films is a document. */
export function mediaKind(mediaType: string): MediaPart['kind'] {
  const family = mediaType.split('/', 1)[0]
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

/** The kind of what stands where an image is expected: clients put PDF documents there, too. */
export function imageKind(source: MediaPart['source']): 'image' | 'document' {
  return source.type === 'base64' && source.mediaType === 'application/pdf' ? 'document' : 'image'
}
