import { describe, expect, it } from 'bun:test'
import { RequestFault, type UpstreamFailure, usageOf, WireResponse } from '@tollgate/formats'
import { openAiFormats } from '../openai/openai-compatible.ts'
import type { Operation, RelayMode, Target } from '../provider.ts'
import { providers } from '../registry.ts'

function operationOf(id: string, mode: RelayMode, model: string): { target: Target; operation: Operation } {
  const target = {
    baseUrl: 'https://h',
    key: id === 'volcengine' && mode === 'speech' ? 'app|token' : 'k',
    upstreamModel: model,
    openaiOrganization: '',
    other: 'acc',
  }
  const provider = providers.find((candidate) => candidate.id === id)
  const operation = provider?.operation(mode, target, openAiFormats[mode])
  if (operation === undefined) throw new Error(`${id} serves no ${mode}`)
  return { target, operation }
}

/** Returns the address and the body of a request to an upstream. */
function sent(id: string, mode: RelayMode, body: Readonly<Record<string, unknown>>) {
  const model = String(body.model)
  const { target, operation } = operationOf(id, mode, model)
  const { url } = operation.endpoint(target, { stream: false, query: '', headers: {} })
  const encoded = operation.plain?.encodeRequest(body, { model, streamOptions: false })
  return { path: url.replace('https://h', ''), ...encoded }
}

/** Returns a response as the caller gets it; `undefined` for one that is none. */
function provided(
  id: string,
  mode: RelayMode,
  body: Readonly<Record<string, unknown>>,
  response: unknown,
  type = 'application/json',
) {
  const reading = readingOf(id, mode, body, response, type)
  if (reading === undefined) return undefined
  const { usage, contentType } = reading
  const content = reading.encode(usage ?? usageOf({ inputTokens: 5 }))
  return { usage, contentType, body: typeof content === 'string' ? JSON.parse(content) : content }
}

function readingOf(
  id: string,
  mode: RelayMode,
  body: Readonly<Record<string, unknown>>,
  response: unknown,
  type = 'application/json',
) {
  const { operation } = operationOf(id, mode, String(body.model))
  const bytes = response instanceof Uint8Array ? response : Buffer.from(JSON.stringify(response))
  const call = { body, model: String(body.model), responseId: 'id', createdAt: 7 }
  return operation.plain?.decodeResponse(new WireResponse(bytes, type), call)
}

const images = { model: 'm', prompt: 'a cat', n: 1, size: '1024x1792' }
const drawn = (data: readonly object[]) => ({ created: 7, data })

