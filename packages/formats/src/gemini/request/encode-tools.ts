import {
  jsonInstruction,
  outputToolDescription,
  outputToolName,
  schemaInstruction,
} from '../../canonical/instructions.ts'
import type { ChatRequest, FunctionTool, Message, Tool, ToolChoice } from '../../canonical/request.ts'
import type { SchemaProfile } from '../../canonical/schema-dialect.ts'
import { isObject, objectOf } from '../../json/value.ts'
import { provided } from '../../requests/fields.ts'
import { unsupported } from '../fields.ts'
import type { ModelTraits } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

/** Functions of these names ask for Google's own tools: the custom of OpenAI's callers, who cannot say it otherwise. */
const ownTools: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext'])

/** `tools` and `toolConfig`. @throws RequestFault for tools that the service cannot have */
export function encodeTools(request: ChatRequest, { schemas }: ModelTraits, dropped: Set<string>): Fields {
  const { tools, toolChoice, parallelToolCalls } = request
  if (parallelToolCalls === false && tools.length > 0) dropped.add('parallelToolCalls')
  const functions = tools.flatMap((tool) =>
    tool.type === 'function' && !ownTools.has(tool.name) && isAllowed(tool.name, toolChoice)
      ? [encodeFunction(tool, schemas, dropped)]
      : [],
  )
  const others = tools.flatMap((tool, index) => vendorTool(tool, `tools[${index}]`, request, dropped))
  const entries = [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...others]
  const calling = functions.length === 0 ? undefined : callingConfig(toolChoice)
  return {
    ...(entries.length > 0 && { tools: entries }),
    ...(calling !== undefined && { toolConfig: { functionCallingConfig: calling } }),
  }
}

/** Decides whether a model that takes JSON and tools apart alone is asked for both. */
export function needsOtherWay({ tools, outputFormat }: ChatRequest, { jsonWithTools }: ModelTraits): boolean {
  return !jsonWithTools && tools.length > 0 && (outputFormat?.type ?? 'text') !== 'text'
}

/**
 * The request with its form of JSON as the arguments of a tool, which the decoder returns as the text. Google's own tools go with no
 * functions either: beside them, and for JSON without a schema, words ask for it.
 */
export function withJsonOtherwise(request: ChatRequest): ChatRequest {
  const { outputFormat, tools, toolChoice, messages, ...others } = request
  if (outputFormat?.type !== 'json-schema' || !tools.every(isCallersOwn)) {
    const text =
      outputFormat?.type === 'json-schema' ? schemaInstruction(outputFormat.schema) : jsonInstruction
    const instruction: Message = { role: 'system', parts: [{ type: 'text', text }] }
    return { ...others, tools, ...provided('toolChoice', toolChoice), messages: [...messages, instruction] }
  }
  const { schema, description = outputToolDescription } = outputFormat
  const response: FunctionTool = { type: 'function', name: outputToolName, description, parameters: schema }
  return { ...others, messages, tools: [...tools, response], toolChoice: choiceWithJson(toolChoice) }
}

/** A tool that the caller forces stays forced: its call is the response then. */
function choiceWithJson(choice: ToolChoice | undefined): ToolChoice {
  switch (choice?.type) {
    case 'none':
      return { type: 'tool', name: outputToolName }
    case 'tool':
      return choice
    case 'allowed':
      return { ...choice, names: [...choice.names, outputToolName], required: true }
    default:
      return { type: 'required' }
  }
}

function isCallersOwn(tool: Tool): boolean {
  return isForeign(tool) || (tool.type === 'function' && !ownTools.has(tool.name))
}

/**
 * Decides whether a function is declared. The format can name allowed ones only where one of them must be called; else the others are
 * not declared.
 */
function isAllowed(name: string, choice: ToolChoice | undefined): boolean {
  return choice?.type !== 'allowed' || choice.required || choice.names.includes(name)
}

function encodeFunction(tool: FunctionTool, schemas: SchemaProfile, dropped: Set<string>): Fields {
  if (tool.strict === true) dropped.add('strict')
  if (tool.cache !== undefined) dropped.add('cache')
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...encodeParameters(tool, schemas),
  }
}

/** The service's own language refuses an object without properties; JSON Schema, which it takes in another field, has it. */
function encodeParameters({ parameters }: FunctionTool, { tools }: SchemaProfile): Fields {
  if (parameters === undefined) return {}
  const isOwn = tools.language === 'openapi' && Object.keys(objectOf(parameters.properties)).length > 0
  return isOwn ? { parameters } : { parametersJsonSchema: parameters }
}

/** Agents offer their vendor's tools beside their own, with every call: they work without. */
function vendorTool(
  tool: Tool,
  path: string,
  { tools, toolChoice }: ChatRequest,
  dropped: Set<string>,
): readonly Fields[] {
  if (tool.type === 'function') return ownTools.has(tool.name) ? [{ [tool.name]: {} }] : []
  if (!isForeign(tool) && isObject(tool.definition)) return [tool.definition]
  if (tools.every(isForeign) || (toolChoice?.type === 'tool' && toolChoice.name === tool.name))
    throw unsupported(path, `the tool ${JSON.stringify(tool.name)} is one of another vendor`)
  dropped.add(`${path} (${tool.name})`)
  return []
}

function isForeign(tool: Tool): boolean {
  return tool.type === 'vendor' && tool.format !== 'gemini'
}

function callingConfig(choice: ToolChoice | undefined): Fields | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return choice.required ? { mode: 'ANY', allowedFunctionNames: choice.names } : { mode: 'AUTO' }
  }
}
