import type {
  ChatRequest,
  FormatName,
  MediaPart,
  Message,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../canonical/request.ts'
import { sourcePathOf, withSourcePath } from './caller-field-names.ts'

/** Media that a format takes beside what its user says. */
interface MediaRules {
  /** Returns whether what the model said before may hold it. */
  inResponse(part: MediaPart): boolean
  inResult(part: MediaPart, result: ToolResultPart): boolean
}

const never = () => false
const always = () => true
const texts: MediaRules = { inResponse: never, inResult: never }

/** Formats without a line take texts alone. */
const rules: Readonly<Partial<Record<FormatName, MediaRules>>> = {
  // "For tool messages, only type `text` is supported"; of its own audio the model takes the id.
  // https://platform.openai.com/docs/api-reference/chat/create (2026-11-30)
  'openai-chat': { ...texts, inResponse: isOwnAudio },
  // https://platform.openai.com/docs/api-reference/responses/create (2026-11-30)
  'openai-responses': { ...texts, inResult: isImageOrDocument },
  // "all content must be type `text` if `is_error` is true": https://github.com/vellum-ai/vellum-assistant/pull/18387 (2026-03-17)
  'anthropic-messages': {
    ...texts,
    inResult: (part, { isError }) => isError !== true && isImageOrDocument(part),
  },
  // Models other than Claude take no status, and media in any result. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html
  'bedrock-converse': { ...texts, inResult: (_part, { isError }) => isError !== true },
  // Results of models before Gemini 3 hold none either: the encoder, which knows the model, puts them behind.
  gemini: { inResponse: always, inResult: always },
}

function isOwnAudio({ kind, source }: MediaPart): boolean {
  return kind === 'audio' && source.type === 'file' && source.format === 'openai-chat'
}

function isImageOrDocument({ kind }: MediaPart): boolean {
  return kind === 'image' || kind === 'document'
}

/** The text of a result of which nothing but media was there, and those follow it. */
export const attachedText = 'See the attachment.'

/** The line in front of media that follow the result which held them. @param call id of the call, or the tool's name */
export function resultLabel(call: string): string {
  return `Attached to the result of ${call}:`
}

/** The line in front of media that the model made. */
export const responseLabel = 'From your earlier response:'

/**
 * Moves images, sounds and files out of results and earlier responses where the format takes none there into what the user says next,
 * behind a line that says whose they are. The same object where none are to move. No message but the last may be new: refusals name
 * messages by their index.
 */
export function withMovedMedia(request: ChatRequest, format: FormatName): ChatRequest {
  const taken = rules[format] ?? texts
  if (!request.messages.some((message) => message.parts.some((part) => isRefused(part, message, taken))))
    return request
  const messages: Message[] = []
  // Grows in one list: copies of it would take a second for a body of ten thousand results.
  let moved: (TextPart | MediaPart)[] = []
  for (const [index, message] of request.messages.entries()) {
    for (const part of movedOf(message, taken)) moved.push(part)
    // Results of parallel calls may come in several messages: nothing may stand between them.
    const takesAll = message.role === 'user' && !holdsResult(request.messages[index + 1])
    messages.push(fitted(message, takesAll ? moved : [], taken))
    if (takesAll) moved = []
  }
  if (moved.length > 0) messages.push({ role: 'user', parts: moved })
  return { ...request, messages }
}

function isRefused(part: Message['parts'][number], { role }: Message, taken: MediaRules): boolean {
  if (part.type === 'tool-result') return mediaOf(part, taken).length > 0
  return role === 'assistant' && part.type === 'media' && !taken.inResponse(part)
}

/** Returns the message without the media that leave it. @param moved media that follow its results */
function fitted(message: Message, moved: Moved, taken: MediaRules): Message {
  if (message.role === 'user') return userWith(message, moved, taken)
  if (message.role !== 'assistant') return message
  const parts = message.parts.filter((part) => !isRefused(part, message, taken))
  return parts.length === message.parts.length ? message : copyOf(message, { ...message, parts })
}

/** Media of a result that have to leave it. */
function mediaOf(result: ToolResultPart, taken: MediaRules): readonly MediaPart[] {
  return result.content
    .filter((part) => part.type === 'media')
    .filter((part) => !taken.inResult(part, result))
}

type User = Extract<Message, { role: 'user' }>
type Moved = readonly (TextPart | MediaPart)[]

function holdsResult(message: Message | undefined): boolean {
  return message?.role === 'user' && message.parts.some((part) => part.type === 'tool-result')
}

/** Returns the media that leave a message, behind the lines that say whose they are. */
function movedOf(message: Message, taken: MediaRules): Moved {
  if (message.role === 'user') return message.parts.flatMap((part) => movedOfResult(part, taken))
  const made = message.parts.flatMap((part) =>
    part.type === 'media' && isRefused(part, message, taken) ? [part] : [],
  )
  return made.length === 0 ? [] : labelled(responseLabel, made)
}

function movedOfResult(part: UserPart, taken: MediaRules): Moved {
  const media = part.type === 'tool-result' ? mediaOf(part, taken) : []
  if (part.type !== 'tool-result' || media.length === 0) return []
  return labelled(resultLabel(part.callId || (part.name ?? 'a tool')), media)
}

/** Results stay in front, as every format wants them. */
function userWith(message: User, moved: Moved, taken: MediaRules): User {
  const results = message.parts.filter((part) => part.type === 'tool-result')
  const fitted = results.map((result) => withoutMedia(result, taken))
  if (moved.length === 0 && fitted.every((result, index) => result === results[index])) return message
  const others = message.parts.filter((part) => part.type !== 'tool-result')
  return copyOf(message, { ...message, parts: [...fitted, ...moved, ...others] })
}

function withoutMedia(result: ToolResultPart, taken: MediaRules): ToolResultPart {
  const media = new Set<TextPart | MediaPart>(mediaOf(result, taken))
  if (media.size === 0) return result
  const rest = result.content.filter((part) => !media.has(part))
  const content = rest.length > 0 ? rest : [{ type: 'text', text: attachedText } as const]
  return copyOf(result, { ...result, content })
}

function labelled(text: string, media: readonly MediaPart[]): Moved {
  return [{ type: 'text', text }, ...media]
}

/** Gives a copy the path of what it is a copy of. */
function copyOf<Value extends object>(original: object, copy: Value): Value {
  return withSourcePath(copy, sourcePathOf(original))
}
