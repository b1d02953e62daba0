import { exceptionFrame, namedFrame } from './bedrock.ts'
import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type Scripted,
  type ScriptedCall,
  type ToolTurn,
  type WireFrame,
} from './protocol.ts'
import { type AwsKey, signatureFault } from './sigv4.ts'

const paths = /^\/model\/([^/]+)\/(converse|converse-stream)$/
const known = new Set(
  'messages system toolConfig inferenceConfig additionalModelRequestFields serviceTier'.split(' '),
)

/**
 * Models of Amazon and others at Bedrock: signed requests, events in binary frames.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export function converseProtocol(key: AwsKey): Protocol {
  return {
    streamType: 'application/vnd.amazon.eventstream',
    wantsStream: ({ path }) => path.endsWith('/converse-stream'),
    fault(call) {
      if (!paths.test(call.path)) return { status: 404, message: `no such path: ${call.path}` }
      const unsigned = signatureFault(call, key)
      if (unsigned !== undefined) return { status: 403, message: unsigned }
      const extra = Object.keys(call.json).find((name) => !known.has(name))
      if (extra !== undefined) return { status: 400, message: `${extra}: Extra inputs are not permitted` }
      return turnsFault(messagesIn(call.json))
    },
    frames: (reply, { json }) => framesOf(asReported(reply, json)),
    buffered(scripted, { json }) {
      const reply = asReported(scripted, json)
      const { counts = defaultCounts, countsAt } = reply
      return {
        output: { message: { role: 'assistant', content: completeBlocks(reply) } },
        stopReason: stopOf(reply),
        ...(countsAt !== 'nowhere' && { usage: usageOf(counts) }),
        metrics: { latencyMs: 12 },
      }
    },
    refusal: (status, message) => ({
      headers: { 'x-amzn-errortype': `${errorTypes[status] ?? 'InternalServerException'}:` },
      body: { message },
    }),
    failure: (message) => exceptionFrame('modelStreamErrorException', { message }),
    modelOf: ({ path }) => decodeURIComponent(paths.exec(path)?.[1] ?? ''),
    reported: ({ json }) => ({
      tools: (toolConfigIn(json).tools ?? []).map(({ toolSpec }) => toolSpec.name),
      toolTurns: toolTurnsIn(messagesIn(json)),
      images: messagesIn(json).flatMap(({ content }) =>
        content.flatMap(({ image }) => (image === undefined ? [] : [image.source.bytes])),
      ),
      schema: toolConfigIn(json).tools?.find(({ toolSpec }) => toolSpec.name === forcedTool(json))?.toolSpec
        .inputSchema.json,
      wantsReasoning: JSON.stringify(json.additionalModelRequestFields ?? {}).includes('maxReasoningEffort'),
    }),
  }
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'InvalidSignatureException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
}

interface ConverseBlock {
  readonly text?: string
  readonly image?: { readonly source: { readonly bytes: string } }
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: unknown }
  readonly toolResult?: {
    readonly toolUseId: string
    readonly content: readonly { readonly text?: string }[]
  }
}

interface ConverseMessage {
  readonly role: string
  readonly content: readonly ConverseBlock[]
}

interface ToolConfig {
  readonly tools?: readonly {
    readonly toolSpec: { readonly name: string; readonly inputSchema: { readonly json: unknown } }
  }[]
  readonly toolChoice?: { readonly tool?: { readonly name: string } }
}

type Json = ReceivedCall['json']

function messagesIn({ messages }: Json): readonly ConverseMessage[] {
  return Array.isArray(messages) ? messages : []
}

function toolConfigIn({ toolConfig }: Json): ToolConfig {
  return (toolConfig ?? {}) as ToolConfig
}

function forcedTool(json: Json): string | undefined {
  return toolConfigIn(json).toolChoice?.tool?.name
}

function turnsFault(messages: readonly ConverseMessage[]) {
  const wrong = messages.some(({ role }, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
  if (messages.length === 0 || wrong) return { status: 400, message: 'roles must alternate, the user first' }
  const blank = messages.some(({ content }) => content.some(({ text }) => text?.trim() === ''))
  return blank ? { status: 400, message: 'The text field in the ContentBlock object is blank.' } : undefined
}

/** A model that is made to call a tool says in the call what it has to say. */
function asReported(reply: Scripted, json: Json): Scripted {
  const name = forcedTool(json)
  if (name === undefined || reply.text === undefined || reply.toolCalls !== undefined) return reply
  const { text, ...others } = reply
  return { ...others, toolCalls: [{ id: 'tooluse_Forced', name, pieces: text }] }
}

