import { type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'

/**
 * Names of a request's tools in other formats, which know no namespaces and no tools whose input is free text.
 * https://platform.openai.com/docs/guides/function-calling
 */
export interface ToolName {
  readonly name: string
  /** Empty for a tool outside of any. */
  readonly namespace: string
  /** Its input is free text; elsewhere it is a function with one argument, `input`. */
  readonly isCustom: boolean
}

/** The name under which other formats know a tool of a namespace. */
export function flatName(namespace: string, name: string): string {
  if (namespace === '') return name
  return namespace.endsWith('_') ? `${namespace}${name}` : `${namespace}__${name}`
}

/** Tools by the names that other formats know them by; only those that have another name or form there. */
export function toolNames(tools: unknown): ReadonlyMap<string, ToolName> {
  const names = new Map<string, ToolName>()
  for (const tool of listOf(tools)) addNames(objectOf(tool), '', names)
  return names
}

function addNames(tool: JsonObject, namespace: string, names: Map<string, ToolName>): void {
  const name = textOf(tool.name)
  if (tool.type === 'namespace') {
    for (const member of listOf(tool.tools)) addNames(objectOf(member), name, names)
    return
  }
  const isCustom = tool.type === 'custom'
  if (isCustom || namespace !== '') names.set(flatName(namespace, name), { name, namespace, isCustom })
}
