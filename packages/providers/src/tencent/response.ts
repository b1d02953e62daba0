import { isObject, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'

const finishReasons: Readonly<Record<string, string>> = { sensitive: 'content_filter' }

/** Whole answers are wrapped, events of a stream are not. */
function inside(event: JsonObject): JsonObject {
  return isObject(event.Response) ? event.Response : event
}

export function isFailure(event: JsonObject): boolean {
  const { Error: error, ErrorMsg: message } = inside(event)
  return isObject(error) || isObject(message)
}

/** A stream ends with its connection, and tells its usage with every event. */
export function isLast(): boolean {
  return false
}

export function chunkOf(event: JsonObject): JsonObject {
  const { Id: id, Created: created, Choices: choices, Usage: usage } = inside(event)
  return {
    id,
    created,
    choices: listOf(choices).map((choice, index) => choiceOf(objectOf(choice), index)),
    usage: usageOf(objectOf(usage)),
  }
}

function choiceOf(choice: JsonObject, place: number): JsonObject {
  const { Index: index = place, Delta: delta, Message: message, FinishReason: finish } = choice
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
