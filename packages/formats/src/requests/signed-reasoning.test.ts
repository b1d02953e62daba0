import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../codecs.ts'
import type { JsonObject } from '../json/value.ts'
import { refusesSignedReasoning, withoutSignedReasoning } from './signed-reasoning.ts'

/** Refusals that people reported, in the form of their vendor. */
const refusals = {
  'openai-responses': [
    {
      code: 'invalid_encrypted_content',
      message: 'The encrypted content gAAA...c90= could not be verified.',
    },
    {
      code: null,
      message:
        'The encrypted content for item rs_0a could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
    },
    { code: null, message: 'Could not decrypt the provided encrypted_content.' },
    {
      code: null,
      message:
        "Item with id 'rs_0a1b' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    },
    {
      code: null,
      message: "Item 'rs_0a1b' of type 'reasoning' was provided without its required following item.",
    },
    {
      code: null,
      message:
        "Item 'fc_0a1b' of type 'function_call' was provided without its required 'reasoning' item: 'rs_0a1b'.",
    },
  ],
  'anthropic-messages': [
    { message: 'messages.1.content.0: Invalid `signature` in `thinking` block' },
    { message: 'messages.3.content.0.thinking.signature: Field required' },
    { message: 'messages.1.content.0: Invalid `data` in `redacted_thinking` block' },
    {
      message:
        'messages.5.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    },
  ],
  gemini: [
    { message: 'Corrupted thought signature.' },
    { message: 'Invalid thought signature.' },
    { message: 'Thought signature is not valid.' },
    {
      message:
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
    },
  ],
  'openai-chat': [{ code: null, message: 'messages.1.content.0: Invalid `signature` in `thinking` block' }],
} as const

const others = [
  'messages.1.content.0: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  '`max_tokens` must be greater than `thinking.budget_tokens`.',
  'The request signature we calculated does not match the signature you provided.',
  'Invalid value for reasoning.encrypted_content.',
  'Unknown parameter: include[0] reasoning.encrypted_content',
  "Item with id 'msg_0a1b' not found.",
  'No tool output found for function call call_1.',
]

function decoded(format: keyof typeof refusals, error: object, status = 400) {
  const named = { status: 'INVALID_ARGUMENT', type: 'invalid_request_error', ...error }
  const body = format === 'gemini' ? { error: { ...named, code: status } } : { type: 'error', error: named }
  return chatCodecs[format].decodeError({ status, body: JSON.stringify(body), headers: {} })
}

describe('refusesSignedReasoning', () => {
  for (const [format, errors] of Object.entries(refusals) as [keyof typeof refusals, readonly object[]][])
    it.each([...errors])(`recognises what ${format} says: %j`, (error) => {
      expect(refusesSignedReasoning(decoded(format, error))).toBe(true)
    })

  it.each(others)('leaves other refusals to the caller: %s', (message) => {
    for (const format of ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)
      expect(refusesSignedReasoning(decoded(format, { message }))).toBe(false)
  })

  it('needs a refusal of the request, and no trouble of the account', () => {
    const [first] = refusals['anthropic-messages']
    for (const status of [401, 403, 429, 500, 529])
      expect(refusesSignedReasoning(decoded('anthropic-messages', first, status))).toBe(false)
  })
})

/** A body as it is sent, and as it is sent again without its signed reasoning. */
const bodies: readonly (readonly [string, string, JsonObject, JsonObject])[] = [
  [
    'thinking of Claude, and the budget that its calls would need',
    'anthropic-messages',
    {
      model: 'claude',
      thinking: { type: 'enabled', budget_tokens: 2000 },
      context_management: {
        edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses' }],
      },
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a', signature: 'secret' },
            { type: 'redacted_thinking', data: 'secret' },
            { type: 'tool_use', id: 't', name: 'f', input: { n: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
      ],
    },
    {
      model: 'claude',
      thinking: { type: 'disabled' },
      context_management: { edits: [{ type: 'clear_tool_uses' }] },
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { n: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
      ],
    },
  ],
  [
    'thinking without a signature, and a message that is nothing else; thinking stays on for a new question',
    'anthropic-messages',
    {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'a' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a', signature: '' },
            { type: 'text', text: 'b' },
          ],
        },
        { role: 'user', content: 'next' },
      ],
    },
    {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
        { role: 'user', content: 'next' },
      ],
    },
  ],
  [
    'adaptive thinking, which takes calls without any',
    'anthropic-messages',
    {
      thinking: { type: 'adaptive' },
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a', signature: 'secret' },
            { type: 'tool_use', id: 't', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
      ],
    },
    {
      thinking: { type: 'adaptive' },
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
      ],
    },
  ],
  [
    'encrypted reasoning with the ids of what it led to; a compacted conversation stays',
    'openai-responses',
    {
      input: [
        { type: 'compaction', id: 'c', encrypted_content: 'all' },
        { type: 'message', role: 'user', content: 'hi', id: 'msg_u' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' },
        { type: 'function_call', id: 'fc_1', call_id: 'k', name: 'f', arguments: '{"n":1.0}' },
        { type: 'function_call_output', id: 'fco', call_id: 'k', output: 'ok' },
        { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      ],
    },
    {
      input: [
        { type: 'compaction', id: 'c', encrypted_content: 'all' },
        { type: 'message', role: 'user', content: 'hi', id: 'msg_u' },
        { type: 'function_call', call_id: 'k', name: 'f', arguments: '{"n":1.0}' },
        { type: 'function_call_output', id: 'fco', call_id: 'k', output: 'ok' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      ],
    },
  ],
  [
    'signatures of Gemini in both spellings, and the call that lacks one',
    'gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [
            { text: 'a', thought: true, thoughtSignature: 'secret' },
            { functionCall: { name: 'f', args: { n: 1 } }, thoughtSignature: 'secret' },
            { functionCall: { name: 'g', args: {} } },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
        { role: 'model', parts: [{ function_call: { name: 'f' }, thought_signature: 'secret' }] },
        { role: 'model', parts: [{ functionCall: { name: 'h' } }] },
      ],
    },
    {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [
            { text: 'a', thought: true },
            {
              functionCall: { name: 'f', args: { n: 1 } },
              thoughtSignature: 'skip_thought_signature_validator',
            },
            { functionCall: { name: 'g', args: {} } },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
        {
          role: 'model',
          parts: [{ function_call: { name: 'f' }, thoughtSignature: 'skip_thought_signature_validator' }],
        },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'h' }, thoughtSignature: 'skip_thought_signature_validator' }],
        },
      ],
    },
  ],
  [
    'what other gateways put into Chat Completions; the reasoning as text stays',
    'openai-chat',
    {
      messages: [
        {
          role: 'assistant',
          content: 'b',
          reasoning_content: 'a',
          thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: 'secret' }],
          reasoning_details: [{ type: 'reasoning.encrypted', data: 'secret' }],
          tool_calls: [
            {
              id: 't',
              type: 'function',
              function: { name: 'f', arguments: '{}' },
              extra_content: { google: { thought_signature: 'secret' } },
            },
          ],
        },
      ],
    },
    {
      messages: [
        {
          role: 'assistant',
          content: 'b',
          reasoning_content: 'a',
          tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
      ],
    },
  ],
  [
    'reasoning at Bedrock',
    'bedrock-converse',
    {
      messages: [
        {
          role: 'assistant',
          content: [{ reasoningContent: { reasoningText: { text: 'a', signature: 'secret' } } }],
        },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { redactedContent: 'secret' } },
            { toolUse: { toolUseId: 't', name: 'f', input: {} } },
          ],
        },
      ],
    },
    { messages: [{ role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'f', input: {} } }] }] },
  ],
]

