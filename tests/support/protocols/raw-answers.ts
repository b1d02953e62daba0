import type { ScriptedBehaviour } from './scripted-upstream.ts'
import type { UpstreamName } from './upstream-channels.ts'

/** Upstreams whose streams are server-sent events. */
export const textUpstreams = ['openai', 'responses', 'anthropic', 'gemini'] as const satisfies UpstreamName[]
export type TextUpstream = (typeof textUpstreams)[number]

type Json = Readonly<Record<string, unknown>>

/** A vendor's answer in both forms, from raw JSON: it says `served` for 10 tokens of input and 5 of output. */
interface RawAnswer {
  readonly body: Json
  readonly events: readonly Json[]
  /** Something that only this format has: in the body, in events, and its name for callers of other formats. */
  readonly unknown: { readonly body: Json; readonly events: readonly Json[]; readonly name: string }
}

const chatUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const tokens = { input_tokens: 10, output_tokens: 5 }
const spoken = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'served' }] }
const response = { id: 'resp_1', object: 'response', status: 'completed', output: [spoken], usage: tokens }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'served' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: tokens,
}
const counted = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
const candidate = (parts: readonly Json[], more: Json = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
})
const served = { text: 'served' }

export const rawAnswers: Readonly<Record<TextUpstream, RawAnswer>> = {
  openai: {
    body: {
      id: 'c1',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'served' }, finish_reason: 'stop' }],
      usage: chatUsage,
    },
    events: [
      { id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: 'served' } }] },
      { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'c1', choices: [], usage: chatUsage },
    ],
    unknown: {
      body: {
        id: 'c1',
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: [{ type: 'x_part' }, { type: 'text', text: 'served' }] },
            finish_reason: 'stop',
          },
        ],
        usage: chatUsage,
      },
      events: [{ id: 'c1', choices: [{ index: 0, delta: { content: [{ type: 'x_part' }] } }] }],
      name: 'choices[0].message.content[0] (x_part)',
    },
  },
  responses: {
    body: response,
    events: [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'served' },
      { type: 'response.completed', response },
    ],
    unknown: {
      body: { ...response, output: [{ type: 'x_thing', data: {} }, spoken] },
      events: [
        { type: 'response.output_item.added', output_index: 0, item: { type: 'x_thing', data: {} } },
        { type: 'response.x_thing_output.delta', output_index: 0, delta: { stdout: 'a' } },
      ],
      name: 'output[0] (x_thing)',
    },
  },
  anthropic: {
    body: message,
    events: [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'served' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: tokens },
      { type: 'message_stop' },
    ],
    unknown: {
      body: { ...message, content: [{ type: 'x_block', text: {} }, ...message.content] },
      events: [
        { type: 'content_block_start', index: 0, content_block: { type: 'x_block' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'x_delta', text: {} } },
        { type: 'content_block_stop', index: 0 },
      ],
      name: 'content[0] (x_block)',
    },
  },
  gemini: {
    body: { ...candidate([served], { finishReason: 'STOP' }), usageMetadata: counted },
    events: [
      candidate([served]),
      { ...candidate([{ text: '' }], { finishReason: 'STOP' }), usageMetadata: counted },
    ],
    unknown: {
      body: { ...candidate([{ xThing: {} }, served], { finishReason: 'STOP' }), usageMetadata: counted },
      events: [candidate([{ xThing: {} }])],
      name: 'candidates[0].content.parts[0] (xThing)',
    },
  },
}

/** The events as their vendor frames them. */
export function framed(name: TextUpstream, events: readonly Json[]): string {
  const text = events.map((event) => {
    const head = typeof event.type === 'string' ? `event: ${event.type}\n` : ''
    return `${head}data: ${JSON.stringify(event)}\n\n`
  })
  return text.join('') + (name === 'openai' ? 'data: [DONE]\n\n' : '')
}

/** Answers every call alike, whatever it asked for. */
export function answers(type: string, body: string): ScriptedBehaviour {
  return ({ response: reply }) => {
    reply.writeHead(200, { 'content-type': type })
    reply.end(body)
  }
}

export const asJson = (body: Json) => answers('application/json', JSON.stringify(body))
export const asEvents = (name: TextUpstream, events: readonly Json[]) =>
  answers('text/event-stream', framed(name, events))
