import {
  type AssistantPart,
  dataUrl,
  type MediaPart,
  type Message,
  type TextPart,
  type UserPart,
  unsupported,
  withCallIds,
} from '@tollgate/formats'

/** A piece of a conversation, for upstreams whose messages hold one thing each. */
export type ConversationItem = TextItem | ImageItem | CallItem | ResultItem

/** Text of one side. */
export interface TextItem {
  readonly type: 'text'
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** An image that the user showed. */
export interface ImageItem {
  readonly type: 'image'
  readonly role: 'user'
  /** An address, or the image itself as a data URL. */
  readonly url: string
}

/** A call of a tool by the model. */
export interface CallItem {
  readonly type: 'call'
  readonly role: 'assistant'
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** The result of such a call. */
export interface ResultItem {
  readonly type: 'result'
  readonly role: 'user'
  readonly id: string
  readonly name: string
  readonly text: string
}

/** Instructions and items of a conversation, for upstreams that want them apart. */
export interface Conversation {
  /** All instructions, from any place in the conversation; empty without any. */
  readonly system: string
  readonly items: readonly ConversationItem[]
}

interface Options {
  /** The model sees images. */
  readonly images: boolean
}

/**
 * A conversation without the structure of its messages. Leaves reasoning out and joins consecutive texts of one role.
 * @throws RequestFault for media that the upstream does not take
 */
export function conversationOf(messages: readonly Message[], options: Options): Conversation {
  const system: string[] = []
  const items: ConversationItem[] = []
  const names = new Map<string, string>()
  for (const message of withCallIds(messages)) {
    if (message.role === 'system') system.push(joined(message.parts))
    else for (const part of message.parts) add(items, itemOf(part, message.role, names, options))
  }
  return { system: system.filter((text) => text !== '').join('\n'), items }
}

function add(items: ConversationItem[], next: ConversationItem | undefined): void {
  if (next === undefined || (next.type === 'text' && next.text.trim() === '')) return
  const last = items.at(-1)
  if (last?.type === 'text' && next.type === 'text' && last.role === next.role)
    items[items.length - 1] = { ...last, text: `${last.text}\n\n${next.text}` }
  else items.push(next)
}

function itemOf(
  part: UserPart | AssistantPart,
  role: TextItem['role'],
  names: Map<string, string>,
  options: Options,
): ConversationItem | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', role, text: part.text }
    case 'tool-call':
      names.set(part.id, part.name)
      return { type: 'call', role: 'assistant', id: part.id, name: part.name, arguments: part.arguments }
    case 'tool-result': {
      const name = part.name ?? names.get(part.callId) ?? ''
      return { type: 'result', role: 'user', id: part.callId, name, text: resultText(part.content) }
    }
    case 'media':
      return itemOfMedia(part, role, options)
    case 'reasoning':
      return undefined
  }
}

/** Writes media as text, which a document of plain text is. */
function itemOfMedia(
  { kind, source, filename = '' }: MediaPart,
  role: TextItem['role'],
  { images }: Options,
): ConversationItem {
  if (source.type === 'text')
    return { type: 'text', role, text: filename === '' ? source.text : `${filename}\n\n${source.text}` }
  if (kind !== 'image' || !images || role !== 'user' || source.type === 'file') throw noMedia(kind)
  const url = source.type === 'url' ? source.url : dataUrl(source)
  return { type: 'image', role: 'user', url }
}

function resultText(content: readonly (TextPart | MediaPart)[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : mediaText(part))).join('\n\n')
}

function mediaText({ kind, source }: MediaPart): string {
  if (source.type !== 'text') throw noMedia(kind)
  return source.text
}

function joined(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('\n\n')
}

function noMedia(kind: MediaPart['kind']): Error {
  return unsupported('messages', `the upstream's model takes no ${kind}`)
}

/** Fills a missing turn where the upstream requires alternating roles. */
const fillers = { user: 'Go on.', assistant: 'Okay.' } as const

/**
 * Makes the roles alternate, the user first and last.
 * @throws RequestFault when the caller has begun the response itself: the upstream cannot continue it
 */
export function alternateRoles<Item extends { readonly role: TextItem['role'] }>(
  items: readonly Item[],
): readonly (Item | TextItem)[] {
  const turns: (Item | TextItem)[] = []
  for (const item of items) {
    const before = turns.at(-1)?.role ?? 'assistant'
    if (before === item.role) turns.push(filler(item.role === 'user' ? 'assistant' : 'user'))
    turns.push(item)
  }
  if (turns.at(-1)?.role !== 'user')
    throw unsupported('messages', "the upstream wants the conversation to end with a message of the user's")
  return turns
}

function filler(role: TextItem['role']): TextItem {
  return { type: 'text', role, text: fillers[role] }
}

/** The conversation as texts alone, for upstreams that have no place for calls of tools and their results. */
export function asTexts(items: readonly ConversationItem[]): readonly TextItem[] {
  const texts: ConversationItem[] = []
  for (const each of items) add(texts, asText(each))
  return alternateRoles(texts.filter((each) => each.type === 'text'))
}

function asText(item: ConversationItem): ConversationItem {
  switch (item.type) {
    case 'call':
      return {
        type: 'text',
        role: 'assistant',
        text: `I call the tool ${item.name} with ${item.arguments}`,
      }
    case 'result':
      return { type: 'text', role: 'user', text: `The tool ${item.name} gave this result: ${item.text}` }
    default:
      return item
  }
}
