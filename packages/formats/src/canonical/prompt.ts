import { dataUrl } from '../media.ts'
import type { ChatRequest, MediaPart, Message, Tool, ToolResultPart } from './request.ts'

/** An image of a prompt, for counting its tokens. */
export interface PromptImage {
  /** `low`, `high`, `auto` or empty, as the caller wrote it. */
  readonly detail: string
  /** An address or a data URL. */
  readonly url: string
}

/** A message of a prompt, for counting its tokens. */
export interface PromptMessage {
  readonly role: string
  readonly name: string
  /** Content texts, and names and arguments of earlier tool calls. */
  readonly texts: readonly string[]
  readonly images: readonly PromptImage[]
  readonly audioParts: number
  readonly fileParts: number
  /** Length of its only text in UTF-8, where that is known without the text. */
  readonly textBytes?: number
}

/** Prompt of a request, whatever format it came in. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  /** Per tool: name, description and parameters as one text. */
  readonly tools: readonly string[]
  /** Prompts of completions, inputs of embeddings. */
  readonly texts: readonly string[]
  /** Prompt parts that came as token numbers: already counted. */
  readonly tokens: number
}

type Content = Message['parts'][number]

/** Returns what of a canonical request counts as its prompt. Results of tools count as messages of their own. */
export function promptOfRequest({ messages, tools }: ChatRequest): Prompt {
  return { messages: messages.flatMap(messagesOf), tools: tools.map(toolText), texts: [], tokens: 0 }
}

function messagesOf(message: Message): readonly PromptMessage[] {
  const { role, parts } = message
  const name = 'name' in message ? (message.name ?? '') : ''
  const results = parts.filter((part) => part.type === 'tool-result')
  const own = parts.filter((part) => part.type !== 'tool-result')
  const messages = results.map((result) => promptMessage('tool', nameOf(result), result.content))
  return own.length > 0 || results.length === 0 ? [...messages, promptMessage(role, name, own)] : messages
}

function nameOf({ name }: ToolResultPart): string {
  return name ?? ''
}

function promptMessage(role: string, name: string, parts: readonly Content[]): PromptMessage {
  const media = parts.filter((part) => part.type === 'media')
  return {
    role,
    name,
    texts: parts.flatMap(textsOf).filter((text) => text !== ''),
    images: media.filter(({ kind }) => kind === 'image').map(imageOf),
    audioParts: media.filter(({ kind }) => kind === 'audio').length,
    fileParts: media.filter(({ kind, source }) => isFile(kind) && source.type !== 'text').length,
  }
}

function isFile(kind: MediaPart['kind']): boolean {
  return kind === 'document' || kind === 'video'
}

function textsOf(part: Content): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return [part.text]
    case 'tool-call':
      return [part.name, part.arguments]
    case 'media':
      return part.source.type === 'text' ? [part.source.text] : []
    case 'tool-result':
      return []
  }
}

function imageOf({ source, detail = '' }: MediaPart): PromptImage {
  switch (source.type) {
    case 'url':
      return { detail, url: source.url }
    case 'base64':
      return { detail, url: dataUrl(source) }
    default:
      return { detail, url: '' }
  }
}

function toolText(tool: Tool): string {
  if (tool.type === 'vendor') return JSON.stringify(tool.definition) ?? ''
  const { name, description = '', parameters } = tool
  return `${name}${description}${parameters === undefined ? '' : JSON.stringify(parameters)}`
}
