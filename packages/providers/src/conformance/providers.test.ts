import { describe, expect, it } from 'bun:test'
import { openAiFormats } from '../openai/openai-compatible.ts'
import type { Provider, RelayMode, Target } from '../provider.ts'
import { providers } from '../registry.ts'
import { sentBody as sent } from '../test-support/sent-body.ts'
import { targetOf } from '../test-support/target.ts'

const target: Target = { baseUrl: '', key: 'k-1', upstreamModel: 'm', openaiOrganization: '', other: '' }

function providerOf(id: string): Provider {
  const provider = providers.find((candidate) => candidate.id === id)
  if (provider === undefined) throw new Error(`no provider ${id}`)
  return provider
}

function endpoint(id: string, mode: RelayMode, more: Partial<Target> = {}) {
  const provider = providerOf(id)
  const requested = targetOf(id, { key: 'k-1', ...more })
  const { url, headers } = operationOf(provider, mode).endpoint(requested, {
    stream: false,
    query: '',
    headers: {},
  })
  return { url, headers: { ...headers, ...keyHeaders(provider, requested) } }
}

function speechUrl(other: string): string | undefined {
  const minimax = targetOf('minimax', { other })
  const operation = providerOf('minimax').operation('speech', minimax, 'openai-speech')
  return operation?.endpoint(minimax, { stream: false, query: '', headers: {} }).url
}

function operationOf(provider: Provider, mode: RelayMode) {
  const operation = provider.operation(mode, target, openAiFormats[mode])
  if (operation === undefined) throw new Error(`${provider.id} serves no ${mode}`)
  return operation
}

function keyHeaders({ credential }: Provider, requested: Target) {
  return credential.kind === 'headers' ? credential.headers(requested) : {}
}

const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

