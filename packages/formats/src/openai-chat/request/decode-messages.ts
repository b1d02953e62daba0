import type {
  AssistantPart,
  Message,
  Signature,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/request.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../json/value.ts'
import { sourcePathOf, withSourcePath } from '../../requests/caller-field-names.ts'
import {
  invalid,
  isAbsent,
  object,
  optionalList,
  optionalText,
  provided,
  requiredText,
  wrongType,
} from '../../requests/fields.ts'
import { readGoogleSignature, readReasoning } from '../response/delta-parts.ts'
import { readThinkingBlock } from '../thinking-blocks.ts'
import { decodeCacheMark, decodeContent, decodeImages, decodePart, decodeTexts } from './decode-content.ts'

/**
 * The conversation in its order. Results that follow each other, as those of parallel calls do, are one message.
 * @param messages objects with a role: see `checkMessages`
 */
export function decodeMessages(messages: readonly unknown[]): readonly Message[] {
  const decoded: Message[] = []
  let results: ToolResultPart[] | undefined
  for (let position = 0; position < messages.length; position++) {
    const message = objectOf(messages[position])
    const param = `messages[${position}]`
    if (!isResult(message)) {
      results = undefined
      decoded.push(withSourcePath(markLast(decodeMessage(message, param), message), param))
    } else if (results === undefined) {
      results = [decodeResult(message, param)]
      decoded.push(withSourcePath({ role: 'user', parts: results }, param))
    } else results.push(decodeResult(message, param))
  }
  return decoded
}

function isResult({ role }: JsonObject): boolean {
  return role === 'tool' || role === 'function'
}

function decodeMessage(message: JsonObject, param: string): Message {
  const name = isAbsent(message.name) ? undefined : optionalText(message.name, `${param}.name`)
  const content = `${param}.content`
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: decodeTexts(message.content, content) }
    case 'user':
      return named({ role: 'user', parts: decodeContent(message.content, content) }, name)
    case 'assistant':
      return named({ role: 'assistant', parts: decodeAssistant(message, param) }, name)
    default:
      throw invalid(`${param}.role`, 'it must be one of system, developer, user, assistant, tool')
  }
}

/** Nearly no message has a name, and each of a long conversation would be copied for it. */
function named(message: Exclude<Message, { role: 'system' }>, name: string | undefined): Message {
  return name === undefined ? message : { ...message, name }
}

/** Moves a cache mark of the message to its last part. */
function markLast(message: Message, raw: JsonObject): Message {
  if (raw.cache_control === undefined) return message
  const mark = decodeCacheMark(raw)
  const last = message.parts.at(-1)
  if (mark.cache === undefined || last === undefined) return message
  // The part keeps its type: the mark is a member that the parts of requests may have.
  const marked = withSourcePath({ ...last, ...mark }, sourcePathOf(last))
  return { ...message, parts: [...message.parts.slice(0, -1), marked] } as Message
}

function decodeResult(message: JsonObject, param: string): ToolResultPart {
  const isLegacy = message.role === 'function'
  const callId = isLegacy ? '' : requiredText(message.tool_call_id, `${param}.tool_call_id`)
  const name = optionalText(message.name, `${param}.name`)
  const content = decodeContent(message.content, `${param}.content`)
  const named = provided('name', name)
  return withSourcePath(
    { type: 'tool-result', callId, ...named, content, ...decodeCacheMark(message) },
    param,
  )
}

