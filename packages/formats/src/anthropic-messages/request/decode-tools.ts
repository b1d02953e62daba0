import type { FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { defined, flag, invalid, list, nonEmptyText, object, optional, text } from '../../requests/fields.ts'
import { cacheMark, type DecodeContext } from './decode-content.ts'

/** Reads tools. One without a type, or of type `custom`, is a function; the others are this vendor's own. */
export function decodeTools(tools: unknown, context: DecodeContext): readonly Tool[] {
  return (optional(tools, 'tools', list) ?? []).map((item, index) => {
    const param = `tools[${index}]`
    const tool = object(item, param)
    const type = optional(tool.type, `${param}.type`, text) ?? 'custom'
    if (type === 'custom') return withSourcePath(decodeFunction(tool, param, context), param)
    const name = optional(tool.name, `${param}.name`, text) ?? type
    return withSourcePath({ type: 'vendor', format: 'anthropic-messages', name, definition: tool }, param)
  })
}

const functionFields: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
])

function decodeFunction(tool: JsonObject, param: string, { extras }: DecodeContext): FunctionTool {
  // `defer_loading`, `eager_input_streaming`, `allowed_callers`, …: how the vendor handles a tool that others take as it is.
  for (const [name, value] of Object.entries(tool))
    if (!functionFields.has(name) && value !== null) extras[`${param}.${name}`] = value
  return defined<FunctionTool>({
    type: 'function',
    name: nonEmptyText(tool.name, `${param}.name`),
    description: optional(tool.description, `${param}.description`, text),
    parameters: optional(tool.input_schema, `${param}.input_schema`, object),
    strict: optional(tool.strict, `${param}.strict`, flag),
    cache: cacheMark(tool, param),
  })
}

interface Choice {
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
}

/** The choice among tools, and whether they may be called side by side. */
export function decodeToolChoice(value: unknown): Choice {
  const choice = optional(value, 'tool_choice', object)
  if (choice === undefined) return {}
  const single = optional(choice.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use', flag)
  return defined<Choice>({
    toolChoice: toolChoiceOf(choice),
    parallelToolCalls: single === undefined ? undefined : !single,
  })
}

function toolChoiceOf(choice: JsonObject): ToolChoice {
  const type = text(choice.type, 'tool_choice.type')
  switch (type) {
    case 'auto':
    case 'none':
      return { type }
    case 'any':
      return { type: 'required' }
    case 'tool':
      return { type, name: nonEmptyText(choice.name, 'tool_choice.name') }
    default:
      throw invalid('tool_choice.type', 'it must be "auto", "any", "tool" or "none"')
  }
}
