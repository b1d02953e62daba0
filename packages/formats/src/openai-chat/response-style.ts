import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'

/** How an operator wants the answers of a channel written for callers of Chat Completions. */
export interface ResponseStyle {
  /** Only what OpenAI itself sends, and the thoughts that others have added to it. */
  readonly knownFieldsOnly: boolean
  /** Thoughts stand in the text, between think tags. */
  readonly reasoningInText: boolean
}

export const reasoningOpen = '<think>\n'
export const reasoningClose = '\n</think>\n'

/** What a message or a delta says of thoughts; empty for nothing. */
export function reasoningOf({ reasoning_content, reasoning }: JsonObject): string {
  return textOf(reasoning_content) || textOf(reasoning)
}

/** A whole answer in the wanted form. */
export function applyStyle(response: JsonObject, form: ResponseStyle): JsonObject {
  const choices = listOf(response.choices).map((choice) =>
    isObject(choice) && form.reasoningInText ? withReasoningInText(choice) : choice,
  )
  const formed = { ...response, choices }
  return form.knownFieldsOnly ? knownFields(formed) : formed
}

function withReasoningInText(choice: JsonObject): JsonObject {
  const message = objectOf(choice.message)
  const reasoningText = reasoningOf(message)
  if (reasoningText === '') return choice
  const { reasoning_content: _content, reasoning: _reasoning, ...rest } = message
  const content = typeof message.content === 'string' ? message.content : ''
  return {
    ...choice,
    message: { ...rest, content: `${reasoningOpen}${reasoningText}${reasoningClose}${content}` },
  }
}

const ofResponse = ['id', 'object', 'created', 'model', 'service_tier', 'system_fingerprint']
const ofChoice = ['index', 'logprobs', 'finish_reason']
const ofMessage = ['role', 'content', 'refusal', 'reasoning_content', 'function_call', 'audio', 'annotations']
const ofToolCall = ['index', 'id', 'type', 'function', 'custom']
const ofUsage = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
]

/** A whole answer or a chunk, without what OpenAI does not send. */
export function knownFields(response: JsonObject): JsonObject {
  const { choices, usage } = response
  return {
    ...picked(response, ofResponse),
    choices: listOf(choices).map((choice) => knownChoice(objectOf(choice))),
    ...(usage !== undefined && { usage: isObject(usage) ? picked(usage, ofUsage) : usage }),
  }
}

function knownChoice(choice: JsonObject): JsonObject {
  const { delta, message } = choice
  return {
    ...picked(choice, ofChoice),
    ...(isObject(delta) && { delta: knownMessage(delta) }),
    ...(isObject(message) && { message: knownMessage(message) }),
  }
}

function knownMessage(message: JsonObject): JsonObject {
  const { tool_calls } = message
  const reasoningText = reasoningOf(message)
  return {
    ...picked(message, ofMessage),
    ...(reasoningText !== '' && { reasoning_content: reasoningText }),
    ...(Array.isArray(tool_calls) && {
      tool_calls: tool_calls.map((call) => picked(objectOf(call), ofToolCall)),
    }),
  }
}

function picked(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))
}
