import { type EncodeTarget, RequestFault } from '../../canonical/codec.ts'
import type { AssistantPart, ChatRequest, Message, UserPart } from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { anthropicMessages } from '../codec.ts'

/** Pieces of requests for tests. */
export const older = 'claude-sonnet-4-5-20250929'
export const newer = 'claude-opus-4-8'

export const bare: ChatRequest = {
  model: 'asked',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}

export function encode(request: Partial<ChatRequest>, model = older, target: Partial<EncodeTarget> = {}) {
  return anthropicMessages.encodeRequest({ ...bare, ...request }, { model, streamOptions: false, ...target })
}

export function faultOf(call: () => unknown): RequestFault {
  try {
    call()
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

export const user = (...parts: readonly UserPart[]): Message => ({ role: 'user', parts })
export const assistant = (...parts: readonly AssistantPart[]): Message => ({ role: 'assistant', parts })
export const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] })
export const text = (value: string) => ({ type: 'text', text: value }) as const
export const call = (id: string, name = 'f', json = '{}') =>
  ({ type: 'tool-call', id, name, arguments: json }) as const
export const result = (callId: string, value: string, name?: string) =>
  ({ type: 'tool-result', callId, content: [text(value)], ...(name !== undefined && { name }) }) as const
export const tool = { type: 'function', name: 'f', parameters: { type: 'object' } } as const

/** A turn of a coding agent: cached instructions, an echoed call with its reasoning, results, and fields of its own. */
export const agentBody: JsonObject = {
  model: 'claude-opus-5-5',
  max_tokens: 32000,
  stream: true,
  system: [
    { type: 'text', text: 'Be brief.' },
    { type: 'text', text: 'Rules.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  thinking: { type: 'adaptive', display: 'omitted' },
  output_config: { effort: 'xhigh', task_budget: { type: 'tokens', total: 9 } },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: 'user_1' },
  tools: [
    {
      name: 'Read',
      description: 'Reads.',
      input_schema: { type: 'object' },
      cache_control: { type: 'ephemeral' },
    },
    { name: 'Rare', input_schema: { type: 'object' }, defer_loading: true, eager_input_streaming: true },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
  ],
  tool_choice: { type: 'any', disable_parallel_tool_use: true },
  messages: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'cmVk' },
        { type: 'text', text: 'Reading.' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
        {
          type: 'tool_use',
          id: 'toolu_1',
          name: 'Read',
          input: { path: 'a' },
          caller: { type: 'direct' },
          cache_control: { type: 'ephemeral' },
        },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          is_error: true,
          content: [
            { type: 'text', text: 'no' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' }, title: 'b' },
      ],
    },
    { role: 'system', content: [{ type: 'text', text: 'The user is away.' }] },
  ],
}
