import type { AnsweredCall } from '../canonical/codec.ts'
import { isObject, type JsonObject, listOf } from '../json-value.ts'
import { isAbsent } from '../openai-chat/faults.ts'

/** What of a request its answer says again, with what the answer says where the caller said nothing. */
const repeated: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** Tools that stand in the conversation count among those of the request: an answer names them by their own names. */
export function echoOf(body: JsonObject): JsonObject {
  const said = Object.keys(repeated).filter((name) => !isAbsent(body[name]))
  const found = listOf(body.input).flatMap((item) =>
    isObject(item) && item.type === 'additional_tools' ? listOf(item.tools) : [],
  )
  return {
    ...Object.fromEntries(said.map((name) => [name, body[name]])),
    ...(found.length > 0 && { tools: [...listOf(body.tools), ...found] }),
  }
}

/** Fields of a response that are the same in its first and its last event. */
export function responseHead(id: string, createdAt: number, call: AnsweredCall): JsonObject {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    model: call.model,
    error: null,
    ...repeated,
    ...call.echo,
  }
}

/** The upstream's id when it is one of this format, else the gateway's own. */
export function responseId(id: string, { answerId }: AnsweredCall): string {
  if (id.startsWith(idPrefix)) return id
  return answerId.startsWith(idPrefix) ? answerId : `${idPrefix}${answerId}`
}

/** What the ids of an answer's items have in common. */
export function itemSuffix(id: string): string {
  return id.slice(idPrefix.length)
}

const idPrefix = 'resp_'