function framesOf(reply: Scripted): readonly WireFrame[] {
  const { reasoning = [], text = [], toolCalls = [], counts = defaultCounts, countsAt = 'end' } = reply
  const blocks = [
    ...(reasoning.length === 0 ? [] : [reasoningDeltas(reasoning)]),
    ...(text.length === 0 ? [] : [text.map((piece): object => ({ text: piece }))]),
  ]
  const metadata = silent('metadata', { usage: usageOf(counts), metrics: { latencyMs: 12 } })
  return [
    silent('messageStart', { role: 'assistant', p: 'abc' }),
    ...(countsAt === 'start' ? [metadata] : []),
    ...blocks.flatMap((deltas, index) => [
      ...deltas.map((delta) => deltaFrame(index, delta)),
      stopFrame(index),
    ]),
    ...toolCalls.flatMap((call, at) => callFrames(call, blocks.length + at)),
    silent('messageStop', { stopReason: stopOf(reply) }),
    ...(countsAt === 'end' ? [metadata] : []),
  ]
}

const signature = 'c2lnbmVkLWJ5LWJlZHJvY2s='

function reasoningDeltas(pieces: readonly string[]): readonly object[] {
  const texts = pieces.map((text) => ({ reasoningContent: { text } }))
  return [...texts, { reasoningContent: { signature } }]
}

function callFrames({ id, name, pieces }: ScriptedCall, index: number): readonly WireFrame[] {
  return [
    {
      ...silent('contentBlockStart', {
        contentBlockIndex: index,
        start: { toolUse: { toolUseId: id, name } },
      }),
      delivers: true,
    },
    ...pieces.map((input) => deltaFrame(index, { toolUse: { input } })),
    stopFrame(index),
  ]
}

function deltaFrame(contentBlockIndex: number, delta: object): WireFrame {
  return {
    bytes: namedFrame('contentBlockDelta', { contentBlockIndex, delta, p: 'abcdefgh' }),
    delivers: true,
  }
}

function stopFrame(contentBlockIndex: number): WireFrame {
  return silent('contentBlockStop', { contentBlockIndex })
}

function silent(event: string, payload: object): WireFrame {
  return { bytes: namedFrame(event, payload), delivers: false }
}

function completeBlocks({ reasoning = [], text = [], toolCalls = [] }: Scripted): readonly object[] {
  return [
    ...(reasoning.length === 0
      ? []
      : [{ reasoningContent: { reasoningText: { text: reasoning.join(''), signature } } }]),
    ...(text.length === 0 ? [] : [{ text: text.join('') }]),
    ...toolCalls.map(({ id, name, pieces }) => ({
      toolUse: { toolUseId: id, name, input: JSON.parse(pieces.join('')) },
    })),
  ]
}

function stopOf({ toolCalls = [] }: Scripted): string {
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn'
}

function usageOf({ input, cacheRead, cacheWrite, output }: Counts): object {
  return {
    inputTokens: input,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
    outputTokens: output,
    totalTokens: input + cacheRead + cacheWrite + output,
  }
}

function toolTurnsIn(messages: readonly ConverseMessage[]): readonly ToolTurn[] {
  const blocks = messages.flatMap(({ content }) => content)
  return blocks.flatMap(({ toolUse }) => {
    const reply = blocks.find(({ toolResult }) => toolResult?.toolUseId === toolUse?.toolUseId)?.toolResult
    if (toolUse === undefined || reply === undefined) return []
    const result = reply.content.map(({ text = '' }) => text).join('')
    return [{ name: toolUse.name, arguments: toolUse.input, result }]
  })
}
