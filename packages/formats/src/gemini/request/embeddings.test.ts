import { describe, expect, it } from 'bun:test'
import type { RequestText } from '../../json/request-text.ts'
import { scanTopLevel } from '../../json/text.ts'
import { usageOf } from '../../usage.ts'
import {
  geminiEmbeddingResponse,
  geminiVectors,
  readGeminiEmbedding,
  readGeminiVectors,
} from './embeddings.ts'

function parsed(body: Readonly<Record<string, unknown>>): RequestText {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 16)
  if (!scan.ok) throw new Error('unreadable')
  return { body, text, scan }
}

const content = { parts: [{ text: 'a' }] }

describe('embeddings of Gemini', () => {
  it.each([
    ['embedContent', { embedding: { values: [1] } }],
    ['batchEmbedContents', { embeddings: [{ values: [1] }, { values: [2] }] }],
  ])('of %s are charged by usageMetadata', (_name, vectors) => {
    const reported = { ...vectors, usageMetadata: { promptTokenCount: 22 } }
    expect(readGeminiVectors(JSON.stringify(reported))?.usage).toEqual(usageOf({ inputTokens: 22 }))
    expect(readGeminiVectors(JSON.stringify(vectors))).toEqual({ usage: undefined })
  })

  it.each([false, true])('made of OpenAI’s name the charged tokens, as a batch: %p', (isBatch) => {
    const body = isBatch ? { requests: [{ content }] } : { content }
    const call = readGeminiEmbedding(parsed(body), { model: 'm', isBatch })
    const openAi = JSON.stringify({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 22 } })
    const vectors = geminiVectors(openAi, call, isBatch) ?? {}
    expect(JSON.parse(geminiEmbeddingResponse(vectors, usageOf({ inputTokens: 22 })))).toEqual({
      ...(isBatch ? { embeddings: [{ values: [0.5] }] } : { embedding: { values: [0.5] } }),
      usageMetadata: { promptTokenCount: 22 },
    })
  })
})
