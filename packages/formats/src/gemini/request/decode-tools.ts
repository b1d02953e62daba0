import type { FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts'
import { camelCase } from '../../json/camel-case.ts'
import { isObject, type JsonObject } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { invalid, missing } from '../../requests/fields.ts'
import { collectUnknown, objectAt, objectsAt, textAt, textsAt, type UnknownFields } from '../fields.ts'
import { jsonSchemaOf } from './decode-schema.ts'

const knownOfFunction: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
])

/** Every function of every entry, and every tool of Google's own as a vendor tool. */
export function decodeTools(entries: readonly JsonObject[], unknownFields: UnknownFields): readonly Tool[] {
  return entries.flatMap((entry, index) => {
    const path = `tools[${index}]`
    const functions = objectsAt(entry, 'functionDeclarations', path).map((declaration, at) =>
      withSourcePath(
        functionOf(declaration, `${path}.functionDeclarations[${at}]`, unknownFields),
        `${path}.functionDeclarations[${at}]`,
      ),
    )
    const others = Object.entries(entry).flatMap(([key, value]): readonly Tool[] => {
      const name = camelCase(key)
      if (name === 'functionDeclarations' || value === null) return []
      return [withSourcePath({ type: 'vendor', format: 'gemini', name, definition: { [name]: value } }, path)]
    })
    return [...functions, ...others]
  })
}

function functionOf(declaration: JsonObject, path: string, unknownFields: UnknownFields): FunctionTool {
  const name = textAt(declaration, 'name', path)
  if (!name) throw missing(`${path}.name`, 'name the function')
  const description = textAt(declaration, 'description', path)
  const raw = objectAt(declaration, 'parametersJsonSchema', path)
  const own = objectAt(declaration, 'parameters', path)
  const parameters = raw ?? (own === undefined ? undefined : jsonSchemaOf(own))
  collectUnknown(declaration, knownOfFunction, path, unknownFields)
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  }
}

const knownOfToolConfig: ReadonlySet<string> = new Set(['functionCallingConfig'])
const knownOfCalling: ReadonlySet<string> = new Set(['mode', 'allowedFunctionNames'])

/** The choice that `toolConfig` makes among tools. */
export function decodeToolChoice(config: JsonObject, unknownFields: UnknownFields): ToolChoice | undefined {
  collectUnknown(config, knownOfToolConfig, 'toolConfig', unknownFields)
  const path = 'toolConfig.functionCallingConfig'
  const calling = objectAt(config, 'functionCallingConfig', 'toolConfig')
  if (!isObject(calling)) return undefined
  collectUnknown(calling, knownOfCalling, path, unknownFields)
  const names = textsAt(calling, 'allowedFunctionNames', path)
  const mode = (textAt(calling, 'mode', path) || 'AUTO').toUpperCase()
  switch (mode) {
    case 'AUTO':
    case 'VALIDATED':
    case 'MODE_UNSPECIFIED':
      return names.length === 0 ? { type: 'auto' } : { type: 'allowed', names, required: false }
    case 'NONE':
      return { type: 'none' }
    case 'ANY':
      return mustCall(names)
    default:
      throw invalid(`${path}.mode`, 'it must be AUTO, ANY, NONE or VALIDATED')
  }
}

function mustCall(names: readonly string[]): ToolChoice {
  const [name, ...others] = names
  if (name === undefined) return { type: 'required' }
  return others.length === 0 ? { type: 'tool', name } : { type: 'allowed', names, required: true }
}