const names = [
  'anthropic-messages',
  'openai-responses',
  'openai-compaction',
  'openai-chat',
  'gemini',
  'bedrock-converse',
]

describe('withoutSignedReasoning', () => {
  it.each(bodies)('takes out %s (%s)', (_what, format, before, after) => {
    const text = withoutSignedReasoning(format, JSON.stringify(before)) ?? ''
    expect(JSON.parse(text)).toEqual(after)
    expect(withoutSignedReasoning(format, text)).toBeUndefined()
  })

  it('leaves all numbers as they are written', () => {
    const part =
      '{"functionCall":{"name":"f","args":{"n":12345678901234567890.10}},"thoughtSignature":"secret"}'
    const text = `{"contents":[{"role":"model","parts":[${part}]}],"seed":1.0}`
    const edited = withoutSignedReasoning('gemini', text)
    expect(edited).toContain('"n":12345678901234567890.10')
    expect(edited).toContain('"seed":1.0')
  })

  it('finds none in any other body, and throws for none', () => {
    const odd: readonly unknown[] = [
      null,
      1,
      'x',
      [],
      {},
      [null],
      [[]],
      [{ role: 'assistant', content: [null, 1] }],
    ]
    for (const format of [...names, 'cohere-chat', 'toString'])
      for (const value of odd)
        expect(
          withoutSignedReasoning(format, JSON.stringify({ messages: value, input: value, contents: value })),
        ).toBeUndefined()
    expect(withoutSignedReasoning('gemini', '[]')).toBeUndefined()
  })
})
