import { describe, expect, it } from 'bun:test'
import { type JsonObject, RequestFault, WireResponse } from '@tollgate/formats'
import { openAiFormats } from '../openai/openai-compatible.ts'
import type { RelayMode } from '../provider.ts'
import { providerFor } from '../registry.ts'

const target = { baseUrl: '', key: 'a|b|us-east-1', openaiOrganization: '', other: 'us-central1' }
const account = '{"project_id":"house-1","client_email":"a","private_key":"b"}'
const types = { aws: 33, cohere: 34, vertex: 41 } as const

function codecOf(name: keyof typeof types, mode: RelayMode, model: string) {
  const key = name === 'vertex' ? account : target.key
  const requested = { ...target, key, upstreamModel: model }
  const operation = providerFor(types[name])?.operation(mode, requested, openAiFormats[mode])
  const codec = operation?.plain
  if (operation === undefined || codec === undefined) throw new Error(`${name} has no form of ${mode}`)
  return {
    path: operation
      .endpoint(requested, { stream: false, query: '', headers: {} })
      .url.replace(/^https:\/\/[^/]+/, ''),
    encode: (body: JsonObject) => codec.encodeRequest(body, { model, streamOptions: false }),
    decode(body: JsonObject, response: unknown) {
      const wire = new WireResponse(new TextEncoder().encode(JSON.stringify(response)), 'application/json')
      const call = { body, model: 'asked', responseId: 'id-1', createdAt: 1 }
      const reading = codec.decodeResponse(wire, call)
      const usage = reading?.usage
      const charged = usage ?? { ...noTokens, inputTokens: 7 }
      return reading && { tokens: usage?.inputTokens, body: JSON.parse(String(reading.encode(charged))) }
    },
  }
}

const noTokens = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  audioInputTokens: 0,
  imageInputTokens: 0,
  audioOutputTokens: 0,
  imageOutputTokens: 0,
  reasoningTokens: 0,
}
const one = { model: 'asked', input: 'hi' }
const two = { model: 'asked', input: ['hi', 'ho'], dimensions: 256 }

describe('embeddings', () => {
  it.each([
    [
      'cohere',
      'embed-v4.0',
      '/v2/embed',
      { ...two, input_type: 'search_query', user: 'u' },
      {
        model: 'embed-v4.0',
        texts: ['hi', 'ho'],
        input_type: 'search_query',
        embedding_types: ['float'],
        output_dimension: 256,
      },
      { id: 'x', embeddings: { float: [[0.5], [1]] }, meta: { billed_units: { input_tokens: 3 } } },
      [[0.5], [1]],
      3,
    ],
    [
      'aws',
      'amazon.titan-embed-text-v2:0',
      '/model/amazon.titan-embed-text-v2%3A0/invoke',
      { ...one, dimensions: 256 },
      { inputText: 'hi', dimensions: 256 },
      { embedding: [0.5], inputTextTokenCount: 3 },
      [[0.5]],
      3,
    ],
    [
      'aws',
      'cohere.embed-multilingual-v3',
      '/model/cohere.embed-multilingual-v3/invoke',
      two,
      { texts: ['hi', 'ho'], input_type: 'search_document', embedding_types: ['float'] },
      { embeddings: [[0.5], [1]] },
      [[0.5], [1]],
      undefined,
    ],
    [
      'vertex',
      'text-embedding-005',
      '/v1/projects/house-1/locations/us-central1/publishers/google/models/text-embedding-005:predict',
      { ...two, task_type: 'RETRIEVAL_QUERY' },
      {
        instances: [
          { content: 'hi', task_type: 'RETRIEVAL_QUERY' },
          { content: 'ho', task_type: 'RETRIEVAL_QUERY' },
        ],
        parameters: { outputDimensionality: 256 },
      },
      {
        predictions: [
          { embeddings: { values: [0.5], statistics: { token_count: 1 } } },
          { embeddings: { values: [1], statistics: { token_count: 2 } } },
        ],
      },
      [[0.5], [1]],
      3,
    ],
    [
      'vertex',
      'gemini-embedding-2',
      '/v1/projects/house-1/locations/us-central1/publishers/google/models/gemini-embedding-2:embedContent',
      one,
      { content: { parts: [{ text: 'hi' }] } },
      { embedding: { values: [0.5] }, usageMetadata: { promptTokenCount: 3 } },
      [[0.5]],
      3,
    ],
  ] as const)('of %s by %s', (name, model, path, body, encoded, response, vectors, tokens) => {
    const codec = codecOf(name, 'embeddings', model)
    expect(codec.path).toBe(path)
    expect(codec.encode(body).body).toEqual(encoded as unknown as JsonObject)
    const read = codec.decode(body, response)
    expect(read?.tokens).toBe(tokens)
    expect(read?.body.data.map((item: { embedding: unknown }) => item.embedding)).toEqual(vectors)
    expect(read?.body).toMatchObject({ object: 'list', model: 'asked' })
    for (const none of [{}, null, { message: 'no' }, { embedding: 'x' }, { embeddings: { float: [['x']] } }])
      expect(codec.decode(body, none)).toBeUndefined()
  })

  it('are refused where an upstream does not accept the inputs', () => {
    const tokens = { model: 'asked', input: [1, 2, 3] }
    const many = { model: 'asked', input: Array.from({ length: 97 }, () => 'x') }
    expect(() => codecOf('cohere', 'embeddings', 'embed-v4.0').encode(tokens)).toThrow(RequestFault)
    expect(() => codecOf('cohere', 'embeddings', 'embed-v4.0').encode(many)).toThrow(RequestFault)
    expect(() => codecOf('aws', 'embeddings', 'amazon.titan-embed-text-v1').encode(two)).toThrow(RequestFault)
    expect(() => codecOf('vertex', 'embeddings', 'gemini-embedding-001').encode(two)).toThrow(RequestFault)
  })
})

