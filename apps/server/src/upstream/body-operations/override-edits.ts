import { type JsonEdits, parseExactJson, RequestFault, type RequestText } from '@tollgate/formats'
import { applyOperations, type CallFacts } from './apply-operations.ts'
import type { ParamOverride } from './operation.ts'
import { OperationBudgetError } from './operation-budget.ts'

/**
 * Applies a channel's override to a body's edits: it has the last word.
 * @throws RequestFault that names the operation which takes too much
 */
export function overridden(
  edits: JsonEdits,
  native: RequestText,
  override: ParamOverride,
  facts: CallFacts,
): JsonEdits {
  const all = new Map(edits)
  for (const [key, value] of Object.entries(override.fields)) {
    // Only the caller and the gateway decide whether the response streams.
    if (key !== 'stream') all.set(key, JSON.stringify(value))
  }
  return override.operations.length === 0 ? all : withOperations(all, native, override, facts)
}

/** Writes members anew that the operator's operations changed. */
function withOperations(
  edits: JsonEdits,
  native: RequestText,
  { operations }: ParamOverride,
  facts: CallFacts,
): JsonEdits {
  const parsed = [...edits].map(([key, text]) => [key, text === undefined ? undefined : parseExactJson(text)])
  const body = { ...native.body, ...Object.fromEntries(parsed) }
  const edited = withinBudget(() => applyOperations(body, operations, facts))
  const all = new Map(edits)
  for (const key of new Set([...Object.keys(body), ...Object.keys(edited)]))
    if (edited[key] !== body[key]) all.set(key, JSON.stringify(edited[key]))
  return all
}

/** @throws RequestFault that names the operation which takes too much */
function withinBudget<Value>(apply: () => Value): Value {
  try {
    return apply()
  } catch (error) {
    if (!(error instanceof OperationBudgetError)) throw error
    const { number, mode } = error
    const message = `Operation ${number} (${mode}) of the channel's parameter override makes too much of this request. Tell the administrator.`
    throw new RequestFault(message, null, 'channel_operation_too_large')
  }
}
