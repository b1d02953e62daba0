import { type Fields, fieldsOf, listOf, parseJson, textOf } from '../../../lib/format/json.ts'

export const responseFormats = ['text', 'json_object', 'json_schema'] as const

/** Format of a response; `schema` is the JSON text that the person writes, which counts for `json_schema` alone. */
export interface ResponseFormat {
  readonly type: (typeof responseFormats)[number]
  readonly schema: string
}

export interface ToolSettings {
  /** JSON text: a list of functions, as Chat Completions takes them or bare. */
  readonly tools: string
}

export function readResponseFormat(value: unknown): ResponseFormat {
  const { type, schema } = fieldsOf(value)
  return { type: responseFormats.find((format) => format === type) ?? 'text', schema: textOf(schema) }
}

/** Reasons for which a text of the settings cannot be sent. */
export type FormatFault = 'json' | 'object' | 'list' | 'name'

/** Checks a JSON schema: an object. */
export function schemaFault(text: string): FormatFault | undefined {
  if (text.trim() === '') return 'object'
  const schema = parseJson(text)
  if (schema === undefined) return 'json'
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? undefined : 'object'
}

/** The field whose text cannot be sent, with the reason; none where a call can be made. */
export function settingsFault(
  format: ResponseFormat,
  { tools }: ToolSettings,
): { readonly field: 'schema' | 'tools'; readonly fault: FormatFault } | undefined {
  const schema = format.type === 'json_schema' ? schemaFault(format.schema) : undefined
  if (schema !== undefined) return { field: 'schema', fault: schema }
  const list = toolsFault(tools)
  return list === undefined ? undefined : { field: 'tools', fault: list }
}

/** Checks a list of functions: each has a name. None at all is fine. */
export function toolsFault(text: string): FormatFault | undefined {
  if (text.trim() === '') return undefined
  const tools = parseJson(text)
  if (tools === undefined) return 'json'
  if (!Array.isArray(tools)) return 'list'
  return tools.every((tool) => textOf(functionOf(tool).name) !== '') ? undefined : 'name'
}

/** Fields of the body of a call; both texts have passed their check. */
export function formatFields({ type, schema }: ResponseFormat, { tools }: ToolSettings): object {
  return {
    ...(type === 'json_object' && { response_format: { type } }),
    ...(type === 'json_schema' && {
      response_format: { type, json_schema: { name: 'response', schema: parseJson(schema), strict: true } },
    }),
    ...toolFields(tools),
  }
}

function toolFields(text: string): object {
  const tools = listOf(parseJson(text)).map((tool) => ({ type: 'function', function: functionOf(tool) }))
  return tools.length === 0 ? {} : { tools }
}

/** A function, whether it stands alone or as `{type, function}`. */
function functionOf(tool: unknown): Fields {
  const { function: inner, type: _, ...bare } = fieldsOf(tool)
  return inner === undefined ? bare : fieldsOf(inner)
}
