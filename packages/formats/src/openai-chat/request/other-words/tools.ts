import { isObject, type JsonObject, listOf, textOf } from '../../../json/value.ts'

/** Returns whether a tool, or the choice among tools, is written as Responses or Anthropic's Messages write it. */
export function hasOtherTools({ tools, tool_choice: choice }: JsonObject): boolean {
  return listOf(tools).some((tool) => isObject(tool) && isOtherTool(tool)) || ownChoice(choice) !== choice
}

function isOtherTool(tool: JsonObject): boolean {
  const { type, name, input_schema: schema } = tool
  if (textOf(name) === '') return false
  if (type === 'function' || type === 'custom') return !isObject(tool[type])
  return (type === undefined || type === null) && isObject(schema)
}

/** The tools, and the choice among them, in this format's own words. Tools that run at a vendor stay as they are. */
export function ownTools({ tools, tool_choice: choice }: JsonObject): JsonObject {
  return {
    ...(tools !== undefined && { tools: Array.isArray(tools) ? tools.map(ownTool) : tools }),
    ...(choice !== undefined && { tool_choice: ownChoice(choice) }),
    ...(isObject(choice) && choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  }
}

function ownTool(tool: unknown): unknown {
  if (!isObject(tool) || !isOtherTool(tool)) return tool
  const { type, cache_control, input_schema, ...more } = tool
  const mark = cache_control === undefined ? {} : { cache_control }
  if (type === 'custom') return { type, custom: { ...more, ...ownFormat(more.format) }, ...mark }
  const parameters = input_schema === undefined ? {} : { parameters: input_schema }
  return { type: 'function', function: { ...more, ...parameters }, ...mark }
}

/** Responses write a grammar's members beside its type. */
function ownFormat(format: unknown): JsonObject {
  if (!isObject(format) || format.type !== 'grammar' || isObject(format.grammar)) return {}
  const { type, ...grammar } = format
  return { format: { type, grammar } }
}

/** Anthropic's modes by their names here. */
const modes: Readonly<Record<string, string>> = { auto: 'auto', any: 'required', none: 'none' }

function ownChoice(choice: unknown): unknown {
  if (!isObject(choice)) return choice
  const { type, name } = choice
  if (typeof type !== 'string') return choice
  if (textOf(name) === '') return Object.hasOwn(modes, type) ? modes[type] : choice
  if (type === 'tool') return { type: 'function', function: { name } }
  const isFlat = (type === 'function' || type === 'custom') && !isObject(choice[type])
  return isFlat ? { type, [type]: { name } } : choice
}
