import { isObject, type JsonObject, parseJson } from '@tollgate/formats'
import type { MendedCall, Operation } from '@tollgate/providers'

/** The answer as its format gives it; `undefined` where its bytes may pass. */
export function mendedAnswer(text: string, { mend }: Operation, call: MendedCall): JsonObject | undefined {
  const answer = mend === undefined ? undefined : parseJson(text)
  if (mend === undefined || !isObject(answer)) return undefined
  const mended = mend(answer, call)
  return mended === answer ? undefined : mended
}

/** The same of the events of a stream. */
export function mendFor(
  { mend }: Operation,
  call: MendedCall,
): { readonly mend?: (event: JsonObject) => JsonObject } {
  return mend === undefined ? {} : { mend: (event) => mend(event, call) }
}
