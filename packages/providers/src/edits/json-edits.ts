import type { JsonEdits } from '@tollgate/formats'

export const noEdits: JsonEdits = new Map()

/** Several edits as one; the later wins. */
export function mergeEdits(...edits: readonly JsonEdits[]): JsonEdits {
  return new Map(edits.flatMap((each) => [...each]))
}
