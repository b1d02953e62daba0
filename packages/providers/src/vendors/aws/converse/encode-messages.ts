import {
  type AssistantPart,
  type JsonObject,
  type MediaPart,
  type Message,
  type ReasoningPart,
  type TextPart,
  type ToolResultPart,
  toolInput,
  type UserPart,
  unsupported,
} from '@tollgate/formats'
import { cachePoint, type Encoding } from './encoding.ts'

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
function encodeMedia(part: MediaPart, param: string, encoding: Encoding): JsonObject {
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

/** Blocks of one message; blank texts are refused by the upstream and left out. */
function encodeUserPart(part: UserPart, param: string, encoding: Encoding): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part, encoding)
    case 'media':
      return [encodeMedia(part, param, encoding), ...cachePoint(part.cache, encoding)]
    case 'tool-result':
      return [{ toolResult: encodeToolResult(part, param, encoding) }, ...cachePoint(part.cache, encoding)]
  }
}

function encodeAssistantPart(part: AssistantPart, param: string, encoding: Encoding): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part, encoding)
    case 'refusal':
      return encodeText({ type: 'text', text: part.text }, encoding)
    case 'reasoning':
      return ownReasoning(part)
    case 'tool-call': {
      const { name, cache } = part
      const toolUse = { toolUseId: encoding.callIds.ofCall(part), name, input: toolInput(part) }
      return [{ toolUse }, ...cachePoint(cache, encoding)]
    }
    case 'media':
      throw unsupported(param, 'an assistant message takes no images, sounds or files')
  }
}

function encodeText({ text, cache }: TextPart, encoding: Encoding): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{ text }, ...cachePoint(cache, encoding)]
}

/** Sends reasoning back that a model at Bedrock signed or encrypted, and leaves out all other reasoning. */
function ownReasoning({ text, signature, encrypted }: ReasoningPart): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  if (signature?.vendor === 'bedrock')
    blocks.push({ reasoningContent: { reasoningText: { text, signature: signature.value } } })
  if (encrypted?.vendor === 'bedrock') blocks.push({ reasoningContent: { redactedContent: encrypted.value } })
  return blocks
}

function encodeToolResult(part: ToolResultPart, param: string, encoding: Encoding): JsonObject {
  const content = part.content.flatMap((item, index) =>
    item.type === 'text'
      ? encodeText({ type: 'text', text: item.text }, encoding)
      : [encodeMedia(item, `${param}.content[${index}]`, encoding)],
  )
  // The others take no status; the text says what went wrong.
  const tellsStatus = part.isError === true && encoding.traits.cachePoints
  if (part.isError === true && !tellsStatus) encoding.dropped.add('is_error')
  return {
    toolUseId: encoding.callIds.ofResult(part, param),
    content,
    ...(tellsStatus && { status: 'error' }),
  }
}

interface Conversation {
  readonly system: readonly JsonObject[]
  readonly messages: readonly Turn[]
}

/** A type, not an interface: it is written as it is. */
export type Turn = {
  readonly role: 'user' | 'assistant'
  readonly content: readonly JsonObject[]
}

/** Fills the place where the format requires a text and the caller has none. */
const placeholder: JsonObject = { text: '...' }

/**
 * Turns as the upstream requires them: the user begins, consecutive messages of one role form one turn, tool results come
 * first in their turn, and a document comes with a text. Instructions inside the conversation become the user's texts.
 */
export function encodeMessages(messages: readonly Message[], encoding: Encoding): Conversation {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const count = first < 0 || !encoding.traits.system ? 0 : first
  const turns = merge(
    messages.slice(count).map((message, index) => encodeTurn(message, count + index, encoding)),
  )
  const started: readonly Turn[] =
    turns[0]?.role === 'user' ? turns : [{ role: 'user', content: [placeholder] }, ...turns]
  return {
    system: messages.slice(0, count).flatMap((message) => instructionOf(message, encoding)),
    messages: withTrimmedEnd(started.map(resultsFirst).map(withText)),
  }
}

function instructionOf(message: Message, encoding: Encoding): readonly JsonObject[] {
  return message.role === 'system' ? message.parts.flatMap((part) => encodeText(part, encoding)) : []
}

function encodeTurn(message: Message, position: number, encoding: Encoding): Turn {
  const param = (part: number) => `messages[${position}].content[${part}]`
  if (message.role === 'system') return { role: 'user', content: instructionOf(message, encoding) }
  if (message.name !== undefined && message.name !== '') encoding.dropped.add('name')
  const content =
    message.role === 'user'
      ? message.parts.flatMap((part, at) => encodeUserPart(part, param(at), encoding))
      : message.parts.flatMap((part, at) => encodeAssistantPart(part, param(at), encoding))
  return { role: message.role, content }
}

/** Merges consecutive messages of one role into one turn and leaves out empty turns. */
function merge(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (turn.content.length === 0) continue
    if (last?.role === turn.role)
      merged[merged.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] }
    else merged.push(turn)
  }
  return merged
}

function resultsFirst(turn: Turn): Turn {
  const isResult = ({ toolResult }: JsonObject) => toolResult !== undefined
  const results = turn.content.filter(isResult)
  if (results.length === 0) return turn
  return { ...turn, content: [...results, ...turn.content.filter((block) => !isResult(block))] }
}

function withText(turn: Turn): Turn {
  const hasDocument = turn.content.some(({ document }) => document !== undefined)
  const hasText = turn.content.some(({ text }) => text !== undefined)
  return hasDocument && !hasText ? { ...turn, content: [...turn.content, placeholder] } : turn
}

/** A response that is to be continued must not end with white space. */
function withTrimmedEnd(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || typeof block?.text !== 'string') return turns
  const content = [...last.content.slice(0, -1), { text: block.text.trimEnd() }]
  return [...turns.slice(0, -1), { role: 'assistant', content }]
}
