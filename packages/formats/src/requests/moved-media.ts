import type {
  AssistantPart,
  ChatRequest,
  FormatName,
  MediaPart,
  Message,
  TextPart,
  ToolResultPart,
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
  let made: readonly MediaPart[] = []
  for (const message of request.messages) {
    if (message.role === 'assistant') {
      const { stays, goes } = splitResponse(message.parts, taken)
      messages.push(goes.length === 0 ? message : copyOf(message, { ...message, parts: stays }))
      made = [...made, ...goes]
    } else if (message.role === 'user') {
      messages.push(userWith(message, made, taken))
      made = []
    } else messages.push(message)
  }
  if (made.length > 0) messages.push({ role: 'user', parts: labelled(responseLabel, made) })
  return { ...request, messages }
}

function isRefused(part: Message['parts'][number], { role }: Message, taken: MediaRules): boolean {
  if (part.type === 'tool-result') return mediaOf(part, taken).length > 0
  return role === 'assistant' && part.type === 'media' && !taken.inResponse(part)
}

function splitResponse(parts: readonly AssistantPart[], taken: MediaRules) {
  const goes = parts.filter((part) => part.type === 'media' && !taken.inResponse(part))
  return {
    stays: parts.filter((part) => !goes.includes(part)),
    goes: goes.filter((part) => part.type === 'media'),
  }
}

/** Media of a result that have to leave it. */
function mediaOf(result: ToolResultPart, taken: MediaRules): readonly MediaPart[] {
  return result.content
    .filter((part) => part.type === 'media')
    .filter((part) => !taken.inResult(part, result))
}

type User = Extract<Message, { role: 'user' }>

/** Results stay in front, as every format wants them. */
function userWith(message: User, made: readonly MediaPart[], taken: MediaRules): User {
  const results = message.parts.filter((part) => part.type === 'tool-result')
  const moved = results.flatMap((result) => {
    const media = mediaOf(result, taken)
    return media.length === 0 ? [] : labelled(resultLabel(result.callId || (result.name ?? 'a tool')), media)
  })
  if (made.length + moved.length === 0) return message
  const others = message.parts.filter((part) => part.type !== 'tool-result')
  const attached = made.length === 0 ? moved : [...labelled(responseLabel, made), ...moved]
  const parts = [...results.map((result) => withoutMedia(result, taken)), ...attached, ...others]
  return copyOf(message, { ...message, parts })
}

function withoutMedia(result: ToolResultPart, taken: MediaRules): ToolResultPart {
  const media = new Set<TextPart | MediaPart>(mediaOf(result, taken))
  if (media.size === 0) return result
  const rest = result.content.filter((part) => !media.has(part))
  const content = rest.length > 0 ? rest : [{ type: 'text', text: attachedText } as const]
  return copyOf(result, { ...result, content })
}

function labelled(text: string, media: readonly MediaPart[]): readonly (TextPart | MediaPart)[] {
  return [{ type: 'text', text }, ...media]
}

/** Gives a copy the path of what it is a copy of. */
function copyOf<Value extends object>(original: object, copy: Value): Value {
  return withSourcePath(copy, sourcePathOf(original))
}
