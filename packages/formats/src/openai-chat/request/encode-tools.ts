import type { ChatRequest, FunctionTool, Tool, ToolChoice, VendorTool } from '../../canonical/request.ts'
import { type JsonObject, objectOf } from '../../json/value.ts'
import { provided, unsupported } from '../../requests/fields.ts'

/** Names of fields that were left out without changing the response. */
export type Dropped = Set<string>

/**
 * Tools, the choice among them, and whether they may be called side by side.
 * @throws RequestFault for a tool of another vendor that the model must call, or that is all there is to call
 */
export function encodeTools(request: ChatRequest, dropped: Dropped): JsonObject {
  const { toolChoice, parallelToolCalls } = request
  const carried = supportedTools(request, dropped, (tool) => tool.format === 'openai-chat')
  if (carried.length === 0) return {}
  return {
    tools: carried.map(encodeTool),
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice, carried) }),
    ...provided('parallel_tool_calls', parallelToolCalls),
  }
}

/**
 * Functions, and the vendor tools that the upstream knows.
 * @throws RequestFault for another one that the model must call, or that is all there is to call
 */
export function supportedTools(
  { tools, toolChoice }: ChatRequest,
  dropped: Dropped,
  isKnown: (tool: VendorTool) => boolean,
): readonly Tool[] {
  const carried = tools.filter((tool) => tool.type === 'function' || isKnown(tool))
  tools.forEach((tool, index) => {
    if (tool.type === 'function' && tool.cache !== undefined) dropped.add('cache_control')
    if (tool.type === 'function' || isKnown(tool)) return
    refuseRequiredTool(tool, index, carried.length, toolChoice)
    dropped.add(`tools[${index}] (${tool.name})`)
  })
  return carried
}

/** Agents offer their vendor's search beside their own tools, with every call: they work without it. */
function refuseRequiredTool(
  { name }: VendorTool,
  position: number,
  others: number,
  choice: ToolChoice | undefined,
): void {
  const isChosen = choice?.type === 'tool' && choice.name === name
  if (others > 0 && !isChosen) return
  throw unsupported(`tools[${position}]`, `the tool ${name} runs only at its own vendor`)
}

function encodeTool(tool: Tool): unknown {
  return tool.type === 'vendor' ? tool.definition : { type: 'function', function: encodeFunction(tool) }
}

function encodeFunction({ name, description, parameters, strict }: FunctionTool): unknown {
  return {
    name,
    ...provided('description', description),
    ...provided('parameters', parameters),
    ...provided('strict', strict),
  }
}

function encodeChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  switch (choice.type) {
    case 'tool':
      return reference(choice.name, tools)
    case 'allowed': {
      const mode = choice.required ? 'required' : 'auto'
      return {
        type: 'allowed_tools',
        allowed_tools: { mode, tools: choice.names.map((name) => reference(name, tools)) },
      }
    }
    default:
      return choice.type
  }
}

function reference(name: string, tools: readonly Tool[]): unknown {
  return isCustom(name, tools)
    ? { type: 'custom', custom: { name } }
    : { type: 'function', function: { name } }
}

/** Returns whether calls of the tool hold free text instead of JSON. */
export function isCustom(name: string, tools: readonly Tool[]): boolean {
  return tools.some(
    (tool) => tool.type === 'vendor' && tool.name === name && objectOf(tool.definition).type === 'custom',
  )
}
