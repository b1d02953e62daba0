import type { Instructions } from '../instructions.ts'
import type { JsonEdits } from '../json-text.ts'
import { listOf, objectOf } from '../json-value.ts'
import type { RequestText } from '../request-text.ts'

/** A part in front of those of `systemInstruction`, by the name that the caller wrote. */
export function instructionEdits(
  { body }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const key = Object.hasOwn(body, 'system_instruction') ? 'system_instruction' : 'systemInstruction'
  const own = partsOf(body[key])
  if (own.length > 0 && !always) return undefined
  return new Map([[key, JSON.stringify({ ...objectOf(body[key]), parts: [{ text }, ...own] })]])
}

/** A content, or its text alone. */
function partsOf(instruction: unknown): readonly unknown[] {
  if (typeof instruction === 'string') return instruction === '' ? [] : [{ text: instruction }]
  const { parts } = objectOf(instruction)
  return Array.isArray(parts) ? listOf(parts) : parts == null ? [] : [parts]
}
