import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'

/**
 * A response, or an event of one, as OpenAI gives it, of an upstream whose content is a list of parts when it thinks and
 * whose calls of tools have no number (Mistral). The same object where nothing is to change.
 */
export function flattenContent(response: JsonObject): JsonObject {
  const choices = listOf(response.choices)
  const flattened = choices.map(flattenChoice)
  return flattened.every((choice, index) => choice === choices[index])
    ? response
    : { ...response, choices: flattened }
}

function flattenChoice(choice: unknown): unknown {
  if (!isObject(choice)) return choice
  const { delta, message } = choice
  if (isObject(delta)) {
    const flat = numberCalls(flattenMessage(delta))
    return flat === delta ? choice : { ...choice, delta: flat }
  }
  if (!isObject(message)) return choice
  const flat = typeCalls(flattenMessage(message))
  return flat === message ? choice : { ...choice, message: flat }
}

function flattenMessage(message: JsonObject): JsonObject {
  const { content } = message
  if (!Array.isArray(content)) return message
  const parts = content.map(objectOf)
  const reasoningTexts = parts.flatMap(({ thinking }) =>
    typeof thinking === 'string' ? [thinking] : textsOf(thinking),
  )
  const reasoning = reasoningTexts.join('')
  return {
    ...message,
    content: textsOf(parts).join(''),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  }
}

function textsOf(parts: unknown): readonly string[] {
  return listOf(parts).map((part) => textOf(objectOf(part).text))
}

/** Calls arrive complete, each in the event that names it, in their order. */
function numberCalls(delta: JsonObject): JsonObject {
  const calls = listOf(delta.tool_calls)
  if (calls.every((call) => numberOf(objectOf(call).index) !== undefined && 'type' in objectOf(call)))
    return delta
  return {
    ...delta,
    tool_calls: calls.map((call, index) => ({ index, type: 'function', ...objectOf(call) })),
  }
}

function typeCalls(message: JsonObject): JsonObject {
  const calls = listOf(message.tool_calls)
  if (calls.every((call) => 'type' in objectOf(call))) return message
  return { ...message, tool_calls: calls.map((call) => ({ type: 'function', ...objectOf(call) })) }
}
