import { type JsonObject, type MediaPart, unsupported } from '@tollgate/formats'
import type { Encoding } from './encoding.ts'

type Formats = Readonly<Record<string, string>>

const imageFormats: Formats = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const documentFormats: Formats = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
}
const videoFormats: Formats = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/mpeg': 'mpeg',
}

/** Images, documents, and films for models that watch them: as bytes, never by address. */
export function encodeMedia(part: MediaPart, param: string, encoding: Encoding): JsonObject {
  const { kind, detail } = part
  if (detail !== undefined && detail !== '' && detail !== 'auto') encoding.dropped.add('detail')
  switch (kind) {
    case 'image':
      return { image: encodeBytes(part, imageFormats, param) }
    case 'document':
      return { document: encodeDocument(part, param, encoding) }
    case 'video':
      if (!encoding.traits.family.startsWith('nova')) throw unsupported(param, 'the model takes no video')
      return { video: encodeBytes(part, videoFormats, param) }
    case 'audio':
      throw unsupported(param, 'it takes no audio')
  }
}

function encodeBytes({ kind, source }: MediaPart, formats: Formats, param: string): JsonObject {
  switch (source.type) {
    case 'base64': {
      const mediaType = source.mediaType.toLowerCase()
      const format = Object.hasOwn(formats, mediaType) ? formats[mediaType] : undefined
      if (format === undefined) throw unsupported(param, `it takes no ${kind} of type ${source.mediaType}`)
      return { format, source: { bytes: source.data } }
    }
    case 'url':
      throw unsupported(param, 'it takes no addresses, only the bytes as base64')
    case 'text':
      throw unsupported(param, `a ${kind} cannot be a text`)
    case 'file':
      throw unsupported(param, 'the file was uploaded to another provider')
  }
}

function encodeDocument(part: MediaPart, param: string, encoding: Encoding): JsonObject {
  const { source } = part
  const encoded =
    source.type === 'text'
      ? { format: 'txt', source: { text: source.text } }
      : encodeBytes(part, documentFormats, param)
  return { ...encoded, name: documentName(part.filename ?? '', encoding) }
}

/** Letters, digits, single spaces, hyphens and brackets; no two documents of a request may have the same name. */
function documentName(filename: string, { documentNames }: Encoding): string {
  const plain = filename
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^a-zA-Z0-9()[\]-]+/g, ' ')
    .trim()
    .slice(0, 180)
  const base = plain === '' ? 'document' : plain
  let name = base
  for (let count = 2; documentNames.has(name); count++) name = `${base} ${count}`
  documentNames.add(name)
  return name
}