describe('images', () => {
  it.each([
    [
      'siliconflow',
      '/v1/images/generations',
      { model: 'm', prompt: 'a cat', batch_size: 1, image_size: '1024x1792' },
    ],
    ['xai', '/v1/images/generations', { model: 'm', prompt: 'a cat', n: 1, aspect_ratio: '9:16' }],
    ['zhipu', '/api/paas/v4/images/generations', { model: 'm', prompt: 'a cat', size: '1024x1792' }],
    ['volcengine', '/api/v3/images/generations', { model: 'm', prompt: 'a cat', size: '1024x1792' }],
    ['together', '/v1/images/generations', { model: 'm', prompt: 'a cat', n: 1, width: 1024, height: 1792 }],
    [
      'minimax',
      '/v1/image_generation',
      { model: 'm', prompt: 'a cat', n: 1, aspect_ratio: '9:16', response_format: 'url' },
    ],
    ['cloudflare', '/client/v4/accounts/acc/ai/run/m', { prompt: 'a cat', width: 1024, height: 1792 }],
    [
      'openrouter',
      '/v1/chat/completions',
      {
        model: 'm',
        messages: [{ role: 'user', content: 'a cat' }],
        modalities: ['image', 'text'],
        image_config: { aspect_ratio: '9:16' },
      },
    ],
    [
      'gemini',
      '/v1beta/models/m:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: 'a cat' }] }],
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '9:16' } },
      },
    ],
  ])('are asked of %s in its own words', (id, path, body) => {
    expect(sent(id, 'images', images)).toEqual({ path, body, dropped: [] })
  })

  it('are as many as the order counts, in whichever field it asks for them', () => {
    const imagen = { ...images, model: 'imagen-4.0', sampleCount: '4' }
    expect(sent('gemini', 'images', imagen).body).toMatchObject({ parameters: { sampleCount: 4 } })
    expect(sent('siliconflow', 'images', { ...images, batch_size: 3 }).body).toMatchObject({ batch_size: 3 })
    const sequence = { sequential_image_generation: 'auto' }
    expect(sent('volcengine', 'images', { ...images, ...sequence }).body).toMatchObject({
      sequential_image_generation_options: { max_images: 15 },
    })
  })

  it('are asked of Imagen and Qwen-Image by their own methods', () => {
    expect(sent('gemini', 'images', { ...images, model: 'imagen-4.0', n: 2 })).toMatchObject({
      path: '/v1beta/models/imagen-4.0:predict',
      body: { instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 2, aspectRatio: '9:16' } },
    })
    expect(sent('ali', 'images', { ...images, model: 'qwen-image', seed: 5 })).toMatchObject({
      path: '/api/v1/services/aigc/multimodal-generation/generation',
      body: { model: 'qwen-image', parameters: { n: 1, size: '1024*1792', seed: 5 } },
    })
    expect(() => operationOf('ali', 'images', 'qwen-plus')).toThrow('ali serves no images')
  })

  it('are asked of Wanx as a task, which is asked for until it is done', () => {
    const requested = { ...images, model: 'wanx-v1', n: 2, style: 'vivid', seed: 5, negative_prompt: 'dogs' }
    expect(sent('ali', 'images', requested)).toEqual({
      path: '/api/v1/services/aigc/text2image/image-synthesis',
      body: {
        model: 'wanx-v1',
        input: { prompt: 'a cat', negative_prompt: 'dogs' },
        parameters: { n: 2, size: '1024*1792', seed: 5 },
      },
      dropped: ['style'],
    })
    const { operation, target } = operationOf('ali', 'images', 'wan2.2-t2i-flash')
    expect(operation.endpoint(target, { stream: false, query: '', headers: {} }).headers).toEqual({
      'x-dashscope-async': 'enable',
    })
    const response = (task_status: string) => ({ output: { task_id: 't/1', task_status } })
    expect(operation.polling?.next(response('PENDING'), target)).toEqual({
      method: 'GET',
      url: 'https://h/api/v1/tasks/t%2F1',
      headers: {},
    })
    expect(operation.polling?.cancel?.(response('RUNNING'), target)?.url).toBe(
      'https://h/api/v1/tasks/t%2F1/cancel',
    )
    for (const status of ['SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'])
      expect(operation.polling?.next(response(status), target)).toBeUndefined()
    expect(operation.polling?.next({ code: 'InvalidApiKey', message: 'no' }, target)).toBeUndefined()
  })

  it('of a task are those that were made', () => {
    const requested = { ...images, model: 'wanx-v1', n: 2 }
    const results = [{ url: 'https://a/1' }, { code: 'InternalError.Timeout', message: 'late' }]
    const output = { task_status: 'SUCCEEDED', results }
    expect(provided('ali', 'images', requested, { output })?.body.data).toEqual([{ url: 'https://a/1' }])
    expect(
      provided('ali', 'images', requested, { output: { ...output, results: results.slice(1) } }),
    ).toBeUndefined()
  })

  it.each([
    [{ task_status: 'FAILED', code: 'DataInspectionFailed', message: 'no' }, 'content_policy', 'no'],
    [
      { task_status: 'SUCCEEDED', results: [{ code: 'Throttling', message: 'later' }] },
      'rate_limited',
      'later',
    ],
    [{ task_status: 'UNKNOWN' }, 'upstream_bug', 'the task ended without a result: UNKNOWN'],
  ])('of a task that failed are the reason why: %j', (output, kind, message) => {
    const body = JSON.stringify({ request_id: 'r', output: { task_id: 't', ...output } })
    const { operation } = operationOf('ali', 'images', 'wanx-v1')
    expect(operation.decodeError({ status: 200, headers: {}, body })).toMatchObject({ kind, message })
  })

  it('that have an address alone come as an address where bytes were asked for', () => {
    const requested = { ...images, response_format: 'b64_json' }
    const response = { images: [{ url: 'https://a/1' }, { url: 'https://a/2' }] }
    const linked = readingOf('siliconflow', 'images', requested, response)?.linked
    expect(linked?.urls).toEqual(['https://a/1', 'https://a/2'])
    const files = new Map(linked?.urls.map((url, index) => [url, { data: `QQ=${index}` }]))
    const buffered = linked?.withFiles(files).encode(usageOf({}))
    expect(JSON.parse(String(buffered)).data).toEqual([{ b64_json: 'QQ=0' }, { b64_json: 'QQ=1' }])
    expect(readingOf('xai', 'images', requested, { data: [{ b64_json: 'QQ==' }] })?.linked).toBeUndefined()
  })

  it('are changed by the address of one where the upstream takes JSON', () => {
    const requested = { ...images, image: 'https://a/0' }
    expect(sent('volcengine', 'image-edits', requested)).toMatchObject({
      path: '/api/v3/images/generations',
      body: { image: 'https://a/0', prompt: 'a cat' },
    })
    expect(sent('xai', 'image-edits', requested)).toMatchObject({
      path: '/v1/images/edits',
      body: { image: { url: 'https://a/0', type: 'image_url' } },
    })
  })

  it('say what is left out, and refuse what would change the response', () => {
    const { dropped } = sent('siliconflow', 'images', { ...images, quality: 'hd', style: 'vivid' })
    expect(dropped).toEqual(['quality', 'style'])
    for (const [id, change, param] of [
      ['zhipu', { n: 2 }, 'n'],
      ['openrouter', { n: 2 }, 'n'],
      ['gemini', { response_format: 'url' }, 'response_format'],
      ['xai', { stream: true }, 'stream'],
    ] as const) {
      const asking = () => sent(id, 'images', { ...images, ...change })
      expect(asking).toThrow(RequestFault)
      expect(asking).toThrow(param)
    }
  })

  it.each([
    ['siliconflow', { images: [{ url: 'https://a/1' }], seed: 1 }, [{ url: 'https://a/1' }]],
    [
      'xai',
      { data: [{ b64_json: 'QQ==', revised_prompt: 'cat' }] },
      [{ b64_json: 'QQ==', revised_prompt: 'cat' }],
    ],
    ['zhipu', { created: 1, data: [{ url: 'https://a/1' }], content_filter: [] }, [{ url: 'https://a/1' }]],
    ['together', { data: [{ index: 0, url: 'https://a/1' }] }, [{ url: 'https://a/1' }]],
    [
      'minimax',
      { data: { image_urls: ['https://a/1'] }, base_resp: { status_code: 0 } },
      [{ url: 'https://a/1' }],
    ],
    ['minimax', { data: { image_base64: ['QQ=='] } }, [{ b64_json: 'QQ==' }]],
    ['cloudflare', { result: { image: 'QQ==' }, success: true }, [{ b64_json: 'QQ==' }]],
  ])('of %s come back in OpenAI’s form', (id, response, data) => {
    expect(provided(id, 'images', images, response)?.body).toEqual(drawn(data))
  })

  it('come back with their tokens where the upstream counts them', () => {
    const gemini = provided('gemini', 'images', images, {
      candidates: [
        { content: { parts: [{ text: 'Here' }, { inlineData: { mimeType: 'image/png', data: 'QQ==' } }] } },
      ],
      usageMetadata: {
        promptTokenCount: 6,
        candidatesTokenCount: 1290,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      },
    })
    expect(gemini?.usage).toMatchObject({ inputTokens: 6, outputTokens: 1290, imageOutputTokens: 1290 })
    expect(gemini?.body).toMatchObject({ data: [{ b64_json: 'QQ==' }], usage: { output_tokens: 1290 } })
    const ark = provided('volcengine', 'images', images, {
      data: [{ url: 'https://a/1' }],
      usage: { generated_images: 1, output_tokens: 16_384 },
    })
    expect(ark?.usage).toMatchObject({ inputTokens: 0, imageOutputTokens: 16_384 })
    const router = provided('openrouter', 'images', images, {
      choices: [{ message: { images: [{ image_url: { url: 'data:image/png;base64,QQ==' } }] } }],
      usage: { prompt_tokens: 4, completion_tokens: 9 },
    })
    expect(router?.body).toMatchObject({ data: [{ b64_json: 'QQ==' }] })
    expect(router?.usage).toMatchObject({ inputTokens: 4, outputTokens: 9 })
  })

  it('of Imagen, Qwen-Image and SDXL come back, too', () => {
    const imagen = { ...images, model: 'imagen-4.0' }
    const predictions = [{ bytesBase64Encoded: 'QQ==' }, { raiFilteredReason: 'no' }]
    expect(provided('gemini', 'images', imagen, { predictions })?.body.data).toEqual([{ b64_json: 'QQ==' }])
    const output = { choices: [{ message: { content: [{ image: 'https://a/1' }] } }] }
    expect(provided('ali', 'images', { ...images, model: 'qwen-image' }, { output })?.body.data).toEqual([
      { url: 'https://a/1' },
    ])
    expect(provided('cloudflare', 'images', images, Uint8Array.of(65), 'image/png')?.body.data).toEqual([
      { b64_json: 'QQ==' },
    ])
  })
})

