import {
  anthropicMessages,
  type ChatCodec,
  type ChatPart,
  type EncodeContext,
  gemini,
  openAiChat,
  openAiResponses,
  type TextFrame,
  type UpstreamCodec,
  usageOf,
} from '@tollgate/formats'
import { providerFor } from '../registry.ts'
import { filled } from './number-samples.ts'

/** Responses of an upstream of one form whose model calls a tool: the bodies hold the arguments unchanged. */
export interface CallingUpstream {
  readonly name: string
  readonly codec: UpstreamCodec
  buffered?(args: string): string
  /** Frames of a stream. */
  streamed?(args: string): readonly TextFrame[]
}

/** The call of a caller that the responses are written for. */
export const call: EncodeContext = {
  model: 'm',
  responseId: 'r1',
  createdAt: 1_760_000_000,
  includeUsage: true,
  estimatedInputTokens: 10,
}
export const usage = usageOf({ inputTokens: 10, outputTokens: 5 })

export const publicCodecs = [openAiChat, openAiResponses, anthropicMessages, gemini] as const

/** Upstreams whose responses are those that the codec writes for callers. */
const publicUpstreams = publicCodecs.map(
  (codec): CallingUpstream => ({
    name: codec.format,
    codec,
    buffered: (args) => JSON.stringify(codec.encodeResponse(responseWith(args), call)),
    streamed: (args) => encoded(codec, partsWith(args)),
  }),
)

function responseWith(args: string) {
  const part = { type: 'tool-call', id: 'c1', name: 'f', arguments: args } as const
  const candidate = { index: 0, parts: [part], stop: { reason: 'tool-calls' } } as const
  return { id: 'r', model: 'm', createdAt: 1, candidates: [candidate], usage }
}

function partsWith(args: string): readonly ChatPart[] {
  const pieces = args.match(/.{1,7}/gsu) ?? []
  return [
    { type: 'start', id: 'r', model: 'm', createdAt: 1 },
    { type: 'tool-call-start', candidate: 0, call: 0, id: 'c1', name: 'f' },
    ...pieces.map(
      (piece): ChatPart => ({ type: 'tool-call-delta', candidate: 0, call: 0, arguments: piece }),
    ),
    { type: 'tool-call-end', candidate: 0, call: 0 },
    { type: 'stop', candidate: 0, stop: { reason: 'tool-calls' } },
  ]
}

function encoded({ encodeStream }: ChatCodec, parts: readonly ChatPart[]): readonly TextFrame[] {
  const state = encodeStream.start(call)
  const frames = parts.flatMap((part) => encodeStream.step(state, part))
  return [...frames, ...encodeStream.finish(state, usage)]
}

const target = { baseUrl: '', key: '', upstreamModel: 'm', openaiOrganization: '', other: 'v1' }

function codecOf(channelType: number): UpstreamCodec {
  const codec = providerFor(channelType)?.operation('chat', target, 'openai-chat')?.codec
  if (codec === undefined) throw new Error(`channels of type ${channelType} have no form of their own`)
  return codec
}

const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const chatChoice = (key: 'message' | 'delta', args: string) => ({
  id: 'c',
  model: 'm',
  created: 1,
  choices: [
    {
      index: 0,
      [key]: {
        role: 'assistant',
        tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: args } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: counts,
})
const event = (type: string, members: object): TextFrame => ({
  event: type,
  data: JSON.stringify({ type, ...members }),
})
const withArgs = (frames: readonly TextFrame[], args: string): readonly TextFrame[] =>
  frames.map(({ event: name = '', data }) => ({ event: name, data: filled(JSON.parse(data), { args }) }))

/** Forms that no caller writes, and servers that send arguments otherwise than their format's vendor. */
const otherUpstreams: readonly CallingUpstream[] = [
  {
    name: 'openai-chat with parsed arguments',
    codec: openAiChat,
    buffered: (args) => filled(chatChoice('message', '@args'), { args }),
    streamed: (args) => [{ data: filled(chatChoice('delta', '@args'), { args }) }, { data: '[DONE]' }],
  },
  {
    name: 'anthropic-messages with all input at the start',
    codec: anthropicMessages,
    streamed: (args) =>
      withArgs(
        [
          event('message_start', {
            message: { id: 'm', model: 'm', usage: { input_tokens: 10, output_tokens: 1 } },
          }),
          event('content_block_start', {
            index: 0,
            content_block: { type: 'tool_use', id: 't', name: 'f', input: '@args' },
          }),
          event('content_block_stop', { index: 0 }),
          event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } }),
          event('message_stop', {}),
        ],
        args,
      ),
  },
  {
    name: 'bedrock-converse',
    codec: codecOf(33),
    buffered: (args) =>
      filled(
        {
          output: {
            message: {
              role: 'assistant',
              content: [{ toolUse: { toolUseId: 't', name: 'f', input: '@args' } }],
            },
          },
          stopReason: 'tool_use',
          usage: { inputTokens: 10, outputTokens: 5 },
        },
        { args },
      ),
    streamed: (args) => [
      { event: 'messageStart', data: '{"role":"assistant"}' },
      {
        event: 'contentBlockStart',
        data: '{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}',
      },
      {
        event: 'contentBlockDelta',
        data: filled({ contentBlockIndex: 0, delta: { toolUse: { input: '$args' } } }, { args }),
      },
      { event: 'contentBlockStop', data: '{"contentBlockIndex":0}' },
      { event: 'messageStop', data: '{"stopReason":"tool_use"}' },
      { event: 'metadata', data: '{"usage":{"inputTokens":10,"outputTokens":5}}' },
    ],
  },
  {
    name: 'cohere-chat',
    codec: codecOf(34),
    buffered: (args) =>
      filled(
        {
          id: 'c',
          finish_reason: 'TOOL_CALL',
          message: {
            role: 'assistant',
            tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '$args' } }],
          },
          usage: { billed_units: { input_tokens: 10, output_tokens: 5 } },
        },
        { args },
      ),
    streamed: (args) =>
      withArgs(
        [
          event('message-start', { id: 'c', delta: { message: { role: 'assistant' } } }),
          event('tool-call-start', {
            index: 0,
            delta: {
              message: { tool_calls: { id: 't', type: 'function', function: { name: 'f', arguments: '' } } },
            },
          }),
          event('tool-call-delta', {
            index: 0,
            delta: { message: { tool_calls: { function: { arguments: '$args' } } } },
          }),
          event('tool-call-end', { index: 0 }),
          event('message-end', {
            delta: {
              finish_reason: 'TOOL_CALL',
              usage: { billed_units: { input_tokens: 10, output_tokens: 5 } },
            },
          }),
        ],
        args,
      ),
  },
  {
    name: 'provider:tencent',
    codec: codecOf(23),
    buffered: (args) =>
      filled(
        {
          Response: {
            Id: 'i',
            Choices: [
              {
                FinishReason: 'tool_calls',
                Message: {
                  Role: 'assistant',
                  ToolCalls: [{ Id: 't', Type: 'function', Function: { Name: 'f', Arguments: '$args' } }],
                },
              },
            ],
            Usage: { PromptTokens: 10, CompletionTokens: 5, TotalTokens: 15 },
          },
        },
        { args },
      ),
  },
]

/** Every form of a response with a call. */
export const callingUpstreams: readonly CallingUpstream[] = [...publicUpstreams, ...otherUpstreams]