describe('endpoints', () => {
  it.each([
    ['openai', 'chat', 'https://api.openai.com/v1/chat/completions'],
    ['openai', 'completions', 'https://api.openai.com/v1/completions'],
    ['openai', 'embeddings', 'https://api.openai.com/v1/embeddings'],
    ['ollama', 'chat', 'http://localhost:11434/v1/chat/completions'],
    ['ali', 'chat', 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    ['ali', 'embeddings', 'https://dashscope.aliyuncs.com/compatible-mode/v1/embeddings'],
    ['perplexity', 'chat', 'https://api.perplexity.ai/chat/completions'],
    ['minimax', 'chat', 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
    ['deepseek', 'chat', 'https://api.deepseek.com/v1/chat/completions'],
    ['deepseek', 'completions', 'https://api.deepseek.com/beta/completions'],
    ['moka', 'embeddings', 'https://api.moka.ai/embeddings'],
    ['volcengine', 'chat', 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    ['qianfan', 'chat', 'https://qianfan.baidubce.com/v2/chat/completions'],
    ['siliconflow', 'embeddings', 'https://api.siliconflow.cn/v1/embeddings'],
    ['xai', 'chat', 'https://api.x.ai/v1/chat/completions'],
    ['groq', 'chat', 'https://api.groq.com/openai/v1/chat/completions'],
    ['together', 'embeddings', 'https://api.together.xyz/v1/embeddings'],
    ['fireworks', 'chat', 'https://api.fireworks.ai/inference/v1/chat/completions'],
    ['cerebras', 'chat', 'https://api.cerebras.ai/v1/chat/completions'],
    ['nvidia', 'embeddings', 'https://integrate.api.nvidia.com/v1/embeddings'],
    ['huggingface', 'chat', 'https://router.huggingface.co/v1/chat/completions'],
    ['vllm', 'completions', 'http://localhost:8000/v1/completions'],
    ['lmstudio', 'chat', 'http://localhost:1234/v1/chat/completions'],
  ] as const)('%s serves %s at %s', (id, mode, url) => {
    expect(endpoint(id, mode)).toEqual({ url, headers: { authorization: 'Bearer k-1' } })
  })

  it('follow the base URL of the channel, never the default beside it', () => {
    for (const provider of providers) {
      const key = provider.id === 'aws' ? 'a|b|us-east-1' : 'k-1'
      const base = { ...target, key, baseUrl: 'http://127.0.0.1:9', other: 'acc' }
      for (const mode of provider.modes) {
        if (provider.operation(mode, base, openAiFormats[mode]) === undefined) continue
        expect(endpoint(provider.id, mode, base).url).toStartWith('http://127.0.0.1:9')
      }
      expect(provider.models?.endpoint(base)?.url ?? base.baseUrl).toStartWith('http://127.0.0.1:9')
    }
  })

  it('name the version of Azure AI Foundry, and take its keys where each of its hosts wants them', () => {
    const resource = { baseUrl: 'https://r.services.ai.azure.com', other: '' }
    expect(endpoint('azure-ai-foundry', 'chat', resource)).toEqual({
      url: 'https://r.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
      headers: { 'api-key': 'k-1', 'extra-parameters': 'pass-through' },
    })
    const serverless = { baseUrl: 'https://m.eastus.models.ai.azure.com', other: '2025-01-01' }
    expect(endpoint('azure-ai-foundry', 'embeddings', serverless)).toEqual({
      url: 'https://m.eastus.models.ai.azure.com/embeddings?api-version=2025-01-01',
      headers: { authorization: 'Bearer k-1', 'extra-parameters': 'pass-through' },
    })
  })

  it('reads the list of Together AI, which has no object around it', () => {
    expect(providerOf('together').models?.decode([{ id: 'a/b' }, { id: 'c' }, {}])).toEqual(['a/b', 'c'])
  })

  it('put the account of Cloudflare into the path', () => {
    const account = { other: ' 0a1b ' }
    const root = 'https://api.cloudflare.com/client/v4/accounts/0a1b/ai'
    expect(endpoint('cloudflare', 'chat', account).url).toBe(`${root}/v1/chat/completions`)
    expect(endpoint('cloudflare', 'embeddings', account).url).toBe(`${root}/v1/embeddings`)
    expect(providerOf('cloudflare').models?.endpoint(targetOf('cloudflare', account))?.url).toBe(
      `${root}/models/search?per_page=100&page=1`,
    )
  })

  it('name the group of an older account of MiniMax for speech', () => {
    const speech = 'https://api.minimax.chat/v1/t2a_v2'
    expect(speechUrl('')).toBe(speech)
    expect(speechUrl('17 3')).toBe(`${speech}?GroupId=17%203`)
  })

  it('send bots of Volcengine to their own address', () => {
    expect(endpoint('volcengine', 'chat', { upstreamModel: 'bot-2024' }).url).toEndWith(
      '/api/v3/bots/chat/completions',
    )
  })

  it('take the base URL of a custom channel as the complete address', () => {
    const baseUrl = 'https://h.example/{model}/chat/completions?m={model}'
    expect(endpoint('custom', 'chat', { baseUrl, upstreamModel: 'a b' })).toEqual({
      url: 'https://h.example/a%20b/chat/completions?m=a%20b',
      headers: { authorization: 'Bearer k-1' },
    })
    const models = (url: string) => providerOf('custom').models?.endpoint({ ...target, baseUrl: url })?.url
    expect(models('https://h.example/v1/chat/completions')).toBe('https://h.example/v1/models')
    expect(models('https://h.example/v1/complete')).toBeUndefined()
    expect(models(baseUrl)).toBeUndefined()
  })

  it('send no authorization without a key, and the organisation where there is one', () => {
    expect(endpoint('ollama', 'chat', { key: '' }).headers).toEqual({})
    expect(endpoint('openai', 'chat', { openaiOrganization: 'org-1' }).headers).toEqual({
      authorization: 'Bearer k-1',
      'openai-organization': 'org-1',
    })
  })

  it('take compound keys and free fields apart', () => {
    expect(endpoint('qianfan', 'chat', { key: 'bce-v3/A|app-9' }).headers).toEqual({
      authorization: 'Bearer bce-v3/A',
      appid: 'app-9',
    })
    expect(endpoint('ali', 'chat', { other: '{"p":1}' }).headers).toMatchObject({
      'x-dashscope-plugin': '{"p":1}',
    })
  })
})

describe('decodeModels', () => {
  it('reads the names, and nothing from a response of another shape', () => {
    const decodeModels = (id: string, body: unknown) => providerOf(id).models?.decode(body)
    expect(
      decodeModels('openai', {
        object: 'list',
        data: [{ id: 'a' }, { id: 'b' }, { id: 'a' }, {}, null, { id: '' }],
      }),
    ).toEqual(['a', 'b'])
    for (const body of [null, [], 'x', {}, { data: {} }]) expect(decodeModels('openai', body)).toEqual([])
    expect(decodeModels('cloudflare', { result: [{ name: '@cf/a' }] })).toEqual(['@cf/a'])
  })
})

describe('quirks', () => {
  it('ask OpenAI models that think for max_completion_tokens, and others not', () => {
    for (const model of ['o1', 'o3-mini', 'o4-mini', 'gpt-5', 'gpt-5.6-luna', 'gpt-6-astra']) {
      expect(sent('openai', { ...chat, max_tokens: 9 }, model)).toEqual({
        ...chat,
        model,
        max_completion_tokens: 9,
      })
    }
    expect(sent('openai', { ...chat, max_tokens: 9 }, 'gpt-4o')).toEqual({
      ...chat,
      model: 'gpt-4o',
      max_tokens: 9,
    })
    expect(sent('openai', { ...chat, max_tokens: 0 }, 'o1')).toEqual({ ...chat, model: 'o1' })
  })

  it('receive no sampling parameters while they reason', () => {
    const sampled = { ...chat, temperature: 0.2, top_p: 1, presence_penalty: 0 }
    const { temperature: _temperature, ...retained } = sampled
    for (const model of ['o3', 'gpt-5-mini'])
      expect(sent('openai', sampled, model)).toEqual({ ...retained, model })
    expect(sent('openai', { ...sampled, reasoning_effort: 'low' }, 'gpt-5.5')).toEqual({
      ...retained,
      reasoning_effort: 'low',
      model: 'gpt-5.5',
    })
    for (const model of ['gpt-5.5', 'gpt-5-chat-latest', 'gpt-4o'])
      expect(sent('openai', sampled, model)).toEqual({ ...sampled, model })
  })

  it('read the effort from the end of the name, unless the caller says it', () => {
    expect(sent('openai', chat, 'o3-mini-high')).toEqual({
      ...chat,
      model: 'o3-mini',
      reasoning_effort: 'high',
    })
    expect(sent('openai', { ...chat, reasoning_effort: 'low' }, 'o3-mini-high')).toEqual({
      ...chat,
      model: 'o3-mini',
      reasoning_effort: 'low',
    })
    for (const model of ['gpt-5-mini', 'gpt-5-pro', 'gpt-4-high'])
      expect(sent('openai', chat, model)).toEqual({ ...chat, model })
    expect(sent('xai', { ...chat, max_tokens: 5 }, 'grok-3-mini-low')).toEqual({
      ...chat,
      model: 'grok-3-mini',
      reasoning_effort: 'low',
      max_completion_tokens: 5,
    })
  })

  it('speak to Mistral in its own words', () => {
    const body = {
      ...chat,
      seed: 7,
      max_completion_tokens: 5,
      user: 'u',
      tool_choice: 'required',
      stream_options: {},
    }
    expect(sent('mistral', body)).toEqual({ ...chat, random_seed: 7, max_tokens: 5, tool_choice: 'any' })
    const named = { type: 'function', function: { name: 'f' } }
    expect(sent('mistral', { ...chat, tool_choice: named })).toEqual({ ...chat, tool_choice: named })
  })

  it('keep top_p where upstreams take it', () => {
    expect(sent('ali', { ...chat, top_p: 1 })).toEqual({ ...chat, top_p: 0.999 })
    expect(sent('ali', { ...chat, top_p: 0 })).toEqual({ ...chat, top_p: 0.001 })
    expect(sent('ali', { ...chat, top_p: 0.5 })).toEqual({ ...chat, top_p: 0.5 })
    expect(sent('zhipu', { ...chat, top_p: 1 })).toEqual({ ...chat, top_p: 0.99 })
    expect(sent('perplexity', { ...chat, top_p: 1 })).toEqual({ ...chat, top_p: 0.99 })
  })

  it('switch web search on for names that ask for it', () => {
    expect(sent('ali', chat, 'qwen-plus-internet')).toEqual({
      ...chat,
      model: 'qwen-plus',
      enable_search: true,
    })
    expect(sent('qianfan', chat, 'ernie-4.0-8k-search')).toMatchObject({
      model: 'ernie-4.0-8k',
      web_search: { enable: true },
    })
  })

  it('speak to Zhipu and Moonshot in the words that they know', () => {
    const messages = [{ role: 'developer', content: 'developer' }]
    const reported = [{ role: 'system', content: 'developer' }]
    expect(sent('moonshot', { ...chat, messages, temperature: 1.5 })).toEqual({
      ...chat,
      messages: reported,
      temperature: 1,
    })
    const body = { ...chat, messages, temperature: 0, max_completion_tokens: 5, user: 'caller-1', stop: 'x' }
    const renamed = { ...chat, messages: reported, max_tokens: 5, user_id: 'caller-1', stop: ['x'] }
    expect(sent('zhipu', body)).toEqual({ ...renamed, temperature: 0 })
    expect(sent('zhipu', body, 'glm-4-plus')).toEqual({ ...renamed, model: 'glm-4-plus', do_sample: false })
  })

  it('give older models of Zhipu images as Base64 alone', () => {
    const image = (url: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]
    const messages = image('data:image/png;base64,AAAA')
    expect(sent('zhipu', { ...chat, messages }, 'glm-4v')).toMatchObject({ messages: image('AAAA') })
    for (const model of ['glm-4.5v', 'glm-5'])
      expect(sent('zhipu', { ...chat, messages }, model)).toMatchObject({ messages })
  })

  it('switch reasoning off where a buffered response may hold none', () => {
    expect(sent('ali', chat, 'qwen3-32b')).toEqual({ ...chat, model: 'qwen3-32b', enable_thinking: false })
    expect(sent('ali', { ...chat, enable_thinking: true }, 'qwen3-32b')).toMatchObject({
      enable_thinking: true,
    })
    expect(sent('ali', { ...chat, stream: true }, 'qwen3-32b')).not.toHaveProperty('enable_thinking')
    expect(sent('ali', chat, 'qwen3-max')).not.toHaveProperty('enable_thinking')
  })

  it('keep out of MiniMax what it refuses', () => {
    expect(sent('minimax', { ...chat, temperature: 2, top_p: 0 })).toEqual({
      ...chat,
      temperature: 1,
      top_p: 0.01,
    })
  })

  it('give embedding upstreams their own form', () => {
    expect(sent('moka', { model: 'm', input: 'a' })).toEqual({ model: 'm', input: ['a'] })
    expect(sent('moka', { model: 'm', input: ['a'] })).toEqual({ model: 'm', input: ['a'] })
    expect(sent('jina', { model: 'm', input: 'a', encoding_format: 'base64' })).toEqual({
      model: 'm',
      input: 'a',
      embedding_type: 'base64',
    })
  })
})