const rerank = { model: 'm', query: 'q', documents: ['a', { text: 'b' }], top_n: 2, return_documents: true }

describe('rerank', () => {
  it.each([
    [
      'siliconflow',
      '/v1/rerank',
      { model: 'm', query: 'q', documents: ['a', 'b'], top_n: 2, return_documents: true },
    ],
    [
      'xinference',
      '/v1/rerank',
      { model: 'm', query: 'q', documents: ['a', 'b'], top_n: 2, return_documents: true },
    ],
    [
      'qianfan',
      '/v2/rerank',
      { model: 'm', query: 'q', documents: ['a', 'b'], top_n: 2, return_documents: true },
    ],
    [
      'cloudflare',
      '/client/v4/accounts/acc/ai/run/m',
      { query: 'q', contexts: [{ text: 'a' }, { text: 'b' }], top_k: 2 },
    ],
    [
      'ali',
      '/api/v1/services/rerank/text-rerank/text-rerank',
      {
        model: 'm',
        input: { query: 'q', documents: ['a', 'b'] },
        parameters: { top_n: 2, return_documents: false },
      },
    ],
  ])('is asked of %s in its own words', (id, path, body) => {
    expect(sent(id, 'rerank', rerank)).toEqual({ path, body, dropped: [] })
  })

  it.each([
    ['siliconflow', { results: [{ index: 1, relevance_score: 0.9 }], tokens: { input_tokens: 9 } }, 9],
    [
      'xinference',
      { results: [{ index: 1, relevance_score: 0.9, document: 'b' }], meta: { tokens: { input_tokens: 8 } } },
      8,
    ],
    [
      'qianfan',
      { results: [{ index: 1, relevance_score: 0.9, document: 'b' }], usage: { total_tokens: 7 } },
      7,
    ],
    ['ali', { output: { results: [{ index: 1, relevance_score: 0.9 }] }, usage: { total_tokens: 6 } }, 6],
    ['cloudflare', { result: { response: [{ id: 1, score: 0.9 }] } }, undefined],
  ])('of %s comes back in Jina’s form', (id, response, tokens) => {
    const reading = provided(id, 'rerank', rerank, response)
    expect(reading?.usage?.inputTokens).toBe(tokens as never)
    expect(reading?.body).toEqual({
      id: 'id',
      model: 'm',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
      usage: { prompt_tokens: tokens ?? 5, completion_tokens: 0, total_tokens: tokens ?? 5 },
    })
  })
})

