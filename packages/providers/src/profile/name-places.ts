import type { FormatName } from '@tollgate/formats'
import { type BodyPlace, type CompiledPlace, compilePlace } from './body-places.ts'

/** Where a format's requests hold what limits apply to. */
interface FormatPlaces {
  /** Names of tools: declared, chosen and called. */
  readonly toolNames: readonly BodyPlace[]
  readonly callIds: readonly BodyPlace[]
  /** Stop sequences: a text, or a list of texts. */
  readonly stops: readonly BodyPlace[]
  /** Lists of tools. */
  readonly tools: readonly BodyPlace[]
}

/** The public formats, and those of single upstreams whose vendors document limits. */
const places = {
  'openai-chat': {
    toolNames: [
      ...['tools[].function.name', 'tools[].custom.name', 'functions[].name'],
      ...['tool_choice.function.name', 'tool_choice.custom.name', 'function_call.name'],
      'tool_choice.allowed_tools.tools[].function.name',
      'tool_choice.allowed_tools.tools[].custom.name',
      ...['messages[].tool_calls[].function.name', 'messages[].tool_calls[].custom.name'],
      ...['messages[].function_call.name', 'messages[role=function].name', 'messages[role=tool].name'],
    ],
    callIds: ['messages[].tool_calls[].id', 'messages[].tool_call_id'],
    stops: ['stop'],
    tools: ['tools', 'functions'],
  },
  'openai-responses': {
    toolNames: [
      ...[
        'tools[type=function].name',
        'tools[type=custom].name',
        'tool_choice.name',
        'tool_choice.tools[].name',
      ],
      ...['input[type=function_call].name', 'input[type=custom_tool_call].name'],
    ],
    callIds: ['input[].call_id'],
    stops: [],
    tools: ['tools'],
  },
  'anthropic-messages': {
    toolNames: ['tools[].name', 'tool_choice.name', 'messages[].content[type=tool_use].name'],
    callIds: ['messages[].content[type=tool_use].id', 'messages[].content[type=tool_result].tool_use_id'],
    stops: ['stop_sequences'],
    tools: ['tools'],
  },
  gemini: {
    toolNames: [
      ...['tools[].functionDeclarations[].name', 'tools[].function_declarations[].name'],
      'toolConfig.functionCallingConfig.allowedFunctionNames[]',
      'tool_config.function_calling_config.allowed_function_names[]',
      ...['contents[].parts[].functionCall.name', 'contents[].parts[].functionResponse.name'],
      ...['contents[].parts[].function_call.name', 'contents[].parts[].function_response.name'],
    ],
    callIds: [],
    stops: ['generationConfig.stopSequences', 'generation_config.stop_sequences'],
    tools: ['tools[].functionDeclarations', 'tools[].function_declarations'],
  },
  'bedrock-converse': {
    toolNames: [
      ...['toolConfig.tools[].toolSpec.name', 'toolConfig.toolChoice.tool.name'],
      'messages[].content[].toolUse.name',
    ],
    callIds: ['messages[].content[].toolUse.toolUseId', 'messages[].content[].toolResult.toolUseId'],
    stops: ['inferenceConfig.stopSequences'],
    tools: ['toolConfig.tools'],
  },
  'cohere-chat': {
    toolNames: ['tools[].function.name', 'messages[].tool_calls[].function.name'],
    callIds: ['messages[].tool_calls[].id', 'messages[].tool_call_id'],
    stops: ['stop_sequences'],
    tools: ['tools'],
  },
} as const satisfies Partial<Record<FormatName, FormatPlaces>>

/** The same, read once. */
export type CompiledPlaces = { readonly [Name in keyof FormatPlaces]: readonly CompiledPlace[] }

/** The places of a format; `undefined` for one without limits. */
export function placesOf(format: string): CompiledPlaces | undefined {
  return Object.hasOwn(compiled, format) ? compiled[format] : undefined
}

const compiled: Readonly<Record<string, CompiledPlaces>> = Object.fromEntries(
  Object.entries<FormatPlaces>(places).map(([format, { toolNames, callIds, stops, tools }]) => [
    format,
    {
      toolNames: toolNames.map(compilePlace),
      callIds: callIds.map(compilePlace),
      stops: stops.map(compilePlace),
      tools: tools.map(compilePlace),
    },
  ]),
)
