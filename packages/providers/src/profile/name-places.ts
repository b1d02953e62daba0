import type { FormatName } from '@tollgate/formats'
import { type BodyPosition, type PositionTree, positionTree } from './body-places.ts'

/** Positions of names, ids and texts in the requests of a format, to which limits apply. */
interface FormatPositions {
  /** Names of tools: declared, chosen and called. */
  readonly toolNames: readonly BodyPosition[]
  /** Names that only repeat others, so that nobody looks at them first. */
  readonly repeatedNames?: readonly BodyPosition[]
  readonly callIds: readonly BodyPosition[]
  /** The list of stop sequences, by the path of its members. */
  readonly stops: readonly string[]
  /** The list of tools, likewise. Gemini has lists of them within one. */
  readonly tools: readonly string[]
}

/** The public formats, and those of single upstreams whose vendors document limits. */
const positions = {
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
} as const satisfies Partial<Record<FormatName, FormatPositions>>

/** Kinds of texts that are shortened for a target with a limit. */
export type NameKind = 'toolName' | 'callId'

/** The same, read once. */
export interface CompiledPositions {
  /** Names and ids by the top-level member that they lie in: where to look for them, and where to change them. */
  readonly names: readonly {
    readonly root: string
    readonly seen: PositionTree<NameKind>
    readonly changed: PositionTree<NameKind>
  }[]
  readonly stops: readonly (readonly string[])[]
  readonly tools: readonly (readonly string[])[]
}

/** The places of a format; `undefined` for one without limits. */
export function positionsOf(format: string): CompiledPositions | undefined {
  return Object.hasOwn(compiled, format) ? compiled[format] : undefined
}

const compiled: Readonly<Record<string, CompiledPositions>> = Object.fromEntries(
  Object.entries<FormatPositions>(positions).map(
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
  toolNames: readonly BodyPosition[],
  repeatedNames: readonly BodyPosition[],
  callIds: readonly BodyPosition[],
): CompiledPositions['names'] {
  // A look at all items is quicker than one at their kinds first; the change then keeps to the kinds.
  const seen = positionTree({ toolName: toolNames.map(ofAllItems), callId: callIds.map(ofAllItems) })
  const changed = positionTree({ toolName: [...toolNames, ...repeatedNames], callId: callIds })
  const byRoot = new Map(changed.members.map(({ name, inner }) => [name, inner]))
  return seen.members.flatMap(({ name: root, inner }) => {
    const ofRoot = byRoot.get(root)
    return ofRoot === undefined ? [] : [{ root, seen: inner, changed: ofRoot }]
  })
}

function ofAllItems(position: BodyPosition): BodyPosition {
  return position.replace(/\[\w+=[\w-]+\]/g, '[]')
}
