import { outputToolDescription, outputToolName } from '../../canonical/instructions.ts'
import type { ChatRequest, FunctionTool, OutputFormat, Tool, ToolChoice } from '../../canonical/request.ts'
import type { SchemaProfile } from '../../canonical/schema-dialect.ts'
import type { JsonObject } from '../../json/value.ts'
import { unsupportedByProvider } from '../../requests/fields.ts'
import { schemaDialects } from '../../schemas/dialects.ts'
import { cacheControl, type Encoding } from './encoding.ts'

interface Tooling {
  readonly tools: readonly JsonObject[]
  readonly toolChoice: JsonObject | undefined
  /** The model must call a tool. */
  readonly forced: boolean
  /** `output_config.format`. */
  readonly format: JsonObject | undefined
}

/**
 * Schemas as Claude reads them. Structured outputs are there at Anthropic's own address; the clouds have them for some models
 * and by the operator's leave alone (https://platform.claude.com/docs/en/build-with-claude/structured-outputs#compatibility,
 * 2026-11-28), so that a tool takes their place.
 */
export function claudeSchemas({ traits, hosted }: Pick<Encoding, 'traits' | 'hosted'>): SchemaProfile {
  return traits.structuredOutput && !hosted ? guaranteed : plain
}

const plain: SchemaProfile = { tools: schemaDialects.claudeTool, output: schemaDialects.claudeTool }
const guaranteed: SchemaProfile = {
  ...plain,
  strictTools: schemaDialects.claudeStrictTool,
  strictOutput: schemaDialects.claudeOutput,
  guaranteesOutput: true,
}

/**
 * Tools, the choice among them, and the form of the response, which may need a tool of its own.
 * @param request with schemas that fit
 */
export function encodeTooling(request: ChatRequest, encoding: Encoding): Tooling {
  const { toolChoice: choice, outputFormat } = request
  const own = encodeTools(request, encoding)
  const schema = outputFormat?.type === 'json-schema' ? outputFormat : undefined
  const isNative = schema?.strict === true && claudeSchemas(encoding) === guaranteed
  if (schema !== undefined && !isNative) return withOutputTool(request, own, schema)
  const format = schema === undefined ? undefined : encodeFormat(schema)
  const toolChoice = own.length === 0 ? undefined : encodeChoice(choice, request.parallelToolCalls)
  return { tools: own, toolChoice, forced: isForced(toolChoice), format }
}

/** The tools that may be called. Agents offer their vendor's tools beside their own, with every call: they work without. */
function encodeTools({ tools, toolChoice }: ChatRequest, encoding: Encoding): readonly JsonObject[] {
  const isForeign = (tool: Tool) => tool.type === 'vendor' && tool.format !== 'anthropic-messages'
  const dispensable = tools.some((tool) => !isForeign(tool))
  return tools.flatMap((tool, index) => {
    const param = `tools[${index}]`
    if (toolChoice?.type === 'allowed' && !toolChoice.names.includes(tool.name)) return []
    if (!isForeign(tool)) return [encodeTool(tool, encoding)]
    if (!dispensable || (toolChoice?.type === 'tool' && toolChoice.name === tool.name))
      throw unsupportedByProvider(param, `the tool ${JSON.stringify(tool.name)} is one of another provider`)
    encoding.dropped.add(`${param} (${tool.name})`)
    return []
  })
}

function isForced(choice: JsonObject | undefined): boolean {
  return choice?.type === 'any' || choice?.type === 'tool'
}

function encodeChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): JsonObject | undefined {
  const type = choice === undefined ? 'auto' : choiceType(choice)
  const single = parallel === false && type !== 'none'
  if (choice === undefined && !single) return undefined
  return {
    type,
    ...(choice?.type === 'tool' && { name: choice.name }),
    ...(single && { disable_parallel_tool_use: true }),
  }
}

function choiceType(choice: ToolChoice): 'auto' | 'any' | 'tool' | 'none' {
  switch (choice.type) {
    case 'required':
      return 'any'
    case 'allowed':
      return choice.required ? 'any' : 'auto'
    default:
      return choice.type
  }
}

function encodeTool(tool: Tool, encoding: Encoding): JsonObject {
  // A vendor's tool is as it stood in a request of this format, where it was read as an object.
  return tool.type === 'function' ? encodeFunction(tool, encoding) : (tool.definition as JsonObject)
}

function encodeFunction(tool: FunctionTool, encoding: Encoding): JsonObject {
  const strict = tool.strict === true && claudeSchemas(encoding) === guaranteed
  if (tool.strict === true && !strict) encoding.dropped.add('strict')
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    input_schema: tool.parameters ?? (strict ? noArguments : anyArguments),
    ...(strict && { strict: true }),
    ...cacheControl(tool.cache),
  }
}

const anyArguments = { type: 'object', properties: {} }
const noArguments = { ...anyArguments, additionalProperties: false }

type SchemaFormat = Extract<OutputFormat, { readonly type: 'json-schema' }>

function encodeFormat({ schema, description }: SchemaFormat): JsonObject {
  return { type: 'json_schema', schema: description === undefined ? schema : { description, ...schema } }
}

function withOutputTool(request: ChatRequest, own: readonly JsonObject[], format: SchemaFormat): Tooling {
  const response = {
    name: outputToolName,
    description: format.description ?? outputToolDescription,
    input_schema: format.schema,
  }
  return {
    tools: [...own, response],
    toolChoice: outputToolChoice(request, own),
    forced: true,
    format: undefined,
  }
}

/** A tool that the caller forces stays forced: its call is the response then. */
function outputToolChoice(
  { toolChoice, parallelToolCalls }: ChatRequest,
  own: readonly JsonObject[],
): JsonObject {
  if (own.length === 0 || toolChoice?.type === 'none') return { type: 'tool', name: outputToolName }
  const retained = toolChoice?.type === 'tool' ? toolChoice : ({ type: 'required' } as const)
  return encodeChoice(retained, parallelToolCalls) ?? { type: 'any' }
}
