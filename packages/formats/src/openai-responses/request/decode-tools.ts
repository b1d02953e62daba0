import type { FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts'
import { isObject, type JsonObject, textOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { functionOfCustom } from '../../requests/custom-tools.ts'
import {
  isAbsent,
  object,
  optionalChoice,
  optionalFlag,
  optionalList,
  optionalObject,
  optionalText,
  provided,
  requiredText,
  wrongType,
} from '../../requests/fields.ts'
import { flatName } from '../tool-names.ts'

/** Tools by their names in other formats. Those that run at the vendor stay as they are. */
export function decodeTools(tools: unknown, param: string): readonly Tool[] {
  return optionalList(tools, param).flatMap((tool, index) =>
    decodeTool(object(tool, `${param}[${index}]`), '', `${param}[${index}]`),
  )
}

function decodeTool(tool: JsonObject, namespace: string, param: string): readonly Tool[] {
  const type = requiredText(tool.type, `${param}.type`)
  switch (type) {
    case 'function':
      return [withSourcePath(decodeFunction(tool, namespace, param), param)]
    case 'custom':
      return [withSourcePath(decodeCustom(tool, namespace, param), param)]
    case 'namespace': {
      const name = requiredText(tool.name, `${param}.name`)
      return optionalList(tool.tools, `${param}.tools`).flatMap((member, index) =>
        decodeTool(object(member, `${param}.tools[${index}]`), name, `${param}.tools[${index}]`),
      )
    }
    default:
      return [
        withSourcePath(
          { type: 'vendor', format: 'openai-responses', name: textOf(tool.name) || type, definition: tool },
          param,
        ),
      ]
  }
}

function decodeFunction(tool: JsonObject, namespace: string, param: string): FunctionTool {
  return {
    type: 'function',
    name: flatName(namespace, requiredText(tool.name, `${param}.name`)),
    ...provided('description', optionalText(tool.description, `${param}.description`)),
    ...provided('parameters', optionalObject(tool.parameters, `${param}.parameters`)),
    ...provided('strict', optionalFlag(tool.strict, `${param}.strict`)),
  }
}

function decodeCustom(tool: JsonObject, namespace: string, param: string): FunctionTool {
  return functionOfCustom({
    name: flatName(namespace, requiredText(tool.name, `${param}.name`)),
    description: optionalText(tool.description, `${param}.description`) ?? '',
    grammar: optionalObject(tool.format, `${param}.format`) ?? {},
  })
}

const modes = ['auto', 'none', 'required'] as const

/** The choice among tools. */
export function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (isAbsent(choice)) return undefined
  if (typeof choice === 'string') {
    const type = optionalChoice(choice, modes, 'tool_choice')
    return type && { type }
  }
  if (!isObject(choice)) throw wrongType('tool_choice', 'a text or an object')
  const type = requiredText(choice.type, 'tool_choice.type')
  if (type === 'allowed_tools') return decodeAllowed(choice)
  // A tool of the vendor's is chosen by its type.
  return { type: 'tool', name: nameOf(choice, 'tool_choice') || type }
}

function decodeAllowed(choice: JsonObject): ToolChoice {
  const param = 'tool_choice.tools'
  const names = optionalList(choice.tools, param).map((tool, index) => {
    const item = object(tool, `${param}[${index}]`)
    return nameOf(item, `${param}[${index}]`) || requiredText(item.type, `${param}[${index}].type`)
  })
  const mode = optionalChoice(choice.mode, ['auto', 'required'], 'tool_choice.mode')
  return { type: 'allowed', names, required: mode === 'required' }
}

function nameOf(holder: JsonObject, param: string): string {
  const name = optionalText(holder.name, `${param}.name`) ?? ''
  return name === '' ? '' : flatName(textOf(holder.namespace), name)
}
