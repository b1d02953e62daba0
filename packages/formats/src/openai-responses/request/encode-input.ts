import type {
  AssistantPart,
  ChatRequest,
  MediaPart,
  Message,
  ReasoningPart,
  TextPart,
  Tool,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { dataUrl } from '../../media.ts'
import { audioFormat } from '../../openai-chat/request/decode-content.ts'
import { joinTexts } from '../../openai-chat/request/encode-content.ts'
import { withCallIds } from '../../openai-chat/request/encode-messages.ts'
import type { Dropped } from '../../openai-chat/request/encode-tools.ts'
import { isCustom } from '../../openai-chat/request/encode-tools.ts'
import { partPath } from '../../requests/caller-field-names.ts'
import { textInArguments } from '../../requests/custom-tools.ts'
import { provided, unsupported } from '../../requests/fields.ts'

/** Names a part that cannot be carried. */
type PathOf = (part: TextPart | MediaPart) => string

/** Content of what a user says, or of what a tool gave. */
function encodeContent(parts: readonly (TextPart | MediaPart)[], pathOf: PathOf): readonly JsonObject[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'input_text', text: part.text } : encoders[part.kind](part, pathOf),
  )
}

const encoders = {
  image: encodeImage,
  document: encodeDocument,
  audio: encodeAudio,
  video: (part, pathOf) => {
    throw cannotCarry(part, pathOf)
  },
} as const satisfies Record<MediaPart['kind'], (part: MediaPart, pathOf: PathOf) => JsonObject>

function encodeImage(part: MediaPart, pathOf: PathOf): JsonObject {
  const { source, detail } = part
  const visible = provided('detail', detail || undefined)
  const id = fileId({ source })
  if (id !== undefined) return { type: 'input_image', file_id: id, ...visible }
  if (source.type === 'url') return { type: 'input_image', image_url: source.url, ...visible }
  if (source.type === 'base64') return { type: 'input_image', image_url: dataUrl(source), ...visible }
  throw cannotCarry(part, pathOf)
}

/** Writes a document; one of plain text is text. */
function encodeDocument(part: MediaPart, pathOf: PathOf): JsonObject {
  const { source, filename } = part
  const named = provided('filename', filename)
  const id = fileId({ source })
  if (id !== undefined) return { type: 'input_file', file_id: id, ...named }
  switch (source.type) {
    case 'url':
      return { type: 'input_file', file_url: source.url, ...named }
    case 'base64':
      return { type: 'input_file', file_data: dataUrl(source), ...named }
    case 'text':
      return {
        type: 'input_text',
        text: filename === undefined ? source.text : `${filename}\n\n${source.text}`,
      }
    default:
      throw cannotCarry(part, pathOf)
  }
}

function encodeAudio(part: MediaPart, pathOf: PathOf): JsonObject {
  const { source } = part
  if (source.type !== 'base64') throw cannotCarry(part, pathOf)
  const { data, mediaType } = source
  return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } }
}

/** Both formats of OpenAI know the same files. */
function fileId({ source }: Pick<MediaPart, 'source'>): string | undefined {
  if (source.type !== 'file') return undefined
  return source.format === 'openai-chat' || source.format === 'openai-responses' ? source.id : undefined
}

function cannotCarry(part: MediaPart, pathOf: PathOf): Error {
  const { kind, source } = part
  const provided = source.type === 'file' ? 'file of another vendor' : source.type
  return unsupported(pathOf(part), `the upstream takes no ${kind} given as ${provided}`)
}

interface Encoder {
  readonly tools: readonly Tool[]
  readonly dropped: Dropped
  /** Ids of the calls that hold free text: their results are items of another type. */
  readonly customIds: ReadonlySet<string>
}

/** The conversation: what it begins with are the instructions, unless it holds nothing else. */
export function encodeConversation(request: ChatRequest, dropped: Dropped): JsonObject {
  const messages = withCallIds(request.messages)
  const first = messages.findIndex(({ role }) => role !== 'system')
  const leading = messages.slice(0, Math.max(0, first))
  for (const message of messages) noteLosses(message, dropped)
  const instructions = joinTexts(leading.flatMap(({ parts }) => parts.filter((part) => part.type === 'text')))
  const encoder: Encoder = { tools: request.tools, dropped, customIds: customIdsIn(messages, request.tools) }
  const items = messages.map((message, index) => encodeMessage(message, `messages[${index}]`, encoder))
  return { ...provided('instructions', instructions || undefined), input: items.slice(leading.length).flat() }
}

/** Upstreams of this format cache by themselves, and know users by no names. */
function noteLosses(message: Message, dropped: Dropped): void {
  for (const part of message.parts)
    if ('cache' in part && part.cache !== undefined) dropped.add('cache_control')
  if ('name' in message && message.name !== undefined) dropped.add('name')
}

function encodeMessage(message: Message, param: string, encoder: Encoder): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [
        stated(
          'developer',
          encodeContent(message.parts, () => param),
        ),
      ]
    case 'user':
      return encodeUser(message.parts, param, encoder)
    default:
      return encodeAssistant(message.parts, param, encoder)
  }
}

function stated(role: string, content: readonly JsonObject[]): JsonObject {
  return { type: 'message', role, content }
}

/** Outputs of tools are items beside what the user says. */
function encodeUser(parts: readonly UserPart[], param: string, encoder: Encoder): readonly JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result')
  const content = parts.filter((part) => part.type !== 'tool-result')
  const pathOf = (part: TextPart | MediaPart) => partPath(param, parts, part)
  const items = results.map((result) => encodeResult(result, pathOf, encoder))
  if (content.length > 0 || results.length === 0) items.push(stated('user', encodeContent(content, pathOf)))
  return items
}

function encodeResult(
  { callId, content, isError }: ToolResultPart,
  pathOf: PathOf,
  encoder: Encoder,
): JsonObject {
  if (isError === true) encoder.dropped.add('is_error')
  const output = content.every((part) => part.type === 'text')
    ? joinTexts(content)
    : encodeContent(content, pathOf)
  const type = encoder.customIds.has(callId) ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: callId, output }
}

function encodeAssistant(
  parts: readonly AssistantPart[],
  param: string,
  encoder: Encoder,
): readonly JsonObject[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [stated('assistant', [{ type: 'output_text', text: part.text }])]
      case 'refusal':
        return [stated('assistant', [{ type: 'refusal', refusal: part.text }])]
      case 'reasoning':
        return encodeReasoning(part)
      case 'tool-call':
        return [encodeCall(part, encoder)]
      default:
        throw unsupported(`${param}.content`, `the upstream takes no ${part.kind} that the model made before`)
    }
  })
}

/** Writes reasoning for its own vendor only, who reads it in encrypted form. */
function encodeReasoning({ text, encrypted }: ReasoningPart): readonly JsonObject[] {
  if (encrypted?.vendor !== 'openai') return []
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  return [{ type: 'reasoning', summary, encrypted_content: encrypted.value }]
}

function customIdsIn(messages: readonly Message[], tools: readonly Tool[]): ReadonlySet<string> {
  if (tools.every((tool) => tool.type === 'function')) return new Set()
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  return new Set(calls.filter(({ name }) => isCustom(name, tools)).map(({ id }) => id))
}

function encodeCall({ id, name, arguments: text }: ToolCallPart, { tools }: Encoder): JsonObject {
  if (isCustom(name, tools))
    return { type: 'custom_tool_call', call_id: id, name, input: textInArguments(text) }
  return { type: 'function_call', call_id: id, name, arguments: text }
}
