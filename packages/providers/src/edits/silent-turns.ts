import { hasPlainText, isObject, type JsonObject, listOf, textOf } from '@tollgate/formats'

/**
 * Removes turns in which the model neither says nor calls anything: clients store them when a limit, a filter or a person cut its
 * reasoning short. One with its reasoning stays, with an empty text; so does one of calls whose list of texts has no character. The same
 * list where there are none of them.
 */
export function withoutSilentTurns(messages: readonly unknown[]): readonly unknown[] {
  let isChanged = false
  const spoken = messages.flatMap((message) => {
    const fitted = isObject(message) && message.role === 'assistant' ? fittedTurn(message) : message
    if (fitted !== message) isChanged = true
    return fitted === undefined ? [] : [fitted]
  })
  return isChanged ? spoken : messages
}

function fittedTurn(message: JsonObject): JsonObject | undefined {
  if (hasPlainText(message) || listOf(message.content).some(isStated)) return message
  const calls = listOf(message.tool_calls).length > 0 || isObject(message.function_call)
  if (calls) return Array.isArray(message.content) ? { ...message, content: '' } : message
  if (isObject(message.audio) || textOf(message.refusal) !== '') return message
  if (`${textOf(message.reasoning_content)}${textOf(message.reasoning)}`.trim() === '') return undefined
  return message.content === '' ? message : { ...message, content: '' }
}

/** Decides that a part holds something: any but a text without a character. */
function isStated(part: unknown): boolean {
  return !isObject(part) || part.type !== 'text' || part.text !== ''
}
