import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import type { ChatCodec, EncodeContext, Frame, TextFrame } from '../canonical/codec.ts'
import type { AssistantPart, Signature } from '../canonical/request.ts'
import { gemini } from '../gemini/codec.ts'
import { type JsonObject, listOf, objectOf } from '../json/value.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { usageOf } from '../usage.ts'
import { attachSignatures, detachSignatures } from './foreign-signatures.ts'

const call: EncodeContext = {
  model: 'house',
  responseId: 'r1',
  createdAt: 7,
  includeUsage: true,
  estimatedInputTokens: 3,
}

/** A caller's dialect: how it returns what it received, and where a text alone keeps its signature. */
interface Dialect {
  readonly codec: ChatCodec
  outputOf(response: unknown): readonly JsonObject[]
  streamedOutput(frames: readonly TextFrame[]): readonly JsonObject[]
  next(output: readonly JsonObject[]): JsonObject
}

const look = { name: 'look', description: '', parameters: { type: 'object', properties: {} } }

const responses: Dialect = {
  codec: openAiResponses as ChatCodec,
  outputOf: (response) => listOf(objectOf(response).output).map(objectOf),
  streamedOutput: (frames) =>
    frames.flatMap(({ event, data }) =>
      event === 'response.output_item.done' ? [objectOf(JSON.parse(data).item)] : [],
    ),
  next: (output) => ({
    model: 'house',
    input: [
      { role: 'user', content: 'Go.' },
      ...output,
      ...output.flatMap(({ type, call_id }) =>
        type === 'function_call' ? { type: 'function_call_output', call_id, output: 'ok' } : [],
      ),
      { role: 'user', content: 'More.' },
    ],
    tools: [{ type: 'function', ...look }],
  }),
}

const messages: Dialect = {
  codec: anthropicMessages as ChatCodec,
  outputOf: (response) => listOf(objectOf(response).content).map(objectOf),
  streamedOutput: accumulate,
  next: (output) => ({
    model: 'house',
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: output },
      {
        role: 'user',
        content: [
          ...output.flatMap(({ type, id }) =>
            type === 'tool_use' ? { type: 'tool_result', tool_use_id: id, content: 'ok' } : [],
          ),
          { type: 'text', text: 'More.' },
        ],
      },
    ],
    tools: [{ name: 'look', input_schema: look.parameters }],
  }),
}

/** The content of a message, as SDKs put it together. */
function accumulate(frames: readonly TextFrame[]): readonly JsonObject[] {
  const blocks: Record<string, unknown>[] = []
  for (const { data } of frames) {
    const { type, index, content_block, delta = {} } = JSON.parse(data)
    const block = blocks[index]
    if (type === 'content_block_start') blocks[index] = { ...content_block }
    if (type !== 'content_block_delta' || block === undefined) continue
    if (delta.type === 'text_delta') block.text += delta.text
    if (delta.type === 'thinking_delta') block.thinking += delta.thinking
    if (delta.type === 'signature_delta') block.signature = delta.signature
    if (delta.type === 'input_json_delta') block.input = JSON.parse(delta.partial_json)
  }
  return blocks
}

const thought = { text: 'Hm.', thought: true }
const signedText = { text: 'Hi', thoughtSignature: 'VEVYVA==' }
const functionCall = (id: string, thoughtSignature?: string) => ({
  functionCall: { id, name: 'look', args: {} },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
})

/** Parts of a response of Gemini's, as its chunks hold them. */
const shapes = {
  'a signed text': [[signedText]],
  'a text whose signature comes last': [[{ text: 'Hi' }], [{ text: '', thoughtSignature: 'VEVYVA==' }]],
  'a thought and a signed text': [[thought], [signedText]],
  'a signed call': [[functionCall('a', 'Q0FMTA==')]],
  'a thought and a signed call': [[thought], [functionCall('a', 'Q0FMTA==')]],
  'a signed text and parallel calls': [[signedText], [functionCall('a', 'Q0FMTA=='), functionCall('b')]],
  'a thought, a text and a signed call': [[thought], [{ text: 'Hi' }], [functionCall('a', 'Q0FMTA==')]],
  'all of them': [[thought], [signedText], [functionCall('a', 'Q0FMTA=='), functionCall('b', 'Qg==')]],
} as const

const chunkOf = (parts: readonly object[], isLast: boolean) => ({
  responseId: 'r1',
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast && { finishReason: 'STOP' }) }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
})

function buffered({ codec, outputOf }: Dialect, chunks: readonly (readonly object[])[]) {
  const read = gemini.decodeResponse(chunkOf(chunks.flat(), true))
  if (!read.ok) throw new Error('unreadable')
  return outputOf(codec.encodeResponse(read.response, call))
}

function streamed({ codec, streamedOutput }: Dialect, chunks: readonly (readonly object[])[]) {
  const reading = gemini.decodeStream.start()
  const writing = codec.encodeStream.start(call)
  const frames = chunks.flatMap((parts, index): readonly Frame[] => [
    { event: '', data: JSON.stringify(chunkOf(parts, index === chunks.length - 1)) },
  ])
  const parts = frames.flatMap((frame) => gemini.decodeStream.step(reading, frame))
  return streamedOutput([
    ...parts.flatMap((part) => codec.encodeStream.step(writing, part)),
    ...codec.encodeStream.finish(writing, usageOf({ inputTokens: 5, outputTokens: 2 })),
  ])
}

