import { describe, expect, it } from 'bun:test'
import { readModeResponse, usageOf, WireResponse } from '@tollgate/formats'
import type { Operation, PlainFormat, Target } from '../provider.ts'
import { providers } from '../registry.ts'

/** Report of an upstream on a call for one vector that it counted 22 tokens of, by the operation's format. */
interface Reported {
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

const vector = [0.5, 1]
const openAi = (usage: object): Reported => ({
  body: { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: vector }], usage },
})

const forms: Readonly<Record<string, readonly Reported[]>> = {
  'openai-embeddings': [
    openAi({ prompt_tokens: 22, total_tokens: 22 }),
    openAi({ total_tokens: 22 }),
    openAi({ prompt_tokens: 0, total_tokens: 22 }),
    openAi({ input_tokens: 22 }),
    openAi({
      prompt_tokens: 22,
      prompt_tokens_details: { text_tokens: 12, image_tokens: 10 },
      total_tokens: 22,
    }),
  ],
  'provider:gemini-batchEmbedContents-embeddings': [
    { body: { embeddings: [{ values: vector }], usageMetadata: { promptTokenCount: 22 } } },
    {
      body: {
        embeddings: [{ values: vector }],
        usageMetadata: { promptTokenCount: 22, totalTokenCount: 22 },
      },
    },
    { body: { embeddings: [{ values: vector }], usageMetadata: { totalTokenCount: 22 } } },
  ],
  'provider:vertex-embeddings': [
    { body: { embedding: { values: vector }, usageMetadata: { promptTokenCount: 22 } } },
    { body: { predictions: [{ embeddings: { values: vector, statistics: { token_count: 22 } } }] } },
  ],
  'provider:aws-embeddings': [
    { body: { embedding: vector, inputTextTokenCount: 22 } },
    { body: { embedding: vector }, headers: { 'x-amzn-bedrock-input-token-count': '22' } },
    {
      body: { embeddings: { float: [vector] }, response_type: 'embeddings_by_type' },
      headers: { 'x-amzn-bedrock-input-token-count': '22' },
    },
  ],
  'provider:cohere-embeddings': [
    { body: { embeddings: { float: [vector] }, meta: { billed_units: { input_tokens: 22 } } } },
    { body: { embeddings: [vector], meta: { tokens: { input_tokens: 22 } } } },
  ],
  'provider:ollama-embeddings': [{ body: { embeddings: [vector], prompt_eval_count: 22 } }],
  'provider:tencent-embeddings': [
    {
      body: {
        Response: { Data: [{ Embedding: vector, Index: 0 }], Usage: { PromptTokens: 22, TotalTokens: 22 } },
      },
    },
    { body: { Response: { Data: [{ Embedding: vector, Index: 0 }], Usage: { TotalTokens: 22 } } } },
  ],
  'provider:baidu-embeddings': [
    openAi({ prompt_tokens: 22, total_tokens: 22 }),
    openAi({ total_tokens: 22 }),
  ],
}

/** Models that decide which operation serves them. */
const models: Readonly<Record<string, readonly string[]>> = {
  aws: ['amazon.titan-embed-text-v2:0', 'cohere.embed-v4:0'],
  vertex: ['gemini-embedding-2', 'text-embedding-005'],
}
const keys: Readonly<Record<string, string>> = { aws: 'AKID|secret|us-east-1', vertex: 'AIzaKey' }
const callerFormats: readonly PlainFormat[] = [
  'openai-embeddings',
  'gemini-embedding',
  'gemini-batch-embeddings',
]

const operations = providers
  .filter(({ modes }) => modes.includes('embeddings'))
  .flatMap((provider) =>
    (models[provider.id] ?? ['embedding-v1']).flatMap((model) =>
      callerFormats.flatMap((format) => {
        const operation = provider.operation('embeddings', targetOf(provider.id, model), format)
        return operation === undefined ? [] : [[provider.id, model, format, operation] as const]
      }),
    ),
  )

function targetOf(id: string, upstreamModel: string): Target {
  const key = keys[id] ?? 'k'
  return { baseUrl: 'https://h', key, upstreamModel, openaiOrganization: '', other: 'acc' }
}

/** The count that is charged, and the one that the caller reads. */
function counts(operation: Operation, { body, headers = {} }: Reported, model: string) {
  const text = JSON.stringify(body)
  if (operation.plain === undefined) {
    const read = readModeResponse('embeddings', text, operation.decodeError)
    return read.ok ? read.usage : undefined
  }
  const response = new WireResponse(Buffer.from(text), 'application/json', (name) => headers[name] ?? null)
  const call = { body: { model, input: 'a' }, model, responseId: 'r', createdAt: 7 }
  const read = operation.plain.decodeResponse(response, call)
  const reported = JSON.parse(String(read?.encode(read.usage ?? usageOf({ inputTokens: 1 })) ?? 'null'))
  expect(reported?.usage).toEqual({ prompt_tokens: 22, total_tokens: 22 })
  return read?.usage
}

describe('embeddings are charged by the upstream’s own count', () => {
  it('of every provider that has them', () => {
    expect(new Set(operations.map(([id]) => id)).size).toBe(
      providers.filter(({ modes }) => modes.includes('embeddings')).length,
    )
  })

  it.each(operations)('%s, %s, asked in %s', (_id, model, _format, operation) => {
    // Gemini's own callers get its bytes: `readGeminiVectors` reads their count.
    if (operation.format.startsWith('gemini-')) return
    const reported = forms[operation.format]
    expect(reported).toBeDefined()
    for (const form of reported ?? [])
      expect(counts(operation, form, model)).toMatchObject({ inputTokens: 22 })
  })
})
