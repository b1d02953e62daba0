import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type FunctionTool,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  provided,
  textOf,
} from '@tollgate/formats'
import {
  type CallItem,
  type ConversationItem,
  conversationOf,
  type ImageItem,
  type TextItem,
} from '../../chat/conversation.ts'
import { droppedOptions, type Option, planTools, type ToolPlan, within } from '../../chat/dropped-options.ts'

/** The API has no field for an output limit. */
const takes: ReadonlySet<Option> = new Set<Option>(['temperature', 'top_p', 'stop', 'seed'])

/**
 * The request in the vendor's words. https://cloud.tencent.com/document/api/1729/105701
 * @throws RequestFault for what it cannot say and whose loss would change the response
 */
export function encodeRequest(request: ChatRequest, { model }: EncodeTarget): EncodedRequest {
  const dropped = droppedOptions(request, 'provider:tencent', takes)
  const { system, items } = conversationOf(request.messages, { images: seesImages(model) })
  const { temperature, topP, stop, seed } = request.sampling
  const body = {
    Model: model,
    Messages: [...(system === '' ? [] : [{ Role: 'system', Content: system }]), ...messagesOf(items)],
    Stream: request.stream,
    ...provided('Temperature', within(temperature, 0, 2)),
    ...provided('TopP', within(topP, 0, 1)),
    ...provided('Seed', seed),
    ...(stop.length > 0 && { Stop: stop }),
    ...encodeTools(planTools(request, dropped)),
  }
  return { body, dropped: [...dropped] }
}

function seesImages(model: string): boolean {
  return /vision/i.test(model)
}

interface Message {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly parts: ConversationItem[]
}

/** Neighbours of one side are one message; every result is one of its own. */
function messagesOf(items: readonly ConversationItem[]): readonly JsonObject[] {
  const messages: Message[] = []
  for (const each of items) {
    const role = each.type === 'result' ? 'tool' : each.role
    const last = messages.at(-1)
    if (last?.role === role && role !== 'tool') last.parts.push(each)
    else messages.push({ role, parts: [each] })
  }
  return messages.map(encodeMessage)
}

function encodeMessage({ role, parts }: Message): JsonObject {
  const [first] = parts
  if (first?.type === 'result') return { Role: 'tool', ToolCallId: first.id, Content: first.text }
  const calls = parts.filter((part) => part.type === 'call')
  const content = parts.filter((part) => part.type === 'text' || part.type === 'image')
  return {
    Role: role,
    ...encodeContent(content),
    ...(calls.length > 0 && { ToolCalls: calls.map(encodeCall) }),
  }
}

function encodeContent(parts: readonly (TextItem | ImageItem)[]): JsonObject {
  if (parts.every((part) => part.type === 'text'))
    return { Content: parts.map(({ text }) => text).join('\n\n') }
  return { Contents: parts.map(encodePart) }
}

function encodePart(part: TextItem | ImageItem): JsonObject {
  return part.type === 'text'
    ? { Type: 'text', Text: part.text }
    : { Type: 'image_url', ImageUrl: { Url: part.url } }
}

function encodeCall({ id, name, arguments: text }: CallItem, index: number): JsonObject {
  return { Id: id, Type: 'function', Index: index, Function: { Name: name, Arguments: text } }
}

function encodeTools({ tools, forced }: ToolPlan): JsonObject {
  if (tools.length === 0) return {}
  const wanted = tools.find(({ name }) => name === forced)
  return {
    Tools: tools.map(encodeTool),
    ...(wanted === undefined
      ? { ToolChoice: 'auto' }
      : { ToolChoice: 'custom', CustomTool: encodeTool(wanted) }),
  }
}

/** Writes a tool, whose parameters are JSON inside a text. */
function encodeTool({ name, description = '', parameters = noParameters }: FunctionTool): JsonObject {
  return {
    Type: 'function',
    Function: { Name: name, Description: description, Parameters: JSON.stringify(parameters) },
  }
}

const noParameters = { type: 'object', properties: {} }

const finishReasons: Readonly<Record<string, string>> = { sensitive: 'content_filter' }

/** Buffered responses are wrapped, events of a stream are not. */
function inside(event: JsonObject): JsonObject {
  return isObject(event.Response) ? event.Response : event
}

/** Recognises an event or a buffered response that is a failure. */
export function isFailure(event: JsonObject): boolean {
  const { Error: error, ErrorMsg: message } = inside(event)
  return isObject(error) || isObject(message)
}

/** Returns false for every event: a stream ends with its connection, and every event reports the usage. */
export function isLast(): boolean {
  return false
}

/** An event or a buffered response as a chunk of OpenAI's. */
export function chunkOf(event: JsonObject): JsonObject {
  const { Id: id, Created: created, Choices: choices, Usage: usage } = inside(event)
  return {
    id,
    created,
    choices: listOf(choices).map((choice, index) => choiceOf(objectOf(choice), index)),
    usage: usageOf(objectOf(usage)),
  }
}

function choiceOf(choice: JsonObject, position: number): JsonObject {
  const { Index: index = position, Delta: delta, Message: message, FinishReason: finish } = choice
  const reason = textOf(finish)
  return {
    index,
    delta: deltaOf(isObject(delta) ? delta : objectOf(message)),
    finish_reason: finishReasons[reason] ?? reason,
  }
}

function deltaOf({
  Role: role,
  Content: content,
  ReasoningContent: reasoning,
  ToolCalls: calls,
}: JsonObject) {
  return {
    role,
    content,
    reasoning_content: reasoning,
    tool_calls: listOf(calls).map((call) => callOf(objectOf(call))),
  }
}

function callOf({ Id: id, Index: index, Function: called }: JsonObject): JsonObject {
  const { Name: name, Arguments: text } = objectOf(called)
  return { id, index, type: 'function', function: { name, arguments: text } }
}

function usageOf({ PromptTokens: prompt, CompletionTokens: completion }: JsonObject): JsonObject {
  return { prompt_tokens: prompt, completion_tokens: completion }
}