/** Signatures of the model's turn that Gemini receives next. */
function returned({ codec, next }: Dialect, output: readonly JsonObject[]): readonly unknown[] {
  const request = codec.decodeRequest(next(output), {})
  const { body } = gemini.encodeRequest(request, { model: 'gemini-3-pro-preview', streamOptions: false })
  return listOf(body.contents)
    .map(objectOf)
    .filter(({ role }) => role === 'model')
    .flatMap(({ parts }) => listOf(parts).map(objectOf))
    .flatMap(({ thoughtSignature }) => thoughtSignature ?? [])
    .filter((value) => value !== 'skip_thought_signature_validator')
}

const callSignatures = (chunks: readonly (readonly object[])[]) =>
  chunks.flat().flatMap((part) => ('functionCall' in part ? (objectOf(part).thoughtSignature ?? []) : []))

describe.each([
  ['openai-responses', responses],
  ['anthropic-messages', messages],
] as const)('signatures of Gemini for callers of %s', (format, dialect) => {
  const rows = Object.entries(shapes).flatMap(([name, chunks]) =>
    (['buffered', 'streamed'] as const).map((way) => [name, way, chunks] as const),
  )

  it.each(rows)('of %s, %s, return to their parts', (_name, way, chunks) => {
    const output = (way === 'buffered' ? buffered : streamed)(dialect, chunks)
    const texts = chunks.flat().flatMap((part) => {
      return 'functionCall' in part ? [] : (objectOf(part).thoughtSignature ?? [])
    })
    const back = returned(dialect, output)
    expect(back).toEqual(expect.arrayContaining(callSignatures(chunks) as unknown[]))
    const hasCall = chunks.flat().some((part) => 'functionCall' in part)
    const hasThought = chunks.flat().some((part) => 'thought' in part)
    const keepsText = hasCall || (way === 'buffered' && (format === 'openai-responses' || hasThought))
    if (keepsText) expect(back).toEqual(expect.arrayContaining(texts as unknown[]))
  })

  it.each(rows)(
    'of %s, %s, stand in no redacted reasoning, and nowhere behind the last text',
    (_name, way, chunks) => {
      const output = (way === 'buffered' ? buffered : streamed)(dialect, chunks)
      expect(output.map(({ type }) => type)).not.toContain('redacted_thinking')
      expect(['reasoning', 'thinking']).not.toContain(String(output.at(-1)?.type))
      const thoughts = output.filter(({ type }) => type === 'reasoning' || type === 'thinking')
      const spoken = thoughts.filter(({ summary, thinking }) => listOf(summary).length > 0 || thinking)
      expect(spoken.length).toBe(chunks.flat().filter((part) => 'thought' in part).length)
    },
  )
})

it('puts the signature of a text alone into no block of its own for callers of anthropic-messages', () => {
  expect(buffered(messages, shapes['a signed text']).map(({ type }) => type)).toEqual(['text'])
})

describe('conversations from before 2026-11-28 keep their signatures', () => {
  it('in redacted reasoning before a call', () => {
    const output = [
      { type: 'redacted_thinking', data: 'tollgate.tool-call.gemini.Q0FMTA==' },
      { type: 'tool_use', id: 'a', name: 'look', input: {} },
    ]
    expect(returned(messages, output)).toEqual(['Q0FMTA=='])
  })

  it('in reasoning behind a text', () => {
    const output = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'reasoning', summary: [], encrypted_content: 'tollgate.text.gemini.VEVYVA==' },
    ]
    expect(returned(responses, output)).toEqual(['VEVYVA=='])
  })
})

describe('detachSignatures', () => {
  const signature = fc.option(
    fc.constantFrom('Q0FMTA==', 'VEVYVA==').map((value): Signature => ({ vendor: 'gemini', value })),
    { nil: undefined },
  )
  const part = fc.oneof(
    fc.record({ text: fc.string({ minLength: 1 }), signature }).map(({ text, signature: made }) => {
      return { type: 'text', text, ...(made && { signature: made }) } as AssistantPart
    }),
    fc.record({ id: fc.uuid(), signature }).map(({ id, signature: made }) => {
      return {
        type: 'tool-call',
        id,
        name: 'f',
        arguments: '{}',
        ...(made && { signature: made }),
      } as AssistantPart
    }),
    fc.string({ minLength: 1 }).map((text) => ({ type: 'reasoning', text }) as AssistantPart),
  )

  it('is undone by attachSignatures, where at most one text comes before a call', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const lastCall = parts.findLastIndex(({ type }) => type === 'tool-call')
        fc.pre(parts.slice(0, lastCall + 1).filter(({ type }) => type === 'text').length <= 1)
        expect(attachSignatures(detachSignatures(parts))).toEqual(parts as AssistantPart[])
      }),
    )
  })
})
