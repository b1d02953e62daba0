import { type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'

/** A model that thinks cannot be made to call a tool. */
export function forcesTool({ tool_choice }: JsonObject): boolean {
  const { type } = objectOf(tool_choice)
  return type === 'any' || type === 'tool'
}

/**
 * Finds a body that Anthropic refuses with a budget: a turn that called tools must begin with its reasoning, which many callers cannot
 * store.
 */
export function callsWithoutReasoning({ messages }: JsonObject): boolean {
  const calling = listOf(messages).findLast((message) => blockTypes(message).includes('tool_use'))
  return calling !== undefined && !/thinking$/.test(blockTypes(calling)[0] ?? '')
}

function blockTypes(message: unknown): readonly string[] {
  return listOf(objectOf(message).content).map((block) => textOf(objectOf(block).type))
}
