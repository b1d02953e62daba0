import { isObject, type JsonObject, objectOf, textOf } from '@tollgate/formats'

const finishReasons: Readonly<Record<string, string>> = {
  length: 'length',
  content_filter: 'content_filter',
  function_call: 'tool_calls',
}

/** Any code but zero, and an exchange of keys that gave no token. */
export function isFailure({ error_code: code, error }: JsonObject): boolean {
  return (code !== undefined && code !== 0) || typeof error === 'string'
}

/** A whole answer says no `is_end`. */
export function isLast({ is_end: isEnd }: JsonObject): boolean {
  return isEnd !== false
}

/** Texts are pieces, not the text so far. A call of a function comes whole, with the thoughts that led to it. */
export function chunkOf(event: JsonObject): JsonObject {
  const { id, created, result, function_call: call } = event
  const thoughts = textOf(objectOf(call).thoughts)
  const delta = {
    content: textOf(result),
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    ...(isObject(call) && { tool_calls: [callOf(call, textOf(id))] }),
  }
  const finish = isLast(event) ? finishOf(event) : null
  return { id, created, choices: [{ index: 0, delta, finish_reason: finish }], usage: usageOf(event.usage) }
}

/** Calls have no id there. */
function callOf({ name, arguments: text }: JsonObject, responseId: string): JsonObject {
  return { index: 0, id: `call_${responseId}`, type: 'function', function: { name, arguments: text } }
}

function finishOf(event: JsonObject): string {
  if (event.is_truncated === true) return 'length'
  // The vendor's sign that what was said so far was found unsafe.
  if (event.need_clear_history === true) return 'content_filter'
  return finishReasons[textOf(event.finish_reason)] ?? 'stop'
}

/** Some answers tell the total and no output. */
function usageOf(usage: unknown): JsonObject {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = objectOf(usage)
  const known = completion !== undefined && completion !== 0
  const output =
    known || typeof total !== 'number' || typeof prompt !== 'number' ? completion : total - prompt
  return { prompt_tokens: prompt, completion_tokens: output }
}
