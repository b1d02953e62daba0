import { Refusal } from '../../lib/refusal.ts'
import { applyOperations } from './apply-operations.ts'
import type { BodyOperation } from './operation.ts'
import { maxGrowthBytes, OperationBudgetError } from './operation-budget.ts'

const text = 'Hi'

/** Members of bodies in all formats, as short as possible: whatever grows too far here grows further in a call. */
const smallest = {
  model: 'model',
  messages: [{ role: 'user', content: text }],
  input: text,
  prompt: text,
  system: text,
  instructions: text,
  contents: [{ role: 'user', parts: [{ text }] }],
  tools: [],
  metadata: {},
}
const facts = { original_model: 'model', upstream_model: 'model' }

/**
 * Tries operations on the smallest body, each as if its conditions held. Throws `Refusal` that names the one which would take
 * more than operations may.
 */
export function tryOperations(operations: readonly BodyOperation[]): void {
  try {
    applyOperations(
      smallest,
      operations.map((operation) => ({ ...operation, conditions: [] })),
      facts,
    )
  } catch (error) {
    if (!(error instanceof OperationBudgetError)) throw error
    const { number, mode } = error
    throw new Refusal('channel_operation_too_large', {
      number,
      mode,
      megabytes: maxGrowthBytes / 1024 / 1024,
    })
  }
}
