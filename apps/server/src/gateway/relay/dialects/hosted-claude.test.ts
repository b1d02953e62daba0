import { describe, expect, it } from 'bun:test'
import {
  anthropicMessages,
  type ChatCodec,
  gemini,
  openAiChat,
  openAiResponses,
  RequestFault,
  scanTopLevel,
} from '@tollgate/formats'
import { type Operation, providers, type Target } from '@tollgate/providers'
import { encodeBody, type UpstreamBody } from '../../../upstream/call-body.ts'
import { parseOwn } from '../bodies/parsed-text.ts'
import { ChatCallRequest } from './chat-request.ts'

const model = 'claude-haiku-4-5'
const plain: Target = { baseUrl: '', key: 'k', upstreamModel: model, openaiOrganization: '', other: '' }
const account = JSON.stringify({ project_id: 'p', client_email: 'a', private_key: 'b' })
const resource = 'https://r.services.ai.azure.com'
const channels: readonly (readonly [string, string, Target])[] = [
  ['Bedrock', 'aws', { ...plain, key: 'k|us-east-1' }],
  ['Vertex AI', 'vertex', { ...plain, key: account }],
  ['Foundry', 'azure-ai-foundry', { ...plain, baseUrl: resource }],
  ['Foundry by address', 'anthropic', { ...plain, baseUrl: `${resource}/anthropic` }],
]

function operationsOf(id: string, target: Target): readonly (readonly [string, Operation])[] {
  const provider = providers.find((each) => each.id === id)
  const chat = provider?.operation('chat', target, 'anthropic-messages')
  const count = provider?.counting?.(target)
  if (chat === undefined || count === undefined) throw new Error(`${id} does not serve Claude`)
  return [
    ['call', chat],
    ['count', count],
  ]
}

function requestOf(codec: ChatCodec, text: string, stream: boolean): ChatCallRequest {
  const native = parseOwn(text)
  const facts = codec.inspectRequest(native.body, { model, stream })
  const counting = { roughPrompt: () => 1, countPrompt: async () => 1, countDelivered: async () => 1 }
  return new ChatCallRequest(codec, native, facts, { model, stream }, { counting, maxFrameBytes: 1 })
}

function sent(request: ChatCallRequest, operation: Operation, headers: Record<string, string> = {}) {
  const made = encodeBody(request, { operation, upstreamModel: model, override: null, headers })
  return { ...made, body: bodyIn(made, operation) }
}

/** The body itself, where it travels inside of another. */
function bodyIn({ text }: UpstreamBody, { enclosure }: Operation): string {
  const written = Array.isArray(text) ? text.join('') : String(text)
  if (enclosure === undefined) return written
  const encoded = written.slice(enclosure.before.length, -enclosure.after.length)
  return Buffer.from(encoded, 'base64').toString()
}

const betas = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'prompt-caching-scope-2026-01-05',
  'advanced-tool-use-2025-11-20',
  'fine-grained-tool-streaming-2025-05-14',
  'cache-diagnosis-2026-04-07',
  'fast-mode-2026-02-01',
].join(',')

const mark = '{"type":"ephemeral","ttl":"1h","scope":"global"}'
/** Request as agents write it, with a number that parsing would change and members of betas at each position. */
const agentRequest = `{"model":"${model}","max_tokens":100, "speed":"fast","diagnostics":{"previous_message_id":"m"},
  "service_tier":"auto","inference_geo":"us","new_field":{"a":1},"context_management":{"edits":[{"type":"clear_thinking_20251015"}]},
  "system":[{"type":"text","text":"s","cache_control":${mark}}],
  "tools":[{"name":"f","input_schema":{"type":"object","properties":{"scope":{"const":9007199254740993123}}},
    "eager_input_streaming":true,"defer_loading":true,"strict":false,"cache_control":${mark}}],
  "messages":[{"role":"user","content":[{"type":"text","text":"\\u00e9","cache_control":${mark}}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"scope":9007199254740993123,"defer_loading":1}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x","cache_control":${mark}},
      {"type":"tool_reference","tool_name":"f"}]}]}]}`

