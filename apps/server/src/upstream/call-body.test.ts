import { describe, expect, it } from 'bun:test'
import {
  anthropicMessages,
  type ChatCodec,
  decodeErrorBody,
  openAiChat,
  RequestFault,
  scanTopLevel,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { parseOperations } from './body-operations/parse-operations.ts'
import { type CallBody, canCarry, encodeBody } from './call-body.ts'

function operation(codec: ChatCodec, more: Partial<Operation> = {}): Operation {
  return {
    format: codec.format,
    codec,
    framing: 'sse',
    streamOptions: true,
    endpoint: () => ({ url: 'http://upstream.test/', headers: {} }),
    decodeError: (failure) => decodeErrorBody(failure),
    ...more,
  }
}

function bodyOf(
  codec: ChatCodec,
  body: Readonly<Record<string, unknown>>,
  text = JSON.stringify(body),
): CallBody {
  const scan = scanTopLevel(text, 32)
  if (!scan.ok) throw new Error(scan.reason)
  const native = { text, scan, body }
  const facts = codec.inspectRequest(body, {})
  return {
    format: codec.format,
    native,
    nativeEdits: (target) => codec.nativeEdits(native, facts, target),
    canonical: () => codec.decodeRequest(body, {}),
  }
}

const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const target = { upstreamModel: 'm', override: null }

describe('encodeBody', () => {
  it('forwards a body of the same format byte for byte, odd spacing and unknown fields included', () => {
    const text = '{ "model" : "m", "x":1.0e3 ,"messages":[ {"role":"user","content":"h\\u00e9"} ] }'
    const body = bodyOf(openAiChat, JSON.parse(text), text)
    expect(encodeBody(body, { ...target, operation: operation(openAiChat) }).text).toBe(text)
    const renamed = encodeBody(body, { ...target, upstreamModel: 'n', operation: operation(openAiChat) })
    expect(renamed.text).toBe(text.replace('"m"', '"n"'))
  })

  it('lets the operator override everything of the upstream but whether the response streams', () => {
    const quirks = () => new Map([['temperature', '0.5']])
    const override = { temperature: 1, stream: true, extra: { a: 1 } }
    const { text } = encodeBody(bodyOf(openAiChat, chat), {
      upstreamModel: 'm',
      override: { fields: override, operations: [] },
      operation: operation(openAiChat, { quirks }),
    })
    expect(JSON.parse(String(text))).toEqual({ ...chat, temperature: 1, extra: { a: 1 } })
  })

  it("does the operator's operations on what was edited before, and writes what they changed anew", () => {
    const text = '{"model":"m", "messages":[{"role":"user","content":"Hi"}], "temperature":1.50}'
    const { text: sent } = encodeBody(bodyOf(openAiChat, JSON.parse(text), text), {
      upstreamModel: 'n-think',
      callerModel: 'm',
      override: {
        fields: { top_p: 1 },
        operations: parseOperations([
          {
            mode: 'set',
            path: 'thinking.type',
            value: 'enabled',
            conditions: [{ path: 'original_model', mode: 'full', value: 'm' }],
          },
          { mode: 'trim_suffix', path: 'model', value: '-think' },
          { mode: 'delete', path: 'top_p' },
        ]),
      },
      operation: operation(openAiChat),
    })
    expect(sent).toBe(
      '{"model":"n", "messages":[{"role":"user","content":"Hi"}], "temperature":1.50,"thinking":{"type":"enabled"}}',
    )
  })

  it('translates a body of another format, and edits what it wrote', () => {
    const quirks = () => new Map([['model', undefined]])
    const { text } = encodeBody(bodyOf(openAiChat, { ...chat, max_tokens: 9 }), {
      upstreamModel: 'claude-haiku-4-5',
      override: { fields: { top_k: 3 }, operations: [] },
      operation: operation(anthropicMessages, { quirks }),
    })
    const sent = JSON.parse(String(text))
    expect(sent).toMatchObject({ max_tokens: 9, top_k: 3, messages: [{ role: 'user' }] })
    expect(sent.model).toBeUndefined()
  })

  it('says what cannot be carried instead of leaving it out', () => {
    const body = bodyOf(openAiChat, { ...chat, n: 3 })
    expect(() => encodeBody(body, { ...target, operation: operation(anthropicMessages) })).toThrow(
      RequestFault,
    )
  })
})

describe('canCarry', () => {
  it('is for the same format, or two formats that have a codec', () => {
    const { canonical: _, ...plain } = bodyOf(openAiChat, chat)
    expect(canCarry(bodyOf(openAiChat, chat), operation(anthropicMessages))).toBe(true)
    expect(canCarry(plain, operation(anthropicMessages))).toBe(false)
    expect(canCarry(plain, operation(openAiChat))).toBe(true)
  })
})
