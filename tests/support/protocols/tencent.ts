import { createHash, createHmac } from 'node:crypto'
import {
  bytesIn,
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type ReceivedPrompt,
  type Scripted,
  type ScriptedCall,
  sseFrame,
} from './protocol.ts'

export interface TencentKey {
  readonly secretId: string
  readonly secretKey: string
}

/** Hunyuan: every call is signed, failures are responses with status 200, streams end with the connection. */
export function tencentProtocol(key: TencentKey): Protocol {
  return {
    streamType: 'text/event-stream',
    wantsStream: ({ json }) => json.Stream === true,
    fault(call) {
      if (call.path !== '/') return { status: 404, message: `no such path: ${call.path}` }
      const fault = signatureFault(call, key)
      return fault === undefined ? undefined : { status: 401, message: fault }
    },
    frames: streamOf,
    buffered: (reply, { headers, json }) => ({
      Response:
        headers['x-tc-action'] === 'GetEmbedding'
          ? embeddingsOf(json.InputList as readonly string[])
          : { RequestId: 'rq-1', ...completeReplyOf(reply) },
    }),
    refusal: (status, message) => ({
      status: 200,
      headers: {},
      body: { Response: { RequestId: 'rq-2', Error: { Code: codeOf(status), Message: message } } },
    }),
    failure: (message) => sseFrame({ Id: 'id-1', ErrorMsg: { Msg: message, Code: 2003 } }).bytes,
    modelOf: ({ json }) => String(json.Model),
    reported: ({ json }) => ({
      tools: ((json.Tools ?? []) as readonly TencentTool[]).map(({ Function: { Name } }) => Name),
      ...promptIn(json.Messages as readonly TencentMessage[]),
    }),
  }
}

function codeOf(status: number): string {
  return status === 401 ? 'AuthFailure.SignatureFailure' : 'InvalidParameter'
}

const form =
  /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/hunyuan\/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=([0-9a-f]{64})$/

/** Finds the fault in a call over the wire. */
function signatureFault({ headers, body }: ReceivedCall, key: TencentKey): string | undefined {
  const [, secretId, date = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const timestamp = Number(headers['x-tc-timestamp'])
  if (secretId !== key.secretId) return 'the secret id is unknown'
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return 'the timestamp is too old'
  if (new Date(timestamp * 1000).toISOString().slice(0, 10) !== date) return 'the date does not fit'
  if (headers['x-tc-version'] !== '2023-09-01') return 'the version is unknown'
  const canonical = [
    'POST\n/\n',
    `content-type:${headers['content-type']}`,
    `host:${headers.host}`,
    `x-tc-action:${headers['x-tc-action']?.toLowerCase()}`,
    '\ncontent-type;host;x-tc-action',
    sha256(body),
  ].join('\n')
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${date}/hunyuan/tc3_request\n${sha256(canonical)}`
  const signing = [date, 'hunyuan', 'tc3_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`TC3${key.secretKey}`),
  )
  const expected = createHmac('sha256', signing).update(text).digest('hex')
  return signature === expected ? undefined : 'the signature does not match'
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

interface TencentMessage {
  readonly Role: string
  readonly Content?: string
  readonly Contents?: readonly { readonly ImageUrl?: { readonly Url: string } }[]
  readonly ToolCallId?: string
  readonly ToolCalls?: readonly {
    readonly Id: string
    readonly Function: { readonly Name: string; readonly Arguments: string }
  }[]
}

interface TencentTool {
  readonly Function: { readonly Name: string }
}

function promptIn(messages: readonly TencentMessage[]): Omit<ReceivedPrompt, 'tools'> {
  const calls = messages.flatMap(({ ToolCalls = [] }) => ToolCalls)
  const parts = messages.flatMap(({ Contents = [] }) => Contents)
  return {
    toolTurns: calls.map(({ Id, Function: { Name: name, Arguments: text } }) => {
      const result = messages.find(({ ToolCallId }) => ToolCallId === Id)?.Content ?? ''
      return { name, arguments: JSON.parse(text), result }
    }),
    images: parts.flatMap(({ ImageUrl }) => (ImageUrl === undefined ? [] : [bytesIn(ImageUrl.Url)])),
    schema: undefined,
    wantsReasoning: false,
  }
}

const identity = { Note: 'made by a model', Created: 1_761_000_000, Id: 'id-1' }

function streamOf({ reasoning = [], text = [], toolCalls = [], counts = defaultCounts }: Scripted) {
  const soFar = { ...counts, output: 1 }
  const piece = (delta: object) => event({ Role: 'assistant', ...delta }, '', soFar, true)
  return [
    ...reasoning.map((ReasoningContent) => piece({ ReasoningContent })),
    ...text.map((Content) => piece({ Content })),
    ...toolCalls.flatMap((call, index) =>
      call.pieces.map((part, position) =>
        piece({
          Content: '',
          ToolCalls: [callOf(position === 0 ? call : { ...call, name: '' }, index, part)],
        }),
      ),
    ),
    event({ Role: 'assistant', Content: '' }, toolCalls.length === 0 ? 'stop' : 'tool_calls', counts, false),
  ]
}

function event(Delta: object, FinishReason: string, counts: Counts, delivers: boolean) {
  return sseFrame({ ...identity, Choices: [{ FinishReason, Delta }], Usage: usageOf(counts) }, { delivers })
}

function callOf({ id, name }: ScriptedCall, Index: number, text: string): object {
  return { Id: id, Type: 'function', Index, Function: { Name: name, Arguments: text } }
}

function completeReplyOf({
  reasoning = [],
  text = [],
  toolCalls = [],
  counts = defaultCounts,
}: Scripted): object {
  const Message = {
    Role: 'assistant',
    Content: text.join(''),
    ...(reasoning.length > 0 && { ReasoningContent: reasoning.join('') }),
    ...(toolCalls.length > 0 && {
      ToolCalls: toolCalls.map((call, index) => callOf(call, index, call.pieces.join(''))),
    }),
  }
  const FinishReason = toolCalls.length === 0 ? 'stop' : 'tool_calls'
  return { ...identity, Choices: [{ FinishReason, Message }], Usage: usageOf(counts) }
}

function usageOf({ input, output }: Counts): object {
  return { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output }
}

function embeddingsOf(input: readonly string[]): object {
  return {
    Data: input.map((_, Index) => ({ Object: 'embedding', Index, Embedding: [Index + 0.5, 0.25] })),
    Usage: { PromptTokens: input.length * 3, TotalTokens: input.length * 3 },
    RequestId: 'rq-3',
  }
}
