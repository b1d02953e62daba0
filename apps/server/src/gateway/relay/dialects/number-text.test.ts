import { describe, expect, it } from 'bun:test'
import { anthropicMessages, gemini, type JsonObject, openAiChat, openAiResponses } from '@tollgate/formats'
import { providerFor } from '@tollgate/providers'
import { parseParamOverride } from '../../../channels/routing/channel-fields.ts'
import { encodeBody } from '../../../upstream/call-body.ts'
import { readJson } from './chat-dialect.ts'
import { ChatCallRequest } from './chat-request.ts'

const counting = {
  roughPrompt: () => 1,
  countPrompt: async () => 1,
  countDelivered: async () => 1,
} as never // Nothing here counts tokens.

const codecs = {
  '/v1/chat/completions': openAiChat,
  '/v1/responses': openAiResponses,
  '/v1/messages': anthropicMessages,
  '/v1beta': gemini,
}

function request(path: keyof typeof codecs, text: string): ChatCallRequest {
  const codec = codecs[path]
  const native = readJson(text, 100)
  const facts = codec.inspectRequest(native.body, { model: 'm' })
  return new ChatCallRequest(codec, native, facts, { model: 'm' }, { counting, maxFrameBytes: 1000 })
}

/** The text that an upstream of a channel type receives. */
function sent(type: number, call: ChatCallRequest, override = '', model = 'm'): string {
  const target = { baseUrl: '', key: 'k', upstreamModel: model, openaiOrganization: '', other: '' }
  const operation = providerFor(type)?.operation('chat', target, call.format)
  if (operation === undefined) throw new Error(`channels of type ${type} serve no chat`)
  const { text } = encodeBody(call, {
    operation,
    upstreamModel: model,
    override: parseParamOverride(override),
  })
  if (typeof text === 'object' && 'pieces' in text) throw new Error('a form')
  return typeof text === 'string' ? text : text.join('')
}

const long = '9007199254740993123'
const chatCall = (args: string, more: JsonObject = {}) =>
  JSON.stringify({
    model: 'm',
    messages: [
      { role: 'developer', content: 'be kind' },
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: args } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', maximum: 7 } } }],
    ...more,
  })

describe('long numbers of a request', () => {
  it.each<[string, keyof typeof codecs, string, number, string]>([
    [
      'arguments of Chat as input of Messages',
      '/v1/chat/completions',
      chatCall(`{"id":${long}}`),
      14,
      `"input":{"id":${long}}`,
    ],
    [
      'input of Messages as arguments of Chat',
      '/v1/messages',
      `{"model":"m","max_tokens":10,"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":${long}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}`,
      1,
      `{\\"id\\":${long}}`,
    ],
    [
      'a schema of Messages as one of Chat',
      '/v1/messages',
      '{"model":"m","max_tokens":10,"messages":[{"role":"user","content":"go"}],"tools":[{"name":"f","input_schema":{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}}]}',
      1,
      '"maximum":9223372036854775807',
    ],
    [
      'arguments of Gemini as those of Chat',
      '/v1beta',
      `{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{"id":1e400}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"id":-0}}}]}]}`,
      1,
      '{\\"id\\":1e400}',
    ],
  ])('are sent as they were written: %s', (_name, path, text, type, expected) => {
    expect(sent(type, request(path, text))).toContain(expected)
  })

  const inMessages = chatCall('{}').replace('"content":"r"', `"content":"r","mark":[${long},1.0]`)

  it.each([
    ['of a provider that edits messages', 43, '', '"role":"system","content":"be kind"'],
    [
      'of an operator that adds a message',
      1,
      '{"operations":[{"mode":"append","path":"messages","value":{"role":"user","content":"x"}}]}',
      '{"role":"user","content":"x"}',
    ],
    [
      'of an operator that changes one',
      1,
      '{"operations":[{"mode":"set","path":"messages.0.content","value":"x"}]}',
      '"role":"developer","content":"x"',
    ],
  ])('pass through the edits %s', (_name, type, override, edited) => {
    const body = sent(type, request('/v1/chat/completions', inMessages), override)
    expect(body).toContain(edited)
    expect(body).toContain(`"mark":[${long},1.0]`)
  })

  it('are those of the operator, in fields and in values of operations', () => {
    const override = `{"seed":${long},"operations":[{"mode":"set","path":"metadata.id","value":${long}}]}`
    const body = sent(1, request('/v1/chat/completions', chatCall('{}', { metadata: { x: 1 } })), override)
    expect(body).toContain(`"seed":${long}`)
    expect(body).toContain(`"metadata":{"x":1,"id":${long}}`)
  })

  it('compare as numbers in conditions', () => {
    const text = chatCall('{}').replace('"maximum":7', '"maximum":7.0')
    const at = 'tools.0.function.parameters.maximum'
    const override = (mode: string, value: number) =>
      JSON.stringify({
        operations: [{ mode: 'set', path: 'mark', value: 1, conditions: [{ path: at, mode, value }] }],
      })
    const isSet = (mode: string, value: number) =>
      sent(1, request('/v1/chat/completions', text), override(mode, value)).includes('"mark":1')
    expect([isSet('full', 7), isSet('gte', 7), isSet('gt', 7)]).toEqual([true, true, false])
  })

  it('survive in a body whose large literals are cut and restored', () => {
    const image = `data:image/png;base64,${'iVBORw0KGgo'.padEnd(600_000, 'Ab0+')}`
    const text = chatCall(`{"id":${long}}`).replace(
      '"content":"go"',
      `"content":[{"type":"image_url","image_url":{"url":"${image}"}},{"type":"text","text":"go"}]`,
    )
    const withMark = text.replace('"maximum":7', `"maximum":${long}`)
    const call = request('/v1/chat/completions', withMark)
    expect(call.restore).toBeDefined()
    const translated = sent(14, call, '', 'claude-sonnet-4-5')
    expect(translated).toContain(`"maximum":${long}`)
    expect(translated).toContain(image.slice(22))
    const edited = sent(1, call, '{"operations":[{"mode":"set","path":"tools.0.mark","value":1}]}')
    expect(edited).toContain(`"maximum":${long}`)
  })
})
