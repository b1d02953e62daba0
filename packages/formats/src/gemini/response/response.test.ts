import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { EncodeContext } from '../../canonical/codec.ts'
import type { ChatResponse } from '../../canonical/response.ts'
import { readResponse } from '../../streams/response-body.ts'
import { usageOf } from '../../usage.ts'
import { gemini } from '../codec.ts'

const call: EncodeContext = {
  model: 'mine',
  responseId: 'a1',
  createdAt: 1,
  includeUsage: false,
  estimatedInputTokens: 0,
}

function read(body: unknown): ChatResponse {
  const reading = gemini.decodeResponse(body)
  if (!reading.ok) throw new Error(reading.error.message)
  return reading.response
}

const body = (candidate: unknown, more = {}) => ({
  candidates: [candidate],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 11 },
  modelVersion: 'gemini-3.8-flash',
  responseId: 'r_1',
  ...more,
})

describe('decodeResponse', () => {
  it('reads reasoning, texts, calls and media with their signatures', () => {
    const response = read(
      body(
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { text: 'Hello', thoughtSignature: 's1' },
              { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's2' },
              { functionCall: { id: 'own', name: 'g' } },
              { functionCall: { name: 'g' } },
              { inlineData: { mimeType: 'image/png', data: 'AA==' } },
              { thought: true, inlineData: { mimeType: 'image/png', data: 'BB==' } },
            ],
          },
          finishReason: 'STOP',
        },
        { createTime: '2026-11-22T10:00:00Z' },
      ),
    )
    const signature = (value: string) => ({ vendor: 'gemini', value }) as const
    expect(response).toEqual({
      id: 'r_1',
      model: 'gemini-3.8-flash',
      createdAt: 1795341600,
      candidates: [
        {
          index: 0,
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Hello', signature: signature('s1') },
            {
              type: 'tool-call',
              id: 'call_r1_0',
              name: 'f',
              arguments: '{"a":1}',
              signature: signature('s2'),
            },
            { type: 'tool-call', id: 'own', name: 'g', arguments: '{}' },
            { type: 'tool-call', id: 'call_r1_1', name: 'g', arguments: '{}' },
            {
              type: 'media',
              kind: 'image',
              source: { type: 'base64', mediaType: 'image/png', data: 'AA==' },
            },
          ],
          stop: { reason: 'tool-calls' },
        },
      ],
      usage: usageOf({ inputTokens: 9, outputTokens: 2 }),
    })
  })

  it('reads citations of searches and log probabilities', () => {
    const [candidate] = read(
      body({
        content: { parts: [{ text: 'x' }] },
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [
            { web: { uri: 'https://a', title: 'A' } },
            { web: { uri: 'https://b', title: 'B' } },
          ],
          groundingSupports: [{ segment: { text: 'x' }, groundingChunkIndices: [0, 7] }],
        },
        logprobsResult: {
          topCandidates: [{ candidates: [{ token: 'x', logProbability: -0.5 }] }],
          chosenCandidates: [{ token: 'x', logProbability: -0.5 }],
        },
      }),
    ).candidates
    expect(candidate).toMatchObject({
      citations: [
        { url: 'https://a', title: 'A', text: 'x' },
        { url: 'https://b', title: 'B', text: '' },
      ],
      logprobs: [{ token: 'x', logprob: -0.5, top: [{ token: 'x', logprob: -0.5 }] }],
    })
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['A_REASON_OF_LATER', 'content-filter'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
  ])('reads the end %s as %s', (finishReason, reason) => {
    expect(read(body({ content: { parts: [{ text: 'x' }] }, finishReason })).candidates[0]?.stop).toEqual({
      reason,
    } as never)
  })

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER'])(
    'takes the end %s for a failure',
    (finishReason) => {
      expect(gemini.decodeResponse(body({ finishReason, finishMessage: 'why' }))).toEqual({
        ok: false,
        error: {
          kind: 'upstream_bug',
          status: 502,
          message: 'why',
          type: 'upstream_error',
          code: finishReason,
          param: null,
        },
      })
    },
  )

  it('says in a sentence what a model without content failed with, also where its provider knows no better', () => {
    const empty = JSON.stringify(body({ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }))
    for (const decodeError of [undefined, gemini.decodeError])
      expect(readResponse(empty, gemini, decodeError)).toMatchObject({
        ok: false,
        error: {
          kind: 'upstream_bug',
          code: 'MALFORMED_FUNCTION_CALL',
          message: 'The model wrote a call of a tool that cannot be read.',
        },
      })
  })

  it('reads a blocked prompt as a response that a filter stopped, with its usage', () => {
    const response = read({
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    })
    expect(response.candidates).toEqual([{ index: 0, parts: [], stop: { reason: 'content-filter' } }])
    expect(response.usage).toEqual(usageOf({ inputTokens: 9 }))
  })

  it('takes text without tokens for it for no count', () => {
    const usageMetadata = { promptTokenCount: 9, totalTokenCount: 9 }
    expect(
      read(body({ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }, { usageMetadata })).usage,
    ).toBeUndefined()
  })

  it('takes an error, a response without candidates, and anything else for a failure', () => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' }
    for (const failed of [{ error }, [{ error }]])
      expect(gemini.decodeResponse(failed)).toMatchObject({
        ok: false,
        error: { kind: 'overloaded', status: 503 },
      })
    for (const failed of [{}, { candidates: [] }, null, undefined, 'x', [], 1])
      expect(gemini.decodeResponse(failed)).toMatchObject({
        ok: false,
        error: { kind: 'upstream_bug', status: 502 },
      })
  })

  it('reads the call that takes the place of a response in JSON as its text', () => {
    const parts = [{ functionCall: { name: 'tollgate_json_answer', args: { a: 1 } }, thoughtSignature: 's' }]
    expect(read(body({ content: { role: 'model', parts }, finishReason: 'STOP' })).candidates).toEqual([
      {
        index: 0,
        parts: [{ type: 'text', text: '{"a":1}', signature: { vendor: 'gemini', value: 's' } }],
        stop: { reason: 'stop' },
      },
    ])
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (a, b, c) => {
        gemini.decodeResponse(a)
        gemini.decodeResponse({
          candidates: [a, { content: { parts: [b, { functionCall: c }] } }],
          usageMetadata: c,
        })
        gemini.decodeResponse({ candidates: [{ groundingMetadata: a, logprobsResult: b, content: c }] })
      }),
    )
  })
})

