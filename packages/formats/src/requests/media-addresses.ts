import type { FormatName } from '../canonical/request.ts'
import { spliceObjects } from '../json/splice.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json/value.ts'
import { type Base64Data, dataUrl } from '../media.ts'
import { PlainMessage } from './bytes/plain-message.ts'

/** An image or a document that a request names by its address on the web. */
export interface MediaAddress {
  readonly url: string
  /** Path at which it stands, in the caller's own words. */
  readonly param: string
}

/** A format's form of media: where an address is in an object, and the object with the bytes in its place. */
interface MediaForm {
  address(holder: JsonObject): string
  withBytes(holder: JsonObject, bytes: Base64Data): JsonObject
}

const responses: MediaForm = {
  address: ({ type, image_url, file_url }) =>
    type === 'input_image' ? addressOf(image_url) : type === 'input_file' ? addressOf(file_url) : '',
  withBytes({ file_url, ...part }, bytes) {
    if (part.type === 'input_image') return { ...part, image_url: dataUrl(bytes) }
    return { ...part, filename: part.filename ?? 'file', file_data: dataUrl(bytes) }
  },
}

const forms: Readonly<Partial<Record<FormatName, MediaForm>>> = {
  'openai-chat': {
    address: ({ type, image_url }) => (type === 'image_url' ? addressOf(image_url) : ''),
    withBytes: (part, bytes) => ({
      ...part,
      image_url: { ...objectOf(part.image_url), url: dataUrl(bytes) },
    }),
  },
  'openai-responses': responses,
  // What is compacted is a conversation of Responses.
  'openai-compaction': responses,
  'anthropic-messages': {
    address: ({ source }) => (objectOf(source).type === 'url' ? addressOf(objectOf(source).url) : ''),
    withBytes: (block, { mediaType, data }) => ({
      ...block,
      source: { type: 'base64', media_type: mediaType, data },
    }),
  },
  gemini: {
    address: (part) => googleAddress(objectOf(part.fileData ?? part.file_data)),
    withBytes({ fileData: _camel, file_data: _snake, ...part }, { mediaType: mimeType, data }) {
      return { ...part, inlineData: { mimeType, data } }
    },
  },
}

/** Members that hold what a model or a tool wrote: whatever it looks like, it names no media. */
const notMedia: ReadonlySet<string> = new Set(['arguments', 'functionCall', 'function_call', 'metadata'])

/** All media that a request names by address. */
export function mediaAddressesIn(format: FormatName, body: JsonObject): readonly MediaAddress[] {
  const found: MediaAddress[] = []
  const form = forms[format]
  if (form === undefined) return found
  for (const key of conversationKeys)
    walk(
      body[key],
      (holder, param) => {
        const url = form.address(holder)
        if (url !== '') found.push({ url, param })
        return url !== ''
      },
      key,
    )
  return found
}

/**
 * The text of a request with the bytes in the place of the addresses that they are of; every other character stays as it is.
 * @param text as it was received
 * @param body what `text` holds, large literals cut short or not
 */
export function withMediaBytes(
  format: FormatName,
  { text, body }: { readonly text: string; readonly body: JsonObject },
  bytes: ReadonlyMap<string, Base64Data>,
): string {
  const form = forms[format]
  if (form === undefined) return text
  return spliceObjects(text, body, {
    enters: (key, isTop) => (isTop ? conversationKeys.has(key) : !notMedia.has(key)),
    isClosed: isToolUse,
    replacement: (holder) => {
      const found = bytes.get(form.address(holder))
      return found === undefined ? undefined : form.withBytes(holder, found)
    },
  })
}

const conversationKeys: ReadonlySet<string> = new Set(['messages', 'input', 'contents'])

/** Bodies nest no deeper than callers may. */
function walk(value: unknown, visitor: (holder: JsonObject, param: string) => boolean, param = ''): void {
  if (Array.isArray(value))
    for (const [position, item] of value.entries())
      if (!(item instanceof PlainMessage)) walk(item, visitor, `${param}[${position}]`)
  if (!isObject(value) || visitor(value, param) || isToolUse(value)) return
  for (const [key, member] of Object.entries(value))
    if (!notMedia.has(key)) walk(member, visitor, `${param}.${key}`)
}

/** Returns whether an object is a call of a tool, whose input the model wrote. */
function isToolUse({ type }: JsonObject): boolean {
  return type === 'tool_use'
}

/** The text, or that of its `url`, where it is an address on the web. */
function addressOf(value: unknown): string {
  const url = textOf(value) || textOf(objectOf(value).url)
  return /^https?:\/\//i.test(url) ? url : ''
}

/** Google itself reads its own files and films of YouTube. */
function googleAddress(file: JsonObject): string {
  const uri = addressOf(file.fileUri ?? file.file_uri)
  const isGoogles =
    /^https?:\/\/(generativelanguage\.googleapis\.com|(www\.|m\.)?youtube\.com|youtu\.be)\//i.test(uri)
  return isGoogles ? '' : uri
}
