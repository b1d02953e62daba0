import type { Json } from '../agents/agent.ts'

/** The public formats of chat. */
export type ChatFormat = 'chat' | 'responses' | 'messages' | 'gemini'

/** The public formats that recordings were made in. */
export type RecordedFormat = ChatFormat | 'completions' | 'embeddings' | 'rerank'

/** A vendor with recorded responses, as a channel reaches it. */
export interface RecordedVendor {
  /** Folder of the recordings. */
  readonly folder: string
  readonly format: RecordedFormat
  readonly channelType: number
  readonly key: string
  /** The channel's free field. */
  readonly other?: string
  /** Host in the address of the channel: OpenAI's own, where some models have Responses alone. */
  readonly host?: string
  /** It has Responses, too, which callers of that format are served by. */
  readonly hasResponses?: boolean
  /** The vendor's path; Gemini's continues with the model. */
  readonly path: string
  /** Selects files of the folder; all of them by default. */
  readonly files?: (name: string) => boolean
  /** Edits a request as its channel does beside the model's name, by its page in docs/providers. */
  readonly edits?: (request: Json) => Json
  /** Edits a response as its channel does, by its page; the same object where it changes nothing. */
  readonly normalizes?: (reply: Json) => Json
  /** It refuses a request for the counts of a stream, and reports them unasked. */
  readonly countsByDefault?: boolean
}

const chat = { format: 'chat', path: '/v1/chat/completions' } as const
const responses = { format: 'responses', path: '/v1/responses' } as const
const ofDeepSeek = (name: string) => name.startsWith('azure-deepseek')

/** Mistral refuses what it does not know. */
function knownFieldsOnly({ x_future: _, stream_options: __, ...known }: Json): Json {
  return known
}

/** Mistral does not say that a call is one of a function. */
function typedCalls(reply: Json): Json {
  const [{ message, ...choice }] = reply.choices as readonly [{ readonly message?: Json }]
  const calls = message?.tool_calls as readonly Json[] | undefined
  if (calls === undefined) return reply
  const tool_calls = calls.map((call) => ({ type: 'function', ...call }))
  return { ...reply, choices: [{ ...choice, message: { ...message, tool_calls } }] }
}

/** DeepSeek's models by the name of its first reasoner may refuse reasoning, except beside tool calls. */
function withoutIdleReasoning(request: Json): Json {
  const messages = request.messages as readonly Json[]
  return {
    ...request,
    messages: messages.map(({ reasoning, reasoning_content, ...message }) => {
      const isCalling = Array.isArray(message.tool_calls) && message.tool_calls.length > 0
      return isCalling ? { ...message, reasoning, reasoning_content } : message
    }),
  }
}

export const recordedVendors: readonly RecordedVendor[] = [
  { ...chat, folder: 'openai-chat', channelType: 1, key: 'sk-openai-0001' },
  {
    folder: 'openai-completion',
    format: 'completions',
    channelType: 1,
    key: 'sk-openai-0003',
    path: '/v1/completions',
  },
  {
    folder: 'openai-embedding',
    format: 'embeddings',
    channelType: 1,
    key: 'sk-openai-0004',
    path: '/v1/embeddings',
  },
  { folder: 'togetherai', format: 'rerank', channelType: 1001, key: 'together-0001', path: '/v1/rerank' },
  { ...chat, folder: 'openai-compatible', channelType: 1, key: 'sk-compatible-0001' },
  {
    ...chat,
    folder: 'alibaba',
    channelType: 17,
    key: 'sk-ali-0001',
    path: '/compatible-mode/v1/chat/completions',
  },
  { ...chat, folder: 'moonshotai', channelType: 25, key: 'sk-moonshot-0001' },
  { ...chat, folder: 'perplexity', channelType: 27, key: 'pplx-0001', path: '/chat/completions' },
  {
    ...chat,
    folder: 'mistral',
    channelType: 42,
    key: 'mistral-0001',
    edits: knownFieldsOnly,
    normalizes: typedCalls,
    countsByDefault: true,
  },
  { ...chat, folder: 'deepseek', channelType: 43, key: 'sk-deepseek-0001', edits: withoutIdleReasoning },
  { ...chat, folder: 'xai', channelType: 48, key: 'xai-0001', hasResponses: true },
  { ...chat, folder: 'groq', channelType: 1000, key: 'gsk-0001' },
  {
    ...chat,
    folder: 'azure',
    channelType: 1008,
    key: 'azure-foundry-0001',
    path: '/models/chat/completions',
    files: ofDeepSeek,
  },
  {
    ...responses,
    folder: 'azure',
    channelType: 3,
    key: 'azure-0001',
    other: 'v1',
    path: '/openai/v1/responses',
    files: (name) => !ofDeepSeek(name),
  },
  {
    ...responses,
    folder: 'openai-responses',
    channelType: 1,
    key: 'sk-openai-0002',
    host: '/api.openai.com',
  },
  { ...responses, folder: 'open-responses', channelType: 1007, key: 'sk-open-0001' },
  { ...responses, folder: 'xai-responses', channelType: 48, key: 'xai-0002' },
  { folder: 'anthropic', format: 'messages', channelType: 14, key: 'sk-ant-0001', path: '/v1/messages' },
  { folder: 'google', format: 'gemini', channelType: 24, key: 'AIza-0001', path: '/v1beta/models/' },
]
