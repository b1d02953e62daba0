import { type EncodeTarget, RequestFault } from '../canonical/codec.ts'
import type { AssistantPart, ChatRequest, Message, UserPart } from '../canonical/request.ts'
import { anthropicMessages } from './codec.ts'

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
