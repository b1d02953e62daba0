import type { ChatRequest, JsonSchema } from './request.ts'

/** Instructions of the operator to a model ahead of everything that callers say. */
export interface Instructions {
  readonly text: string
  /** True to add them in front of the caller's own instructions, too. */
  readonly always: boolean
}

/** Asks for JSON in words, where a format or a model has no field for it. */
export const jsonInstruction = 'Answer with one valid JSON object and nothing else: no prose, no code fence.'

/** Asks for JSON of a schema in words. */
export function schemaInstruction(schema: JsonSchema): string {
  return `${jsonInstruction} It must be valid against this JSON Schema: ${JSON.stringify(schema)}`
}

/**
 * Replaces a response in JSON where a model accepts no schema: the request forces a call of this tool, and the decoder
 * returns the call's arguments as the response's text.
 */
export const outputToolName = 'tollgate_json_answer'

/** The description of that tool where the caller has none for the schema. */
export const outputToolDescription = 'Gives the final answer. Call it instead of writing the answer as text.'

/** The conversation with the instructions in front; the request itself where they are not to be put there. */
export function withInstructions(request: ChatRequest, { text, always }: Instructions): ChatRequest {
  const { messages } = request
  if (!always && messages.some(({ role }) => role === 'system')) return request
  return { ...request, messages: [{ role: 'system', parts: [{ type: 'text', text }] }, ...messages] }
}

/** The JSON text of a list with another item in front; every other byte stays as it is. */
export function withFirstItem(list: string, item: unknown): string {
  const rest = list.slice(list.indexOf('[') + 1)
  const comma = rest.trimStart().startsWith(']') ? '' : ','
  return `[${JSON.stringify(item)}${comma}${rest}`
}

/** The JSON text of a text with another one in front, a blank line between them. */
export function withFirstText(literal: string, text: string): string {
  return `${JSON.stringify(`${text}\n\n`).slice(0, -1)}${literal.trim().slice(1)}`
}
