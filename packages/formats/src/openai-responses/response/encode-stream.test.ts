import { describe, expect, it } from 'bun:test'
import type { EncodeContext } from '../../canonical/codec.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import type { JsonObject } from '../../json/value.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { usageOf } from '../../usage.ts'
import { openAiResponses } from '../codec.ts'

const { encodeStream, encodeResponse, encodeStreamError } = openAiResponses
const usage = usageOf({ inputTokens: 5, cacheReadTokens: 4, outputTokens: 3, reasoningTokens: 1 })
const plain: EncodeContext = {
  model: 'asked',
  responseId: 'r1',
  createdAt: 5,
  includeUsage: true,
  estimatedInputTokens: 1,
}
const candidate = 0
const start: ChatPart = { type: 'start', id: 'chatcmpl-1', model: 'm', createdAt: 9 }
const text = (stated: string): ChatPart => ({ type: 'text-delta', candidate, text: stated })
const stop = (reason: 'stop' | 'length' | 'tool-calls' | 'refused'): ChatPart => ({
  type: 'stop',
  candidate,
  stop: { reason },
})
const callParts = (call: number, name: string, json: string, id = `call_${call}`): readonly ChatPart[] => [
  { type: 'tool-call-start', candidate, call, id, name },
  { type: 'tool-call-delta', candidate, call, arguments: json },
  { type: 'tool-call-end', candidate, call },
]

interface Event extends JsonObject {
  readonly type: string
  readonly response: { readonly output: readonly JsonObject[] } & JsonObject
}

function events(parts: readonly ChatPart[], call = plain): readonly Event[] {
  const state = encodeStream.start(call)
  const frames = [
    ...parts.flatMap((part) => encodeStream.step(state, part)),
    ...encodeStream.finish(state, usage),
  ]
  return frames.map(({ event, data }) => {
    const parsed = JSON.parse(data)
    expect(event).toBe(parsed.type)
    return parsed
  })
}

/** The output of the last event; the same response as a whole has the same. */
function outputOf(parts: readonly ChatPart[], call = plain): readonly JsonObject[] {
  const last = events(parts, call).at(-1)?.response
  const complete = encodeResponse({ ...collectResponse(parts), usage }, call) as object
  expect(complete).toEqual(last ?? {})
  return last?.output ?? []
}

describe('the events of a stream', () => {
  it('come in the order of the API, numbered, with the whole response at the end', () => {
    const stated = events([start, { type: 'open', candidate }, text('Hi '), text('you'), stop('stop')])
    expect(stated.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    expect(stated.map(({ sequence_number }) => sequence_number)).toEqual(stated.map((_, index) => index))
    expect(stated[4]).toMatchObject({ item_id: 'msg_r1_0', output_index: 0, content_index: 0, delta: 'Hi ' })
    expect(stated.at(-1)?.response).toMatchObject({
      id: 'resp_r1',
      object: 'response',
      created_at: 9,
      model: 'asked',
      status: 'completed',
      error: null,
      incomplete_details: null,
      output: [
        {
          id: 'msg_r1_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi you', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 12,
      },
    })
  })

  it('say a response without a word, too', () => {
    expect(events([]).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.completed',
    ])
  })

  it('keep the id of an upstream that speaks this format', () => {
    expect(events([{ ...start, id: 'resp_own' }]).at(-1)?.response).toMatchObject({ id: 'resp_own' })
  })

  it('repeat what the caller asked', () => {
    const echo = openAiResponses.echoOf?.({
      model: 'm',
      input: [{ type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] }],
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'look' }],
      temperature: 0.5,
      store: true,
      user: null,
    })
    const stated = events([text('Hi')], { ...plain, ...(echo && { echo }) })
    for (const position of [0, -1])
      expect(stated.at(position)?.response).toMatchObject({
        instructions: 'Be brief.',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'custom', name: 'exec' },
        ],
        temperature: 0.5,
        top_p: 1,
        store: true,
        user: null,
        tool_choice: 'auto',
      })
  })

  it('tell the end of a response that ran into its limit as incomplete', () => {
    const last = events([text('Hi'), stop('length')]).at(-1)
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete' }],
      },
    })
  })
})

