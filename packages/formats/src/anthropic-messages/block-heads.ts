import type { JsonObject } from '../json-value.ts'

/** A text that nothing is cited of, and nothing is said in yet. */
export const textHead: JsonObject = { type: 'text', text: '', citations: null }

/** A call that the model made itself, not by code that it wrote; without arguments yet. */
export function callHead(id: string, name: string): JsonObject {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } }
}