describe('speech', () => {
  const speech = { model: 'speech-02-hd', input: 'Hi', voice: 'male-qn-badao', speed: 4 }

  it('of MiniMax is asked with its settings, and comes as hexadecimal digits', () => {
    expect(sent('minimax', 'speech', speech)).toMatchObject({
      path: '/v1/t2a_v2?GroupId=acc',
      body: {
        text: 'Hi',
        voice_setting: { voice_id: 'male-qn-badao', speed: 2 },
        audio_setting: { format: 'mp3' },
        output_format: 'hex',
      },
    })
    const response = {
      data: { audio: '494433' },
      extra_info: { audio_format: 'mp3' },
      base_resp: { status_code: 0 },
    }
    expect(provided('minimax', 'speech', speech, response)).toMatchObject({
      contentType: 'audio/mpeg',
      body: new Uint8Array(Buffer.from('ID3')),
    })
    expect(provided('minimax', 'speech', speech, { base_resp: { status_code: 1004 } })).toBeUndefined()
    expect(() => sent('minimax', 'speech', { ...speech, response_format: 'opus' })).toThrow('response_format')
  })

  it('of Volcengine is asked with the two parts of its key, and comes as base64', () => {
    const provider = providers.find(({ id }) => id === 'volcengine')
    const target = {
      baseUrl: 'https://ark.cn-beijing.volces.com',
      key: 'app-1|token-1',
      upstreamModel: 'tts',
      openaiOrganization: '',
      other: '',
    }
    const operation = provider?.operation('speech', target, 'openai-speech')
    const requested = { model: 'tts', input: 'Hi', voice: 'alloy', response_format: 'opus', speed: 1.5 }
    const made = operation?.plain?.encodeRequest(requested, {
      model: 'tts',
      callId: 'c-1',
      streamOptions: false,
    })
    expect(made).toMatchObject({
      body: {
        app: { appid: 'app-1', cluster: 'volcano_tts' },
        audio: { encoding: 'ogg_opus', speed_ratio: 1.5 },
        request: { reqid: 'c-1', text: 'Hi', operation: 'query' },
      },
      dropped: ['voice'],
    })
    expect(JSON.stringify(made)).not.toContain('token-1')
    const call = { stream: false, query: '', headers: {} }
    expect(operation?.endpoint(target, call).url).toBe('https://openspeech.bytedance.com/api/v1/tts')
    expect(operation?.endpoint({ ...target, baseUrl: 'https://mine' }, call).url).toBe(
      'https://mine/api/v1/tts',
    )
    const { credential } = provider ?? {}
    expect(credential?.kind === 'headers' && credential.headers(target)).toEqual({
      authorization: 'Bearer;token-1',
    })
    const read = (body: object) =>
      operation?.plain?.decodeResponse(new WireResponse(Buffer.from(JSON.stringify(body)), ''), {
        body: requested,
        model: 'tts',
        responseId: '',
        createdAt: 0,
      })
    const reading = read({ reqid: 'c-1', code: 3000, message: 'Success', sequence: -1, data: 'SUQz' })
    expect(reading?.contentType).toBe('audio/ogg')
    expect(reading?.encode(usageOf({}))).toEqual(new Uint8Array(Buffer.from('ID3')))
    const body = { reqid: 'c-1', code: 3003, message: 'exceed max limit', sequence: 0 }
    expect(read(body)).toBeUndefined()
    const failure = { status: 200, headers: {}, body: JSON.stringify(body) }
    expect(operation?.decodeError(failure).kind).toBe('rate_limited')
    expect(provider?.operation('chat', target, 'openai-chat')).toBeUndefined()
    expect(provider?.operation('speech', { ...target, key: 'k' }, 'openai-speech')).toBeUndefined()
  })

  it('of Gemini is bare samples, which become a WAV file', () => {
    const requested = { model: 'gemini-tts', input: 'Hi', voice: 'alloy' }
    expect(sent('gemini', 'speech', requested)).toMatchObject({
      path: '/v1beta/models/gemini-tts:generateContent',
      body: {
        generationConfig: { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } } },
      },
      dropped: ['voice'],
    })
    const data = Buffer.from([1, 2, 3, 4]).toString('base64')
    const parts = [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=16000', data } }]
    const reading = provided('gemini', 'speech', requested, { candidates: [{ content: { parts } }] })
    const wav = Buffer.from(reading?.body)
    expect(reading?.contentType).toBe('audio/wav')
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24), wav.readUInt32LE(40), wav.length]).toEqual([
      'RIFF',
      16_000,
      4,
      48,
    ])
  })

  it('of Cloudflare is base64 or bytes', () => {
    const requested = { model: '@cf/myshell-ai/melotts', input: 'Hi' }
    expect(sent('cloudflare', 'speech', requested).path).toEndWith('/ai/run/@cf/myshell-ai/melotts')
    const body = new Uint8Array(Buffer.from('ID3'))
    expect(provided('cloudflare', 'speech', requested, { result: { audio: 'SUQz' } })?.body).toEqual(body)
    expect(provided('cloudflare', 'speech', requested, body, 'audio/mpeg')?.body).toEqual(body)
    expect(provided('cloudflare', 'speech', requested, { success: false })).toBeUndefined()
  })
})

