import {
  argumentsSchema,
  type ChatRequest,
  type FunctionTool,
  type JsonObject,
  type ToolChoice,
  unsupported,
} from '@tollgate/formats'

/** `tools` and `tool_choice`. @throws RequestFault for tools that the service cannot have */
export function encodeTools(request: ChatRequest, dropped: Set<string>): JsonObject {
  const { toolChoice, parallelToolCalls } = request
  const functions = functionsOf(request, dropped)
  const tools = functions.flatMap((tool, place) =>
    isOffered(tool, toolChoice) ? [encodeFunction(tool, place, dropped)] : [],
  )
  if (tools.length === 0) return {}
  if (parallelToolCalls === false) dropped.add('parallelToolCalls')
  const choice = choiceOf(toolChoice)
  const isStrict = functions.every(({ strict }) => strict === true)
  if (!isStrict && functions.some(({ strict }) => strict === true)) dropped.add('strict')
  return {
    tools,
    ...(choice !== undefined && { tool_choice: choice }),
    // For all tools or for none.
    ...(isStrict && { strict_tools: true }),
  }
}

/** Agents offer their vendor's tools beside their own, with every call: they work without. */
function functionsOf({ tools, toolChoice }: ChatRequest, dropped: Set<string>): readonly FunctionTool[] {
  const dispensable = tools.some(({ type }) => type === 'function')
  return tools.flatMap((tool, place) => {
    if (tool.type === 'function') return [tool]
    const param = `tools[${place}]`
    if (!dispensable || (toolChoice?.type === 'tool' && toolChoice.name === tool.name))
      throw unsupported(param, `the tool ${JSON.stringify(tool.name)} is one of another provider`)
    dropped.add(`${param} (${tool.name})`)
    return []
  })
}

/** One tool is chosen by offering no other. */
function isOffered({ name }: FunctionTool, choice: ToolChoice | undefined): boolean {
  if (choice?.type === 'tool') return choice.name === name
  return choice?.type !== 'allowed' || choice.names.includes(name)
}

function choiceOf(choice: ToolChoice | undefined): 'REQUIRED' | 'NONE' | undefined {
  switch (choice?.type) {
    case 'none':
      return 'NONE'
    case 'required':
    case 'tool':
      return 'REQUIRED'
    case 'allowed':
      return choice.required ? 'REQUIRED' : undefined
    default:
      return undefined
  }
}

function encodeFunction(tool: FunctionTool, place: number, dropped: Set<string>): JsonObject {
  const parameters = argumentsSchema(tool.parameters)
  if (parameters === undefined) throw unsupported(`tools[${place}].parameters`, 'arguments must be an object')
  if (tool.cache !== undefined) dropped.add('cache')
  const { name, description } = tool
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  }
}