describe('rerank', () => {
  const body = {
    model: 'asked',
    query: 'q',
    documents: ['a', { text: 'b' }],
    top_n: 1,
    return_documents: true,
  }
  it.each([
    [
      'cohere',
      'rerank-v3.5',
      '/v2/rerank',
      { model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], top_n: 1 },
    ],
    [
      'aws',
      'cohere.rerank-v3-5:0',
      '/model/cohere.rerank-v3-5%3A0/invoke',
      { query: 'q', documents: ['a', 'b'], top_n: 1, api_version: 2 },
    ],
    [
      'aws',
      'amazon.rerank-v1:0',
      '/model/amazon.rerank-v1%3A0/invoke',
      { query: 'q', documents: ['a', 'b'], top_n: 1 },
    ],
  ] as const)('of %s by %s', (name, model, path, encoded) => {
    const codec = codecOf(name, 'rerank', model)
    expect(codec.path).toBe(path)
    expect(codec.encode(body).body).toEqual(encoded as unknown as JsonObject)
    const response = {
      results: [{ index: 1, relevance_score: 0.98 }],
      meta: { billed_units: { search_units: 1 } },
    }
    expect(codec.decode(body, response)?.body).toMatchObject({
      id: 'id-1',
      results: [{ index: 1, relevance_score: 0.98, document: { text: 'b' } }],
    })
    for (const none of [{}, { results: [{ index: 2, relevance_score: 1 }] }, { results: [{ index: 0 }] }])
      expect(codec.decode(body, none)).toBeUndefined()
  })
})

it.each([
  ['images', 'gemini-3-pro-image', { prompt: 'a cat' }, { responseModalities: ['IMAGE'] }],
  ['speech', 'gemini-tts', { input: 'Hi' }, { responseModalities: ['AUDIO'] }],
] as const)(
  '%s of Gemini at Vertex are an answer to a prompt',
  (mode, model, requested, generationConfig) => {
    const codec = codecOf('vertex', mode, model)
    expect(codec.path).toEndWith(`/publishers/google/models/${model}:generateContent`)
    expect(codec.encode({ model, ...requested }).body).toMatchObject({ generationConfig })
  },
)

describe('images of Vertex', () => {
  const codec = codecOf('vertex', 'images', 'imagen-4.0-generate-001')

  it('are asked for by their shape, and come as bytes', () => {
    const body = { model: 'asked', prompt: 'a cat', n: 2, size: '1792x1024', quality: 'hd', seed: 7 }
    expect(codec.encode(body)).toEqual({
      body: {
        instances: [{ prompt: 'a cat' }],
        parameters: {
          sampleCount: 2,
          aspectRatio: '16:9',
          personGeneration: 'allow_adult',
          includeRaiReason: true,
          seed: 7,
          addWatermark: false,
        },
      },
      dropped: ['quality'],
    })
    const response = { predictions: [{ bytesBase64Encoded: 'aGk=', mimeType: 'image/png' }] }
    expect(codec.decode(body, response)?.body).toEqual({ created: 1, data: [{ b64_json: 'aGk=' }] })
    expect(codec.decode(body, {})).toBeUndefined()
    expect(() => codec.encode({ ...body, size: '1x1' })).toThrow(RequestFault)
    expect(() => codec.encode({ ...body, n: 9 })).toThrow(RequestFault)
  })
})
