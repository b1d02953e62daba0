import { isObject, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'

/** Of a message: 0 for the first, 1 for more, 2 for the last. */
const lastStatus = 2

export function isFailure({ header }: JsonObject): boolean {
  return objectOf(header).code !== 0
}

export function isLast({ header, payload }: JsonObject): boolean {
  return objectOf(objectOf(payload).choices).status === lastStatus || objectOf(header).status === lastStatus
}

export function chunkOf(message: JsonObject): JsonObject {
  const { choices, usage } = objectOf(message.payload)
  const texts = listOf(objectOf(choices).text).map(objectOf)
  const sid = textOf(objectOf(message.header).sid)
  const reason = isLast(message) ? 'stop' : null
  return {
    id: sid,
    choices: [{ index: 0, delta: deltaOf(texts, sid), finish_reason: reason }],
    usage: objectOf(usage).text,
  }
}

/** Texts are pieces. A call of a function comes whole and has no id. */
function deltaOf(texts: readonly JsonObject[], sid: string): JsonObject {
  const calls = texts.flatMap(({ function_call: call }) => (isObject(call) ? [call] : []))
  return {
    content: texts.map(({ content }) => textOf(content)).join(''),
    reasoning_content: texts.map(({ reasoning_content: reasoning }) => textOf(reasoning)).join(''),
    tool_calls: calls.map(({ name, arguments: text }, index) => ({
      index,
      id: `call_${sid}_${index}`,
      type: 'function',
      function: { name, arguments: text },
    })),
  }
}
