import type {
  ChatRequest,
  FunctionTool,
  JsonSchema,
  Message,
  OutputFormat,
  Tool,
} from '../canonical/request.ts'
import type { SchemaDialect, SchemaProfile } from '../canonical/schema-dialect.ts'
import { sourcePathOf, withSourcePath } from '../requests/caller-field-names.ts'
import { unsupportedByProvider } from '../requests/fields.ts'
import { fitSchema, type SchemaFit } from './fit-schema.ts'
import { sizeOf } from './limits.ts'
import { wrapText } from './wrapped-value.ts'

type SchemaFormat = Extract<OutputFormat, { readonly type: 'json-schema' }>

/** Size of the strict schemas of one request together so far. */
class SharedSize {
  #tools = 0
  #optional = 0
  #unions = 0

  /** Counts a schema in, unless the target would refuse all of them for it. */
  take(schema: JsonSchema, { shared }: SchemaDialect, tools: number): boolean {
    if (shared === undefined) return true
    const { optional, unions } = sizeOf(schema)
    const isIn =
      this.#tools + tools <= shared.tools &&
      this.#optional + optional <= shared.optional &&
      this.#unions + unions <= shared.unions
    if (!isIn) return false
    this.#tools += tools
    this.#optional += optional
    this.#unions += unions
    return true
  }
}

/**
 * The request with its schemas as the target reads them; the same object when they all fit. Calls in the history of a tool
 * whose arguments are wrapped are wrapped, too.
 * @param dropped takes the names of keywords that were left out, and `strict` where the guarantee has to go
 * @throws RequestFault for a schema that the target can read only as another one
 */
export function fitRequest(request: ChatRequest, profile: SchemaProfile, dropped: Set<string>): ChatRequest {
  const size = new SharedSize()
  const outputFormat = fitOutput(request.outputFormat, profile, dropped, size)
  const wrapped = new Set<string>()
  const tools = request.tools.map((tool, index) => {
    if (tool.type !== 'function' || tool.parameters === undefined) return tool
    const fitted = fitTool(tool, `tools[${index}]`, profile, dropped, size)
    if (fitted.isWrapped) wrapped.add(tool.name)
    return fitted.tool
  })
  const isSame =
    outputFormat === request.outputFormat && tools.every((tool, index) => tool === request.tools[index])
  if (isSame) return request
  return {
    ...request,
    tools,
    ...(outputFormat !== undefined && { outputFormat }),
    ...(wrapped.size > 0 && {
      messages: request.messages.map((message) => withWrappedCalls(message, wrapped)),
    }),
  }
}

function fitTool(
  tool: FunctionTool,
  param: string,
  { tools: plain, strictTools }: SchemaProfile,
  dropped: Set<string>,
  size: SharedSize,
): { readonly tool: Tool; readonly isWrapped: boolean } {
  const { parameters = {}, strict } = tool
  const guaranteed = strict === true ? fitStrict(parameters, strictTools, size, 1) : undefined
  const isLoosened = strict === true && strictTools !== undefined && guaranteed === undefined
  if (isLoosened) dropped.add('strict')
  const fit = guaranteed ?? fitted(parameters, plain, `${param}.parameters`)
  note(fit, `${param}.parameters`, dropped)
  if (fit.schema === parameters && !isLoosened) return { tool, isWrapped: false }
  const changed = { ...tool, parameters: fit.schema, ...(isLoosened && { strict: false }) }
  return { tool: withSourcePath(changed, sourcePathOf(tool)), isWrapped: fit.isWrapped }
}

function fitOutput(
  format: OutputFormat | undefined,
  { output, strictOutput, guaranteesOutput }: SchemaProfile,
  dropped: Set<string>,
  size: SharedSize,
): OutputFormat | undefined {
  if (format?.type !== 'json-schema') return format
  const { schema } = format
  const isWanted = format.strict === true || guaranteesOutput === true
  const guaranteed = isWanted ? fitStrict(schema, strictOutput, size, 0) : undefined
  const strict = isWanted && strictOutput !== undefined ? guaranteed !== undefined : format.strict
  if (format.strict === true && strict === false) dropped.add('strict')
  const fit = guaranteed ?? fitted(schema, output, outputParam)
  note(fit, outputParam, dropped)
  if (fit.schema === schema && strict === format.strict) return format
  return { ...format, schema: fit.schema, ...(strict !== undefined && { strict }) } satisfies SchemaFormat
}

const outputParam = 'response_format'

/** `undefined` where the target would refuse the guarantee. */
function fitStrict(
  schema: JsonSchema,
  dialect: SchemaDialect | undefined,
  size: SharedSize,
  tools: number,
): SchemaFit | undefined {
  if (dialect === undefined) return undefined
  const fit = fitSchema(schema, dialect)
  return fit.refused === undefined && size.take(fit.schema, dialect, tools) ? fit : undefined
}

function fitted(schema: JsonSchema, dialect: SchemaDialect, param: string): SchemaFit {
  const fit = fitSchema(schema, dialect)
  if (fit.refused === undefined) return fit
  const { path, reason } = fit.refused
  throw unsupportedByProvider(
    param,
    `the schema${path === '' ? '' : ` at ${path}`} does not fit there: ${reason}`,
  )
}

/** Notes a lost keyword behind its schema: its complete path would not fit into the warning. */
function note({ lost }: SchemaFit, param: string, dropped: Set<string>): void {
  for (const path of lost) dropped.add(`${param} (${path.slice(path.lastIndexOf('.') + 1).replace('$', '')})`)
}

function withWrappedCalls(message: Message, wrapped: ReadonlySet<string>): Message {
  if (message.role !== 'assistant') return message
  const parts = message.parts.map((part) =>
    part.type === 'tool-call' && wrapped.has(part.name)
      ? withSourcePath({ ...part, arguments: wrapText(part.arguments) }, sourcePathOf(part))
      : part,
  )
  return withSourcePath({ ...message, parts }, sourcePathOf(message))
}
