import type { ChatRequest, FunctionTool, Message, Tool, ToolCallPart } from '../canonical/request.ts'
import { type JsonObject, objectOf, textOf } from '../json/value.ts'
import { sourcePathOf, withSourcePath } from './caller-field-names.ts'

/*
 * OpenAI's custom tools take free text. Elsewhere each is a function with one argument, `input`: its grammar is said in words, and the
 * encoders of OpenAI's formats unwrap the text for their callers. https://platform.openai.com/docs/guides/function-calling#custom-tools
 */

/** A custom tool by what both of OpenAI's formats say of it. */
interface CustomTool {
  readonly name: string
  readonly description: string
  /** Syntax and definition of its grammar; empty without one. */
  readonly grammar: JsonObject
}

/** The function in the place of a custom tool. */
export function functionOfCustom({ name, description, grammar }: CustomTool): FunctionTool {
  const { syntax, definition } = grammar
  const rules =
    textOf(definition) === ''
      ? []
      : [`The input must follow this ${textOf(syntax)} grammar:\n${textOf(definition)}`]
  return {
    type: 'function',
    name,
    description: [description, ...rules].filter((text) => text !== '').join('\n\n'),
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

/** Free text as the arguments of a function, for models that write nothing else. */
export function textArguments(input: string): string {
  return JSON.stringify({ input })
}

/** The free text in such arguments; any other value counts as the text itself. */
export function textInArguments(json: string): string {
  try {
    const { input } = objectOf(JSON.parse(json))
    return typeof input === 'string' ? input : json
  } catch {
    return json
  }
}

/** The request with functions in the place of Chat Completions' custom tools, for upstreams without any; the same where it has none. */
export function withoutCustomTools(request: ChatRequest): ChatRequest {
  const names = new Set(request.tools.filter(isCustom).map(({ name }) => name))
  if (names.size === 0) return request
  const tools = request.tools.map((tool) =>
    isCustom(tool) ? withSourcePath(functionOfTool(tool), sourcePathOf(tool)) : tool,
  )
  return { ...request, tools, messages: request.messages.map((message) => withWrappedCalls(message, names)) }
}

function isCustom(tool: Tool): boolean {
  return (
    tool.type === 'vendor' && tool.format === 'openai-chat' && objectOf(tool.definition).type === 'custom'
  )
}

function functionOfTool(tool: Tool): FunctionTool {
  const custom = objectOf(tool.type === 'vendor' ? objectOf(tool.definition).custom : undefined)
  const grammar = objectOf(objectOf(custom.format).grammar)
  return functionOfCustom({ name: tool.name, description: textOf(custom.description), grammar })
}

function withWrappedCalls(message: Message, names: ReadonlySet<string>): Message {
  const isWrapped = (part: Message['parts'][number]): part is ToolCallPart =>
    part.type === 'tool-call' && names.has(part.name)
  if (message.role !== 'assistant' || !message.parts.some(isWrapped)) return message
  const parts = message.parts.map((part) =>
    isWrapped(part)
      ? withSourcePath({ ...part, arguments: textArguments(part.arguments) }, sourcePathOf(part))
      : part,
  )
  return withSourcePath({ ...message, parts }, sourcePathOf(message))
}
