import type { FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
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
  unsupported,
  wrongType,
} from '../../requests/fields.ts'
import { decodeCacheMark } from './decode-content.ts'

/** Tools, and the functions of the legacy field. Tools that are no functions stay as they are. */
export function decodeTools(body: JsonObject): readonly Tool[] {
  const tools = optionalList(body.tools, 'tools').map((tool, index) =>
    withSourcePath(decodeTool(object(tool, `tools[${index}]`), `tools[${index}]`), `tools[${index}]`),
  )
  const functions = optionalList(body.functions, 'functions').map((tool, index) =>
    withSourcePath(
      decodeFunction(object(tool, `functions[${index}]`), `functions[${index}]`),
      `functions[${index}]`,
    ),
  )
  return [...tools, ...functions]
}

function decodeTool(tool: JsonObject, param: string): Tool {
  const type = requiredText(tool.type, `${param}.type`)
  if (type === 'function') {
    const decoded = decodeFunction(object(tool.function, `${param}.function`), `${param}.function`)
    return { ...decoded, ...decodeCacheMark(tool) }
  }
  const name = textOf(objectOf(tool[type]).name) || textOf(tool.name) || type
  return { type: 'vendor', format: 'openai-chat', name, definition: tool }
}

function decodeFunction(tool: JsonObject, param: string): FunctionTool {
  return {
    type: 'function',
    name: requiredText(tool.name, `${param}.name`),
    ...provided('description', optionalText(tool.description, `${param}.description`)),
    ...provided('parameters', optionalObject(tool.parameters, `${param}.parameters`)),
    ...provided('strict', optionalFlag(tool.strict, `${param}.strict`)),
    ...decodeCacheMark(tool),
  }
}

const modes = ['auto', 'none', 'required'] as const

/**
 * Modes by the words of others: Mistral's, and Gemini's, which Cursor sends for its models.
 * https://docs.mistral.ai/capabilities/function_calling · https://ai.google.dev/gemini-api/docs/function-calling (2026-11-30)
 */
const modesOfOthers: ReadonlyMap<string, (typeof modes)[number]> = new Map([
  ['any', 'required'],
  ['validated', 'auto'],
])

/** The choice among tools, or the legacy one among functions. */
export function decodeToolChoice(body: JsonObject): ToolChoice | undefined {
  if (isAbsent(body.tool_choice)) return decodeLegacyChoice(body.function_call)
  const choice = body.tool_choice
  if (typeof choice === 'string') return modeChoice(modesOfOthers.get(choice) ?? choice, modes, 'tool_choice')
  if (!isObject(choice)) throw wrongType('tool_choice', 'a text or an object')
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { type: 'tool', name: nameIn(choice, choice.type, 'tool_choice') }
    case 'allowed_tools':
      return decodeAllowed(object(choice.allowed_tools, 'tool_choice.allowed_tools'))
    default:
      throw unsupported('tool_choice.type', 'it must be function, custom or allowed_tools')
  }
}

function decodeAllowed(allowed: JsonObject): ToolChoice {
  const param = 'tool_choice.allowed_tools'
  const names = optionalList(allowed.tools, `${param}.tools`).map((tool, index) => {
    const item = object(tool, `${param}.tools[${index}]`)
    return nameIn(item, item.type === 'custom' ? 'custom' : 'function', `${param}.tools[${index}]`)
  })
  const mode = optionalChoice(allowed.mode, ['auto', 'required'], `${param}.mode`)
  return { type: 'allowed', names, required: mode === 'required' }
}

/** `function_call` of the callers of 2023: `none`, `auto` or a function. */
function decodeLegacyChoice(choice: unknown): ToolChoice | undefined {
  if (isAbsent(choice)) return undefined
  if (typeof choice === 'string') return modeChoice(choice, ['auto', 'none'], 'function_call')
  if (!isObject(choice)) throw wrongType('function_call', 'a text or an object')
  return { type: 'tool', name: requiredText(choice.name, 'function_call.name') }
}

function modeChoice(
  value: string,
  allowed: readonly (typeof modes)[number][],
  param: string,
): ToolChoice | undefined {
  const type = optionalChoice(value, allowed, param)
  return type && { type }
}

function nameIn(holder: JsonObject, key: 'function' | 'custom', param: string): string {
  return requiredText(object(holder[key], `${param}.${key}`).name, `${param}.${key}.name`)
}
