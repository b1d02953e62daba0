import type { MediaPart } from '../canonical/request.ts'

/** Names of sounds here that are not the second half of their media type. */
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

export function mediaKind(mediaType: string): MediaPart['kind'] {
  if (mediaType.startsWith('image/')) return 'image'
  if (mediaType.startsWith('audio/')) return 'audio'
  return mediaType.startsWith('video/') ? 'video' : 'document'
}
