import type { ChatRequest, FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts'
import { type JsonObject, objectOf } from '../../json/value.ts'
import type { Dropped } from '../../openai-chat/request/encode-tools.ts'
import { supportedTools } from '../../openai-chat/request/encode-tools.ts'
import { provided } from '../../requests/fields.ts'

/**
 * Tools, the choice among them, and whether they may be called side by side.
 * @throws RequestFault for a tool of another vendor that the model must call, or that is all there is to call
 */
export function encodeTools(request: ChatRequest, dropped: Dropped): JsonObject {
  const carried = supportedTools(request, dropped, isKnown)
  if (carried.length === 0) return {}
  const { toolChoice, parallelToolCalls } = request
  return {
    tools: carried.map(encodeTool),
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice, carried) }),
    ...provided('parallel_tool_calls', parallelToolCalls),
  }
}

/** Tools of this format's vendor, and the one kind that Chat Completions has in another form. */
function isKnown(tool: Extract<Tool, { type: 'vendor' }>): boolean {
  return tool.format === 'openai-responses' || customIn(tool) !== undefined
}

/** Returns what a custom tool of Chat Completions says of itself; `undefined` for other tools. */
function customIn(tool: Tool): JsonObject | undefined {
  if (tool.type !== 'vendor' || tool.format !== 'openai-chat') return undefined
  const { type, custom } = objectOf(tool.definition)
  return type === 'custom' ? objectOf(custom) : undefined
}

function encodeTool(tool: Tool): unknown {
  if (tool.type === 'function') return encodeFunction(tool)
  const custom = customIn(tool)
  return custom === undefined ? tool.definition : encodeCustom(custom)
}

const noParameters = { type: 'object', properties: {} }

/** Writes a function: they are strict here by default, and nowhere else. */
function encodeFunction({
  name,
  description,
  parameters = noParameters,
  strict = false,
}: FunctionTool): JsonObject {
  return { type: 'function', name, ...provided('description', description), parameters, strict }
}

function encodeCustom({ name, description, format }: JsonObject): JsonObject {
  const { type, grammar } = objectOf(format)
  return {
    type: 'custom',
    name,
    ...provided('description', description),
    ...(type !== undefined && { format: { type, ...objectOf(grammar) } }),
  }
}

function encodeChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  switch (choice.type) {
    case 'tool':
      return reference(choice.name, tools)
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.required ? 'required' : 'auto',
        tools: choice.names.map((name) => reference(name, tools)),
      }
    default:
      return choice.type
  }
}

/** Tools that run at the vendor are named by their type. */
function reference(name: string, tools: readonly Tool[]): JsonObject {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined || tool.type === 'function') return { type: 'function', name }
  return customIn(tool) === undefined ? { type: objectOf(tool.definition).type } : { type: 'custom', name }
}