function decodeAssistant(message: JsonObject, param: string): readonly AssistantPart[] {
  if (isContentAlone(message)) return decodeAssistantContent(message, param)
  const refusal = optionalText(message.refusal, `${param}.refusal`) ?? ''
  return [
    ...readReasoning(message),
    ...decodeAssistantContent(message, param),
    ...(refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...decodeImages(message.images, `${param}.images`),
    ...decodeSpoken(message.audio, `${param}.audio`),
    ...decodeCalls(message, param),
  ]
}

/** Returns whether a message of the model has none of the members that add to its content: most of a long conversation have none. */
function isContentAlone(message: JsonObject): boolean {
  const { refusal, images, audio, tool_calls, function_call } = message
  const { reasoning_content, reasoning, reasoning_details, thinking_blocks } = message
  const added = refusal ?? images ?? audio ?? tool_calls ?? function_call
  return isAbsent(added ?? reasoning_content ?? reasoning ?? reasoning_details ?? thinking_blocks)
}

function decodeAssistantContent(message: JsonObject, param: string): readonly AssistantPart[] {
  const content = `${param}.content`
  const list = Array.isArray(message.content) ? message.content : undefined
  const parts: readonly AssistantPart[] =
    list === undefined
      ? decodeContent(message.content, content)
      : list.flatMap((part, index) => decodeAssistantPart(part, `${content}[${index}]`))
  const signature = readGoogleSignature(message)
  return signature === undefined ? parts : signText(parts, signature)
}

/** Returns what an assistant's content may hold beside texts: a refusal, and reasoning of Mistral's or of Anthropic's form. */
function decodeAssistantPart(part: unknown, param: string): readonly AssistantPart[] {
  const { type, refusal, thinking, signature } = objectOf(part)
  if (type === 'refusal') return [{ type: 'refusal', text: requiredText(refusal, `${param}.refusal`) }]
  if (type === 'redacted_thinking' || textOf(signature) !== '')
    return [readThinkingBlock(objectOf(part)) ?? []].flat()
  if (type !== 'thinking') return decodePart(part, param)
  const reasoning = typeof thinking === 'string' ? [thinking] : optionalList(thinking, `${param}.thinking`)
  const text = reasoning.map((block) => textOf(block) || textOf(objectOf(block).text)).join('')
  return text === '' ? [] : [{ type: 'reasoning', text }]
}

function signText(parts: readonly AssistantPart[], signature: Signature): readonly AssistantPart[] {
  const last = parts.findLastIndex((part) => part.type === 'text')
  if (last < 0) return [...parts, { type: 'text', text: '', signature }]
  return parts.map((part, index) => (index === last ? { ...(part as TextPart), signature } : part))
}

/** Returns what the model said aloud in an earlier turn: its vendor keeps it under an id. */
function decodeSpoken(audio: unknown, param: string): readonly AssistantPart[] {
  if (!isObject(audio)) return []
  const id = requiredText(audio.id, `${param}.id`)
  const source = { type: 'file', format: 'openai-chat', id } as const
  return [withSourcePath({ type: 'media', kind: 'audio', source }, param)]
}

function decodeCalls(message: JsonObject, param: string): readonly ToolCallPart[] {
  const calls = optionalList(message.tool_calls, `${param}.tool_calls`).map((call, index) =>
    withSourcePath(
      decodeCall(object(call, `${param}.tool_calls[${index}]`), `${param}.tool_calls[${index}]`),
      `${param}.tool_calls[${index}]`,
    ),
  )
  const legacy = message.function_call
  if (!isObject(legacy)) return calls
  return [
    ...calls,
    callOf({ id: '', called: legacy, text: legacy.arguments, param: `${param}.function_call` }),
  ]
}

function decodeCall(call: JsonObject, param: string): ToolCallPart {
  const id = requiredText(call.id, `${param}.id`)
  const signature = readGoogleSignature(call)
  const more = { ...(signature && { signature }), ...decodeCacheMark(call) }
  if (call.type === 'custom') {
    const custom = object(call.custom, `${param}.custom`)
    const name = requiredText(custom.name, `${param}.custom.name`)
    return {
      type: 'tool-call',
      id,
      name,
      arguments: optionalText(custom.input, `${param}.custom.input`) ?? '',
      ...more,
    }
  }
  const called = object(call.function, `${param}.function`)
  return { ...callOf({ id, called, text: called.arguments, param: `${param}.function` }), ...more }
}

interface CallReading {
  readonly id: string
  readonly called: JsonObject
  readonly text: unknown
  readonly param: string
}

function callOf({ id, called, text, param }: CallReading): ToolCallPart {
  const name = requiredText(called.name, `${param}.name`)
  if (isObject(text)) return { type: 'tool-call', id, name, arguments: JSON.stringify(text) }
  if (text !== undefined && text !== null && typeof text !== 'string')
    throw wrongType(`${param}.arguments`, 'JSON as a text')
  return { type: 'tool-call', id, name, arguments: textOf(text).trim() === '' ? '{}' : textOf(text) }
}
