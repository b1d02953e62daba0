import type { EncodeTarget } from '../../canonical/codec.ts'
import type {
  AssistantPart,
  ChatRequest,
  MediaPart,
  Message,
  TextPart,
  Tool,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { partPath } from '../../requests/caller-field-names.ts'
import { defined, provided, unsupported } from '../../requests/fields.ts'
import { encodeContent, encodeTexts } from './encode-content.ts'
import type { Dropped } from './encode-tools.ts'
import { isCustom } from './encode-tools.ts'

/** Calls that wait for their results. */
type Waiting = { readonly id: string; readonly name: string }[]

/**
 * Gives ids to calls without one (Gemini's callers need not send any), and the same ids to their results: by the name of the
 * tool, in the order of the calls.
 */
export function withCallIds(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(needsIds)) return messages
  const waiting: Waiting = []
  let count = 0
  return messages.map((message) => {
    if (message.role === 'assistant') {
      const parts = message.parts.map((part) => (part.type === 'tool-call' ? withOwnId(part) : part))
      return { ...message, parts }
    }
    if (message.role === 'user')
      return { ...message, parts: message.parts.map((part) => withCallId(part, waiting)) }
    return message
  })

  function withOwnId(call: ToolCallPart): ToolCallPart {
    const id = call.id === '' ? `call_${++count}` : call.id
    waiting.push({ id, name: call.name })
    return { ...call, id }
  }
}

function needsIds({ parts }: Message): boolean {
  return parts.some((part) =>
    part.type === 'tool-call' ? part.id === '' : part.type === 'tool-result' && part.callId === '',
  )
}

function withCallId(part: UserPart, waiting: Waiting): UserPart {
  if (part.type !== 'tool-result') return part
  const position = waiting.findIndex((call) => isResultOf(part, call))
  const [call] = position < 0 ? [] : waiting.splice(position, 1)
  return call === undefined ? part : { ...part, callId: call.id }
}

function isResultOf({ callId, name }: ToolResultPart, call: Waiting[number]): boolean {
  return callId === '' ? name === undefined || name === call.name : callId === call.id
}

/**
 * The conversation as messages of this format. Results of tools are messages of their own, ahead of what else their message holds.
 * @throws RequestFault for media in a result: see `withMovedMedia`
 */
export function encodeMessages(
  request: ChatRequest,
  dropped: Dropped,
  { cacheMarks = false, foreignReasoning = false }: Pick<EncodeTarget, 'cacheMarks' | 'foreignReasoning'>,
): readonly JsonObject[] {
  const encoder: Encoder = { tools: request.tools, dropped, cacheMarks, foreignReasoning }
  const encoded: JsonObject[] = []
  for (const [index, message] of withCallIds(request.messages).entries()) {
    if (!cacheMarks) noteMarks(message, dropped)
    const plain = encodePlain(message, encoder)
    if (plain === undefined) encoded.push(...encodeMessage(message, `messages[${index}]`, encoder))
    else encoded.push(plain)
  }
  return encoded
}

/** A message of one text, one call or one result in texts, as nearly all are; `undefined` for any other. */
function encodePlain(message: Message, encoder: Encoder): JsonObject | undefined {
  const { role, parts } = message
  const [part] = parts
  if (part === undefined || parts.length > 1) return undefined
  const name = 'name' in message ? message.name : undefined
  switch (part.type) {
    case 'text':
      if (encoder.cacheMarks && part.cache !== undefined) return undefined
      return name === undefined ? { role, content: part.text } : { role, content: part.text, name }
    case 'tool-call':
      return name === undefined ? { role, content: null, tool_calls: [encodeCall(part, encoder)] } : undefined
    case 'tool-result':
      return part.content.every(isText) ? encodeResult(part, encoder) : undefined
    default:
      return undefined
  }
}

function encodeMessage(message: Message, param: string, encoder: Encoder): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: encodeTexts(message.parts, encoder.cacheMarks) }]
    case 'user':
      return encodeUser(message, param, encoder)
    default:
      return encodeAssistant(message, param, encoder)
  }
}

interface Encoder {
  readonly tools: readonly Tool[]
  readonly dropped: Dropped
  /** See `EncodeTarget`. */
  readonly cacheMarks: boolean
  readonly foreignReasoning: boolean
}

