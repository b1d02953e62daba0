import type { AssistantPart, MediaPart, MediaSource, Signature } from '../canonical/request.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json/value.ts'
import { base64Source, mediaKind } from '../media.ts'
import { member } from './fields.ts'

function signatureOf(value: unknown): Signature | undefined {
  return typeof value === 'string' && value !== '' ? { vendor: 'gemini', value } : undefined
}

/** The member that carries a signature; none for another vendor's signature, which only that vendor can read. */
export function signatureMember(signature: Signature | undefined): { readonly thoughtSignature?: string } {
  return signature?.vendor === 'gemini' ? { thoughtSignature: signature.value } : {}
}

type Kind = MediaPart['kind']

/** A part with `inlineData` or `fileData`; `undefined` when it holds neither. Never throws. */
export function mediaOf(part: JsonObject): MediaPart | undefined {
  const sent = member(part, 'inlineData')
  const named = member(part, 'fileData')
  // Nearly every part: the members of neither are looked for.
  if (sent === undefined && named === undefined) return undefined
  const inline = objectOf(sent)
  const file = objectOf(named)
  const data = textOf(member(inline, 'data'))
  const uri = textOf(member(file, 'fileUri'))
  if (data === '' && uri === '') return undefined
  const holder = data === '' ? file : inline
  const mediaType = textOf(member(holder, 'mimeType'))
  const filename = textOf(member(holder, 'displayName'))
  const detail = detailOf(member(part, 'mediaResolution'))
  const signature = signatureOf(member(part, 'thoughtSignature'))
  const source = data === '' ? fileSource(uri, mediaType) : base64Source({ mediaType, data })
  return {
    type: 'media',
    kind: mediaType === '' && isYouTube(uri) ? 'video' : mediaKind(source.mediaType ?? ''),
    source,
    ...(detail !== '' && { detail }),
    ...(filename !== '' && { filename }),
    ...(signature !== undefined && { signature }),
  }
}

/** An address that anyone can open is a URL; files of the Files API and of Cloud Storage are Google's alone. */
function fileSource(uri: string, mediaType: string): Extract<MediaSource, { type: 'url' | 'file' }> {
  const typed = mediaType === '' ? {} : { mediaType }
  const isPublic =
    /^https?:\/\//i.test(uri) && !/^https?:\/\/generativelanguage\.googleapis\.com\//i.test(uri)
  return isPublic
    ? { type: 'url', url: uri, ...typed }
    : { type: 'file', format: 'gemini', id: uri, ...typed }
}

const details: Readonly<Record<string, string>> = {
  MEDIA_RESOLUTION_LOW: 'low',
  MEDIA_RESOLUTION_MEDIUM: 'auto',
  MEDIA_RESOLUTION_HIGH: 'high',
}

function detailOf(resolution: unknown): string {
  const level = textOf(resolution) || textOf(objectOf(resolution).level)
  return Object.hasOwn(details, level) ? (details[level] ?? '') : ''
}

/** Media types by extension, where an address is all that is known. */
const mediaTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  html: 'text/html',
  csv: 'text/csv',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

const defaultTypes = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
} as const satisfies Record<Kind, string>

/**
 * The source of a part as `inlineData` or `fileData`; `undefined` for sources that need another form: texts, and files of
 * other vendors. Addresses become `fileData`: newer models fetch a public address themselves, for older models the sender
 * has to put the bytes into the request. Guesses a missing media type from the extension.
 */
export function encodeSource({ source, kind }: MediaPart): Readonly<Record<string, unknown>> | undefined {
  switch (source.type) {
    case 'base64':
      return { inlineData: { mimeType: source.mediaType || defaultTypes[kind], data: source.data } }
    case 'url':
      return { fileData: { ...typeOfAddress(source.url, source.mediaType, kind), fileUri: source.url } }
    case 'file':
      if (source.format !== 'gemini') return undefined
      return { fileData: { ...typeMember(source.mediaType), fileUri: source.id } }
    case 'text':
      return undefined
  }
}

/** Returns the type of an address; the service takes films of YouTube without one. */
function typeOfAddress(
  url: string,
  mediaType: string | undefined,
  kind: Kind,
): { readonly mimeType?: string } {
  if (mediaType === undefined && isYouTube(url)) return {}
  return typeMember(mediaType || guessedType(url) || defaultTypes[kind])
}

function typeMember(mediaType: string | undefined): { readonly mimeType?: string } {
  return mediaType === undefined || mediaType === '' ? {} : { mimeType: mediaType }
}

function guessedType(url: string): string | undefined {
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension] : undefined
}

function isYouTube(url: string): boolean {
  return /^https?:\/\/(www\.|m\.)?(youtube\.com|youtu\.be)\//i.test(url)
}

/** Recognises a part of nothing but a text, as half of all parts are. */
export function isTextAlone(part: JsonObject): part is { readonly text: string } {
  for (const name in part) if (name !== 'text') return false
  return typeof part.text === 'string'
}

/**
 * A part of a model's content; `undefined` for an empty part, or one without a canonical form. Never throws.
 * Code that ran at Google, and its results, become fenced text. Images inside reasoning have no canonical form.
 */
export function assistantPartOf(part: JsonObject): AssistantPart | undefined {
  const call = member(part, 'functionCall')
  if (isObject(call)) return callOf(call, part)
  if (part.thought !== true) {
    const media = mediaOf(part)
    if (media !== undefined) return media
  }
  const text = textOf(part.text) || executedText(part)
  const signature = signatureOf(member(part, 'thoughtSignature'))
  if (text === '' && signature === undefined) return undefined
  return {
    type: part.thought === true ? 'reasoning' : 'text',
    text,
    ...(signature !== undefined && { signature }),
  }
}

function callOf(call: JsonObject, part: JsonObject): AssistantPart | undefined {
  const name = textOf(call.name)
  if (name === '') return undefined
  const signature = signatureOf(member(part, 'thoughtSignature'))
  return {
    type: 'tool-call',
    id: textOf(call.id),
    name,
    arguments: JSON.stringify(objectOf(call.args)),
    ...(signature !== undefined && { signature }),
  }
}

function executedText(part: JsonObject): string {
  const code = objectOf(member(part, 'executableCode'))
  if (typeof code.code === 'string') return fenced(languageOf(code.language), code.code)
  const result = objectOf(member(part, 'codeExecutionResult'))
  return typeof result.output === 'string' ? fenced('output', result.output) : ''
}

function languageOf(language: unknown): string {
  const name = textOf(language).toLowerCase()
  return name === 'language_unspecified' ? '' : name
}

function fenced(language: string, text: string): string {
  return `\n\`\`\`${language}\n${text.endsWith('\n') ? text : `${text}\n`}\`\`\`\n`
}
