import { type ChatRequest, type FunctionTool, supportedTools, unsupported } from '@tollgate/formats'

/** Functions that the model may call. */
export interface ToolPlan {
  readonly tools: readonly FunctionTool[]
  /** Name of the one that it must call; `undefined` when it may choose. */
  readonly forced: string | undefined
}

/**
 * For upstreams that can be told to call one function by its name, and nothing else of the choice.
 * @throws RequestFault for a choice that cannot be said so
 */
export function planTools(request: ChatRequest, dropped: Set<string>): ToolPlan {
  const { toolChoice } = request
  const carried = supportedTools(request, dropped, () => false).filter((tool) => tool.type === 'function')
  if (toolChoice === undefined || toolChoice.type === 'auto') return { tools: carried, forced: undefined }
  switch (toolChoice.type) {
    case 'none':
      return { tools: [], forced: undefined }
    case 'tool':
      return { tools: carried, forced: toolChoice.name }
    case 'required':
      return { tools: carried, forced: onlyOne(carried) }
    case 'allowed': {
      const allowed = carried.filter(({ name }) => toolChoice.names.includes(name))
      return { tools: allowed, forced: toolChoice.required ? onlyOne(allowed) : undefined }
    }
  }
}

function onlyOne(tools: readonly FunctionTool[]): string | undefined {
  if (tools.length > 1)
    throw unsupported('tool_choice', 'the upstream can be told to call one tool by its name, or to choose')
  return tools[0]?.name
}