describe('items', () => {
  it('of parallel calls go on side by side, each at its own place', () => {
    const [first, second] = [callParts(0, 'look', '{"a":1}'), callParts(1, 'look', '{"b":2}')]
    const mixed = [first[0], second[0], second[1], first[1], second[2], first[2]] as readonly ChatPart[]
    const deltas = events(mixed).filter(({ type }) => type === 'response.function_call_arguments.delta')
    expect(deltas.map(({ output_index, delta }) => [output_index, delta])).toEqual([
      [1, '{"b":2}'],
      [0, '{"a":1}'],
    ])
    expect(outputOf([start, ...mixed, stop('tool-calls')])).toMatchObject([
      { type: 'function_call', call_id: 'call_0', name: 'look', arguments: '{"a":1}', status: 'completed' },
      { call_id: 'call_1', arguments: '{"b":2}' },
    ])
  })

  it('of calls without id or arguments get both', () => {
    const [item] = outputOf([start, ...callParts(0, 'look', '', ''), stop('tool-calls')])
    expect(item).toMatchObject({ call_id: 'call_r1_0', arguments: '{}' })
  })

  it('of custom and namespaced tools have the names and forms that the caller knows', () => {
    const tools = [
      { type: 'custom', name: 'patch' },
      { type: 'namespace', name: 'files', tools: [{ type: 'function', name: 'look' }] },
    ]
    const parts = [
      start,
      ...callParts(0, 'patch', '{"input":"*** Begin"}'),
      ...callParts(1, 'files__look', '{}'),
      stop('tool-calls'),
    ]
    const call = { ...plain, echo: { tools } }
    expect(outputOf(parts, call)).toMatchObject([
      { id: 'ctc_r1_0', type: 'custom_tool_call', call_id: 'call_0', name: 'patch', input: '*** Begin' },
      { type: 'function_call', name: 'look', namespace: 'files', arguments: '{}' },
    ])
    const types = events(parts, call).map(({ type }) => type)
    expect(types).toContain('response.custom_tool_call_input.delta')
    expect(types).toContain('response.custom_tool_call_input.done')
  })

  it('of reasoning carry its signature, from every upstream', () => {
    const reasoning: ChatPart = { type: 'reasoning-delta', candidate, text: 'Hm.' }
    const signature = { vendor: 'anthropic', value: 'Er' } as const
    const encrypted = { vendor: 'openai', value: 'gA' } as const
    const output = outputOf([
      start,
      reasoning,
      { type: 'reasoning-signature', candidate, signature },
      reasoning,
      { type: 'reasoning-encrypted', candidate, encrypted },
      reasoning,
      text('So.'),
      stop('stop'),
    ])
    const summary = [{ type: 'summary_text', text: 'Hm.' }]
    expect(output).toMatchObject([
      { type: 'reasoning', summary, encrypted_content: 'tollgate.reasoning.anthropic.Er' },
      { type: 'reasoning', summary, encrypted_content: 'gA' },
      { type: 'reasoning', summary, encrypted_content: 'tollgate.unsigned.none.' },
      { type: 'message' },
    ])
  })

  it('of signed texts and calls have the signature beside them', () => {
    const signature = { vendor: 'gemini', value: 'Ci' } as const
    const [started, ...rest] = callParts(0, 'look', '{}')
    const parts = [
      start,
      text('Hi'),
      { type: 'text-signature', candidate, signature } as const,
      { ...started, signature } as ChatPart,
      ...rest,
      stop('tool-calls'),
    ]
    expect(outputOf(parts)).toMatchObject([
      { type: 'message' },
      { type: 'reasoning', summary: [], encrypted_content: 'tollgate.text.gemini.Ci' },
      { type: 'reasoning', encrypted_content: 'tollgate.tool-call.gemini.Ci' },
      { type: 'function_call' },
    ])
  })

  it('of images are calls of their generator; other media are linked', () => {
    const source = { type: 'base64', mediaType: 'image/webp', data: 'UklG' } as const
    const film = {
      type: 'media',
      kind: 'video',
      source: { type: 'url', url: 'https://a.example/v' },
    } as const
    const parts: readonly ChatPart[] = [
      start,
      { type: 'media', candidate, media: { type: 'media', kind: 'image', source } },
      { type: 'media', candidate, media: film },
      stop('stop'),
    ]
    expect(outputOf(parts)).toMatchObject([
      { id: 'ig_r1_0', type: 'image_generation_call', result: 'UklG', output_format: 'webp' },
      { type: 'message', content: [{ text: '[video](https://a.example/v)' }] },
    ])
  })

  it('of messages hold refusals, citations and log probabilities', () => {
    const parts: readonly ChatPart[] = [
      start,
      text('Hi'),
      { type: 'logprobs', candidate, logprobs: [{ token: 'Hi', logprob: -1, top: [] }] },
      { type: 'citation', candidate, citation: { url: 'https://a.example', title: 'A', text: '' } },
      { type: 'refusal-delta', candidate, text: 'No.' },
      stop('refused'),
    ]
    expect(outputOf(parts)).toMatchObject([
      {
        content: [
          {
            type: 'output_text',
            annotations: [{ type: 'url_citation', url: 'https://a.example', title: 'A' }],
            logprobs: [{ token: 'Hi', logprob: -1 }],
          },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
    ])
  })
})

it('ends a stream that fails with an error event and a failed response', () => {
  const error = { status: 502, message: 'gone', type: 'upstream_error', param: null, code: null }
  const [first, second] = encodeStreamError(error, { model: 'm', responseId: 'r1', createdAt: 1 })
  expect(JSON.parse(first?.data ?? '')).toMatchObject({
    type: 'error',
    message: 'gone',
    error: { message: 'gone' },
  })
  expect(JSON.parse(second?.data ?? '')).toMatchObject({
    type: 'response.failed',
    response: { id: 'resp_r1', status: 'failed', error: { code: 'server_error', message: 'gone' } },
  })
})