describe('embeddings', () => {
  const requested = {
    model: 'gemini-embedding-001',
    input: ['a', 'b'],
    dimensions: 2,
    encoding_format: 'base64',
  }

  it('of Gemini are asked as a batch, and come back as the caller wants them', () => {
    expect(sent('gemini', 'embeddings', requested)).toMatchObject({
      path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
      body: {
        requests: [
          {
            model: 'models/gemini-embedding-001',
            content: { parts: [{ text: 'a' }] },
            outputDimensionality: 2,
          },
          { content: { parts: [{ text: 'b' }] } },
        ],
      },
    })
    const response = { embeddings: [{ values: [1, 0] }, { values: [0.5, -2] }] }
    const { body } = provided('gemini', 'embeddings', requested, response) ?? {}
    const floats = (base64: string) => [
      ...new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer),
    ]
    expect(body.data.map((item: { embedding: string }) => floats(item.embedding))).toEqual([
      [1, 0],
      [0.5, -2],
    ])
    expect(body).toMatchObject({ object: 'list', usage: { prompt_tokens: 5, total_tokens: 5 } })
    expect(provided('gemini', 'embeddings', requested, { embeddings: [{ values: [1] }] })).toBeUndefined()
    expect(() => sent('gemini', 'embeddings', { ...requested, input: [1, 2] })).toThrow('input')
  })
})

it('reports a failure in place of a response', () => {
  const failure: UpstreamFailure = {
    status: 200,
    headers: {},
    body: '{"base_resp":{"status_code":1008,"status_msg":"poor"}}',
  }
  expect(operationOf('minimax', 'speech', 'm').operation.decodeError(failure).kind).toBe('quota')
  for (const provider of providers)
    for (const mode of provider.modes) {
      const { operation } = operationOf(provider.id, mode, 'qwen-image')
      for (const response of [
        '',
        '{}',
        '[]',
        'null',
        '{"error":{"message":"no"}}',
        '{"data":5,"results":[null],"result":7}',
      ])
        expect(
          operation.plain?.decodeResponse(new WireResponse(Buffer.from(response), ''), {
            body: images,
            model: 'm',
            responseId: '',
            createdAt: 0,
          }),
        ).toBeUndefined()
    }
})