describe.each(channels)('%s', (name, id, target) => {
  const isFoundry = name.startsWith('Foundry')

  it.each(operationsOf(id, target))('gets no member without its beta: %s', (_, operation) => {
    for (const stream of [false, true]) {
      const request = requestOf(anthropicMessages, agentRequest, stream)
      const { body, dropped } = sent(request, operation, { 'anthropic-beta': betas })
      const gone = ['"diagnostics"', '"speed"', '"inference_geo"']
      const goneAtClouds = ['"scope":"global"', '"eager_input', '"defer_loading":true', '"tool_reference"']
      for (const member of [
        ...gone,
        ...(isFoundry ? [] : [...goneAtClouds, '"service_tier"', '"new_field"']),
      ])
        expect(body).not.toContain(member)
      expect(dropped).toContain('diagnostics (cache-diagnosis)')
      expect(dropped.includes('system.cache_control.scope (prompt-caching-scope)')).toBe(!isFoundry)
      expect(dropped.includes('new_field')).toBe(!isFoundry)
    }
  })

  it.each(operationsOf(id, target))('gets the rest byte for byte: %s', (_, operation) => {
    const { body } = sent(requestOf(anthropicMessages, agentRequest, false), operation, {
      'anthropic-beta': betas,
    })
    expect(body).toContain(
      '"input_schema":{"type":"object","properties":{"scope":{"const":9007199254740993123}}}',
    )
    expect(body).toContain('"input":{"scope":9007199254740993123,"defer_loading":1}')
    expect(body).toContain('"text":"\\u00e9"')
    expect(body).toContain('"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}')
    expect(body).toContain('"ttl":"1h"')
    expect(scanTopLevel(body, 64).ok).toBe(true)
  })

  it.each(operationsOf(id, target))(
    'refuses what changes the response, before anything is sent: %s',
    (_, operation) => {
      const withTools = (tools: object, more: object = {}) =>
        JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'x' }], tools, ...more })
      const advisor = { type: 'advisor_20260301', name: 'advisor', model }
      const refuse = (text: string) => () => sent(requestOf(anthropicMessages, text, false), operation)
      expect(refuse(withTools([{ name: 'f', input_schema: {} }, advisor]))).toThrow(RequestFault)
      expect(refuse(withTools([{ name: 'f', input_schema: {} }, advisor]))).toThrow(
        'tools[1] is not supported',
      )
      const code = withTools([], { container: 'c' })
      if (isFoundry) expect(refuse(code)).not.toThrow()
      else expect(refuse(code)).toThrow('container is not supported')
    },
  )

  it('gets the schema of a response where it knows it, byte for byte', () => {
    const schema = '{"type":"json_schema","schema":{"const":9007199254740993123}}'
    const text = (config: string) =>
      `{"model":"${model}","messages":[{"role":"user","content":"x"}],${config}"output_format":${schema}}`
    for (const [, operation] of operationsOf(id, target))
      for (const [before, after] of [
        ['', `"output_config":{"format":${schema}}`],
        ['"output_config":{"later":1},', `"output_config":{"later":1,"format":${schema}}`],
      ] as const) {
        const { body } = sent(requestOf(anthropicMessages, text(before), false), operation)
        expect(body).toContain(isFoundry ? `"output_format":${schema}` : after)
      }
  })

  it.each([
    [
      'Chat Completions',
      openAiChat,
      {
        model,
        service_tier: 'auto',
        messages: [
          { role: 'system', content: [{ type: 'text', text: 's', cache_control: JSON.parse(mark) }] },
          { role: 'user', content: [{ type: 'text', text: 'x', cache_control: JSON.parse(mark) }] },
        ],
        tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: { type: 'object' } } }],
      },
    ],
    ['Responses', openAiResponses, { model, service_tier: 'auto', instructions: 's', input: 'x' }],
    ['Gemini', gemini, { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }],
  ] as const)('gets nothing that it refuses from callers of %s', (_, codec, body) => {
    for (const [, operation] of operationsOf(id, target))
      for (const stream of [false, true]) {
        const text = sent(requestOf(codec, JSON.stringify(body), stream), operation).body
        expect(text).toContain('"messages"')
        expect(text).not.toContain('"scope"')
        if (!isFoundry) expect(text).not.toContain('"service_tier"')
      }
  })
})
