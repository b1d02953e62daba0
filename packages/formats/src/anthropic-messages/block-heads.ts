import type { EncodeContext } from '../canonical/codec.ts'
import type { JsonObject } from '../json-value.ts'

/** A text that nothing is cited of, and nothing is said in yet. */
export const textHead: JsonObject = { type: 'text', text: '', citations: null }

/** A call that the model made itself, not by code that it wrote; without arguments yet. */
export function callHead(id: string, name: string): JsonObject {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } }
}

/** An id for a call of a vendor that gives none: the same for the same call of the same answer. */
export function toolUseId(
  id: string,
  { responseId }: Pick<EncodeContext, 'responseId'>,
  call: number,
): string {
  return id === '' ? `toolu_${responseId.replace(/[^a-zA-Z0-9_-]/g, '')}_${call}` : id
}
