import type { FormatName } from '@tollgate/formats'
import { type BodyPath, type PathTree, pathTree } from './body-places.ts'

/** Positions of names, ids and texts in the requests of a format, to which limits apply. */
interface FormatPaths {
  /** Names of tools: declared, chosen and called. */
  readonly toolNames: readonly BodyPath[]
  /** Names that only repeat others, so that nobody looks at them first. */
  readonly repeatedNames?: readonly BodyPath[]
  readonly callIds: readonly BodyPath[]
  /** The list of stop sequences, by the path of its members. */
  readonly stops: readonly string[]
  /** The list of tools, likewise. Gemini has lists of them within one. */
  readonly tools: readonly string[]
}

/** The public formats, and those of single upstreams whose vendors document limits. */
const paths = {
  'openai-chat': {
    toolNames: [
      ...['tools[].function.name', 'tools[].custom.name', 'functions[].name'],
      ...['tool_choice.function.name', 'tool_choice.custom.name', 'function_call.name'],
      'tool_choice.allowed_tools.tools[].function.name',
      'tool_choice.allowed_tools.tools[].custom.name',
      ...['messages[].tool_calls[].function.name', 'messages[].tool_calls[].custom.name'],
      'messages[].function_call.name',
    ],
    repeatedNames: ['messages[role=function].name', 'messages[role=tool].name'],
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
    tools: ['tools.functionDeclarations', 'tools.function_declarations'],
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
} as const satisfies Partial<Record<FormatName, FormatPaths>>

/** Kinds of texts that are shortened for a target with a limit. */
export type NameKind = 'toolName' | 'callId'

/** The same, read once. */
export interface CompiledPaths {
  /** Names and ids by the top-level member that they lie in: where to look for them, and where to change them. */
  readonly names: readonly {
    readonly root: string
    readonly seen: PathTree<NameKind>
    readonly changed: PathTree<NameKind>
  }[]
  readonly stops: readonly (readonly string[])[]
  readonly tools: readonly (readonly string[])[]
}

/** The places of a format; `undefined` for one without limits. */
export function pathsOf(format: string): CompiledPaths | undefined {
  return Object.hasOwn(compiled, format) ? compiled[format] : undefined
}

const compiled: Readonly<Record<string, CompiledPaths>> = Object.fromEntries(
  Object.entries<FormatPaths>(paths).map(
    ([format, { toolNames, repeatedNames = [], callIds, stops, tools }]) => [
      format,
      {
        names: namesAt(toolNames, repeatedNames, callIds),
        stops: stops.map((path) => path.split('.')),
        tools: tools.map((path) => path.split('.')),
      },
    ],
  ),
)

function namesAt(
  toolNames: readonly BodyPath[],
  repeatedNames: readonly BodyPath[],
  callIds: readonly BodyPath[],
): CompiledPaths['names'] {
  // A look at all items is quicker than one at their kinds first; the change then keeps to the kinds.
  const seen = pathTree({ toolName: toolNames.map(ofAllItems), callId: callIds.map(ofAllItems) })
  const changed = pathTree({ toolName: [...toolNames, ...repeatedNames], callId: callIds })
  const byRoot = new Map(changed.members.map(({ name, inner }) => [name, inner]))
  return seen.members.flatMap(({ name: root, inner }) => {
    const ofRoot = byRoot.get(root)
    return ofRoot === undefined ? [] : [{ root, seen: inner, changed: ofRoot }]
  })
}

function ofAllItems(path: BodyPath): BodyPath {
  return path.replace(/\[\w+=[\w-]+\]/g, '[]')
}