/** Upstreams of this format cache by themselves. */
function noteMarks({ parts }: Message, dropped: Dropped): void {
  for (const part of parts) if ('cache' in part && part.cache !== undefined) dropped.add('cache_control')
}

function encodeUser(
  { parts, name }: Extract<Message, { role: 'user' }>,
  param: string,
  encoder: Encoder,
): readonly JsonObject[] {
  const results = parts.filter(isResult)
  const content = parts.filter((part) => part.type !== 'tool-result')
  const pathOf = (part: TextPart | MediaPart) => partPath(param, parts, part)
  for (const part of results.flatMap((result) => result.content))
    if (part.type === 'media') throw unsupported(pathOf(part), 'results of tools are texts')
  const messages: JsonObject[] = results.map((result) => encodeResult(result, encoder))
  if (content.length > 0 || results.length === 0)
    messages.push({
      role: 'user',
      content: encodeContent(content, encoder.cacheMarks, pathOf),
      ...provided('name', name),
    })
  return messages
}

function isResult(part: UserPart): part is ToolResultPart {
  return part.type === 'tool-result'
}

function encodeResult(
  { callId, content, isError, cache }: ToolResultPart,
  { dropped, cacheMarks }: Encoder,
): JsonObject {
  if (isError === true) dropped.add('is_error')
  const texts = content.filter(isText)
  // A cache mark of the result goes to its last text.
  const marked =
    cache === undefined
      ? texts
      : texts.map((text, index) => (index === texts.length - 1 ? { ...text, cache } : text))
  return { role: 'tool', tool_call_id: callId, content: encodeTexts(marked, cacheMarks) }
}

function encodeAssistant(
  { parts, name }: Extract<Message, { role: 'assistant' }>,
  param: string,
  encoder: Encoder,
): readonly JsonObject[] {
  const texts = parts.filter(isText)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('')
  const spoken = spokenIn(parts, param)
  // Reasoning of another vendor alone makes no message.
  if (texts.length + calls.length === 0 && refusal === '' && spoken === undefined) return []
  const reasoning = plainReasoning(parts) || (encoder.foreignReasoning ? foreignReasoning(parts) : '')
  return [
    defined<JsonObject>({
      role: 'assistant',
      content: texts.length === 0 ? null : encodeTexts(texts, encoder.cacheMarks),
      refusal: refusal === '' ? undefined : refusal,
      reasoning_content: reasoning === '' ? undefined : reasoning,
      audio: spoken === undefined ? undefined : { id: spoken },
      tool_calls: calls.length === 0 ? undefined : calls.map((call) => encodeCall(call, encoder)),
      name,
    }),
  ]
}

/**
 * Reasoning without a signature came from an upstream of this format, and some upstreams (DeepSeek with tools) require it
 * back. Signed reasoning goes to its vendor only.
 */
function plainReasoning(parts: readonly AssistantPart[]): string {
  return parts
    .flatMap((part) =>
      part.type === 'reasoning' && part.signature === undefined && part.encrypted === undefined
        ? [part.text]
        : [],
    )
    .join('')
}

/**
 * The text of signed reasoning, marked as another model's. Its vendor alone can check it, but a model reads it.
 */
function foreignReasoning(parts: readonly AssistantPart[]): string {
  const text = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
  return text === '' ? '' : `[reasoning of another model]\n${text}`
}

/** The id of the model's earlier audio; its messages accept no other media. */
function spokenIn(parts: readonly AssistantPart[], param: string): string | undefined {
  let id: string | undefined
  for (const part of parts) {
    if (part.type !== 'media') continue
    const { source, kind } = part
    if (kind !== 'audio' || source.type !== 'file' || source.format !== 'openai-chat')
      throw unsupported(`${param}.content`, `the upstream takes no ${kind} that the model made before`)
    id = source.id
  }
  return id
}

function encodeCall({ id, name, arguments: text }: ToolCallPart, { tools }: Encoder): unknown {
  if (isCustom(name, tools)) return { id, type: 'custom', custom: { name, input: text } }
  return { id, type: 'function', function: { name, arguments: text } }
}

function isText(part: AssistantPart | UserPart): part is TextPart {
  return part.type === 'text'
}
