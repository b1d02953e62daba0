import { createHash, createHmac } from 'node:crypto'
import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type Scripted,
  sseFrame,
} from './upstream-protocol.ts'

export interface TencentKey {
  readonly secretId: string
  readonly secretKey: string
}

/** Hunyuan: every call is signed, failures are answers with status 200, streams end with the connection. */
export function tencentProtocol(key: TencentKey): Protocol {
  return {
    streamType: 'text/event-stream',
    wantsStream: ({ json }) => json.Stream === true,
    fault(call) {
      if (call.path !== '/') return { status: 404, message: `no such path: ${call.path}` }
      const fault = signatureFault(call, key)
      return fault === undefined ? undefined : { status: 200, message: fault }
    },
    frames: streamOf,
    whole: (answer, { headers, json }) => ({
      Response:
        headers['x-tc-action'] === 'GetEmbedding'
          ? embeddingsOf(json.InputList as readonly string[])
          : { RequestId: 'rq-1', ...wholeOf(answer) },
    }),
    refusal: (_, message) => ({
      headers: {},
      body: {
        Response: { RequestId: 'rq-2', Error: { Code: 'AuthFailure.SignatureFailure', Message: message } },
      },
    }),
    failure: (message) => sseFrame({ Id: 'id-1', ErrorMsg: { Msg: message, Code: 2003 } }).bytes,
    modelOf: ({ json }) => String(json.Model),
    toolTurnIn: ({ json }) => toolTurnOf(json.Messages as readonly TencentMessage[]),
  }
}

const form =
  /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/hunyuan\/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=([0-9a-f]{64})$/

/** What is wrong with a call as it came over the wire. https://cloud.tencent.com/document/api/1729/101843 */
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
  readonly Content: string
  readonly ToolCallId?: string
  readonly ToolCalls?: readonly {
    readonly Id: string
    readonly Function: { readonly Name: string; readonly Arguments: string }
  }[]
}

function toolTurnOf(messages: readonly TencentMessage[]): ReturnType<Protocol['toolTurnIn']> {
  const call = messages.flatMap(({ ToolCalls = [] }) => ToolCalls)[0]
  const result = messages.find(({ Role, ToolCallId }) => Role === 'tool' && ToolCallId === call?.Id)
  if (call === undefined || result === undefined) return undefined
  const { Name: name, Arguments: text } = call.Function
  return { name, arguments: JSON.parse(text), result: result.Content }
}

const identity = { Note: 'made by a model', Created: 1_761_000_000, Id: 'id-1' }

function streamOf({ text = [], toolCall, counts = defaultCounts }: Scripted) {
  const event = (
    Delta: object,
    FinishReason: string,
    delivers: boolean,
    usage: Counts = { ...counts, output: 1 },
  ) => sseFrame({ ...identity, Choices: [{ FinishReason, Delta }], Usage: usageOf(usage) }, { delivers })
  const call = (name: string, piece: string) => ({
    Role: 'assistant',
    Content: '',
    ToolCalls: [{ Id: toolCall?.id, Type: 'function', Index: 0, Function: { Name: name, Arguments: piece } }],
  })
  return [
    ...text.map((piece) => event({ Role: 'assistant', Content: piece }, '', true)),
    ...(toolCall?.pieces ?? []).map((piece, place) =>
      event(call(place === 0 ? (toolCall?.name ?? '') : '', piece), '', true),
    ),
    event({ Role: 'assistant', Content: '' }, toolCall === undefined ? 'stop' : 'tool_calls', false, counts),
  ]
}

function wholeOf({ text = [], toolCall, counts = defaultCounts }: Scripted): object {
  const calls = toolCall && [
    {
      Id: toolCall.id,
      Type: 'function',
      Index: 0,
      Function: { Name: toolCall.name, Arguments: toolCall.pieces.join('') },
    },
  ]
  const Message = { Role: 'assistant', Content: text.join(''), ...(calls && { ToolCalls: calls }) }
  const FinishReason = calls === undefined ? 'stop' : 'tool_calls'
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