describe('encodeResponse', () => {
  it('says a response as Gemini would', () => {
    const response: ChatResponse = {
      id: '',
      model: 'theirs',
      createdAt: 0,
      candidates: [
        {
          index: 0,
          parts: [
            { type: 'reasoning', text: 'hm', signature: { vendor: 'anthropic', value: 'x' } },
            { type: 'text', text: 'Hello' },
            { type: 'tool-call', id: 'toolu_1', name: 'f', arguments: '{"a":1}' },
          ],
          stop: { reason: 'tool-calls' },
        },
      ],
      usage: usageOf({ inputTokens: 5, cacheReadTokens: 3, outputTokens: 7, reasoningTokens: 4 }),
    }
    expect(gemini.encodeResponse(response, call)).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true },
              { text: 'Hello' },
              { functionCall: { id: 'toolu_1', name: 'f', args: { a: 1 } } },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 8,
        candidatesTokenCount: 3,
        totalTokenCount: 15,
        thoughtsTokenCount: 4,
        cachedContentTokenCount: 3,
      },
      modelVersion: 'mine',
      responseId: 'a1',
    })
  })

  it('makes no call of arguments that are not an object, and says so', () => {
    const part = { type: 'tool-call', id: '1', name: 'rm', arguments: '{"path":"/tm' } as const
    const candidateFor = (reason: 'tool-calls' | 'length') =>
      gemini.encodeResponse(
        {
          id: 'i',
          model: '',
          createdAt: 0,
          candidates: [{ index: 0, parts: [part], stop: { reason } }],
          usage: undefined,
        },
        call,
      )
    const finishMessage = 'Malformed function call: rm({"path":"/tm)'
    expect(candidateFor('tool-calls')).toMatchObject({
      candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage }],
    })
    expect(candidateFor('length')).toMatchObject({
      candidates: [{ finishReason: 'MAX_TOKENS', finishMessage }],
    })
  })
})
