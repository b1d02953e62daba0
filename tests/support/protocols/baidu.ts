import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type Scripted,
  type ScriptedCall,
  sseFrame,
  type ToolTurn,
} from './protocol.ts'

export interface BaiduAccount {
  readonly apiKey: string
  readonly secretKey: string
}

/** Protocol that refuses what the service would, for a call over the wire, and counts the tokens that it issued. */
export interface BaiduProtocol extends Protocol {
  /** Takes every token that was given so far from those who have it. */
  withdrawTokens(): void
  readonly tokensProvided: number
}

const tokenPath = '/oauth/2.0/token'
const chatPath = /^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/(chat|embeddings)\/([^/]+)$/
const withdrawn = 'Access token invalid or no longer valid'

/** Wenxin Workshop: a key is exchanged for a token, failures are responses with status 200. */
export function baiduProtocol(account: BaiduAccount): BaiduProtocol {
  let tokensProvided = 0
  let valid = ''
  return {
    streamType: 'text/event-stream; charset=utf-8',
    wantsStream: ({ json }) => json.stream === true,
    fault({ path, query, json }) {
      const requested = new URLSearchParams(query)
      if (path === tokenPath) return tokenFault(requested, account)
      if (!chatPath.test(path)) return { status: 404, message: `no such path: ${path}` }
      if (requested.get('access_token') !== valid || valid === '') return { status: 200, message: withdrawn }
      const fault = path.includes('/chat/') ? messagesFault(json.messages) : undefined
      return fault === undefined ? undefined : { status: 200, message: fault }
    },
    frames: streamOf,
    buffered(reply, { path, json }) {
      if (path.includes('/embeddings/')) return embeddingsOf(json.input as readonly string[])
      if (path !== tokenPath) return completeReplyOf(reply)
      tokensProvided += 1
      valid = `24.token-${tokensProvided}`
      return { access_token: valid, expires_in: 2_592_000, refresh_token: '25.a', scope: 'public' }
    },
    refusal: (status, message) => ({
      ...(status !== 401 && { status: 200 }),
      headers: {},
      body:
        status === 401
          ? { error: 'invalid_client', error_description: message }
          : { error_code: message === withdrawn ? 110 : 336_006, error_msg: message },
    }),
    failure: (message) => sseFrame({ error_code: 336_100, error_msg: message }).bytes,
    modelOf: ({ path }) => chatPath.exec(path)?.[2] ?? 'token',
    reported: ({ json }) => ({
      tools: ((json.functions ?? []) as readonly { readonly name: string }[]).map(({ name }) => name),
      toolTurns: toolTurnsOf(json.messages as readonly BaiduMessage[]),
      images: [],
      schema: undefined,
      wantsReasoning: false,
    }),
    withdrawTokens() {
      valid = ''
    },
    get tokensProvided() {
      return tokensProvided
    },
  }
}

function tokenFault(requested: URLSearchParams, { apiKey, secretKey }: BaiduAccount) {
  if (requested.get('grant_type') !== 'client_credentials') return { status: 401, message: 'no grant' }
  const isKnown = requested.get('client_id') === apiKey && requested.get('client_secret') === secretKey
  return isKnown ? undefined : { status: 401, message: `unknown client id ${requested.get('client_secret')}` }
}

interface BaiduMessage {
  readonly role: string
  readonly content: string
  readonly name?: string
  readonly function_call?: { readonly name: string; readonly arguments: string }
}

/** Users (or functions) and the assistant take turns, beginning and ending with the user's side. */
function messagesFault(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length % 2 === 0) return 'the number of messages must be odd'
  const wrong = (messages as readonly BaiduMessage[]).find(
    ({ role, content, function_call: call }, index) => {
      const isUser = role === 'user' || role === 'function'
      return isUser !== (index % 2 === 0) || (content === '' && call === undefined)
    },
  )
  return wrong === undefined ? undefined : `the role of a message is not right: ${wrong.role}`
}

/** Every result follows its call. */
function toolTurnsOf(messages: readonly BaiduMessage[]): readonly ToolTurn[] {
  return messages.flatMap(({ function_call: call }, index) => {
    const result = messages[index + 1]
    if (call === undefined || result?.role !== 'function' || result.name !== call.name) return []
    return [
      { name: call.name, arguments: JSON.parse(call.arguments), result: JSON.parse(result.content).result },
    ]
  })
}

const identity = { id: 'as-m0ck01', object: 'chat.completion', created: 1_761_000_000 }

/** One function is called at a time. */
function streamOf({ text = [], toolCalls = [], counts = defaultCounts }: Scripted) {
  const last = { is_end: true, ...endOf(toolCalls[0]) }
  const pieces = text.map((result, index) =>
    sseFrame(
      { ...identity, sentence_id: index, is_end: false, result, usage: usageOf({ ...counts, output: 0 }) },
      { delivers: true },
    ),
  )
  return [
    ...pieces,
    sseFrame({ ...identity, sentence_id: text.length, result: '', usage: usageOf(counts), ...last }),
  ]
}

function completeReplyOf({ text = [], toolCalls = [], counts = defaultCounts }: Scripted): object {
  return { ...identity, result: text.join(''), usage: usageOf(counts), ...endOf(toolCalls[0]) }
}

function endOf(toolCall: ScriptedCall | undefined): object {
  const call = toolCall && { name: toolCall.name, thoughts: '', arguments: toolCall.pieces.join('') }
  return {
    is_truncated: false,
    need_clear_history: false,
    finish_reason: call === undefined ? 'normal' : 'function_call',
    ...(call !== undefined && { function_call: call }),
  }
}

function usageOf({ input, output }: Counts): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function embeddingsOf(input: readonly string[]): object {
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [index + 0.5, 0.25] }))
  return {
    id: 'as-e1',
    object: 'embedding_list',
    created: 1_761_000_000,
    data: data.toReversed(),
    usage: { prompt_tokens: input.length * 3, total_tokens: input.length * 3 },
  }
}

/** Calls for a token among all that came. */
export function tokenCalls(calls: readonly ReceivedCall[]): readonly ReceivedCall[] {
  return calls.filter(({ path }) => path === tokenPath)
}
