import { describe, expect, it } from 'bun:test'
import { type ChatRequest, RequestFault } from '@tollgate/formats'
import type { ProviderShape } from '../define-provider.ts'
import type { Target } from '../provider.ts'
import { rowOf } from '../table.ts'
import { aiproxyLibrary } from '../vendors/aiproxy-library/index.ts'
import { fastgpt } from '../vendors/fastgpt/index.ts'

const target: Target = { baseUrl: '', key: 'k', upstreamModel: 'm', openaiOrganization: '', other: ' lib-1 ' }
const say = (role: 'user' | 'system', text: string) => ({ role, parts: [{ type: 'text', text }] }) as const
const request: ChatRequest = {
  model: 'm',
  stream: true,
  messages: [say('system', 'Be brief.'), say('user', 'How much?')],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}

function requested(provider: ProviderShape, more: Partial<ChatRequest> = {}, baseUrl?: string) {
  const operation = provider.operation('chat', target, 'openai-chat')
  const own = rowOf(provider === fastgpt ? 'fastgpt' : 'aiproxy-library').baseUrl
  const { url } =
    operation?.endpoint({ ...target, baseUrl: baseUrl ?? own }, { stream: true, query: '', headers: {} }) ??
    {}
  const encoding = operation?.codec?.encodeRequest(
    { ...request, ...more },
    { model: 'm', streamOptions: false },
  )
  return { url, ...encoding }
}

describe('the library of AI Proxy', () => {
  it('is asked the last message, by its id', () => {
    expect(requested(aiproxyLibrary)).toEqual({
      url: 'https://api.aiproxy.io/api/library/ask',
      body: { model: 'm', query: 'How much?', libraryId: 'lib-1', stream: true },
      dropped: ['messages before the last'],
    })
  })

  it('refuses a request that it cannot serve', () => {
    expect(() => requested(aiproxyLibrary, { tools: [{ type: 'function', name: 'f' }] })).toThrow(
      RequestFault,
    )
    expect(() => requested(aiproxyLibrary, { messages: [say('user', '')] })).toThrow('holds no text')
    const source = { type: 'url', url: 'https://i.example/a.png' } as const
    const { parts } = say('user', 'What is it?')
    const visible = { role: 'user', parts: [...parts, { type: 'media', kind: 'image', source }] } as const
    expect(() => requested(aiproxyLibrary, { messages: [visible] })).toThrow('the library takes no image')
  })
})

describe('FastGPT', () => {
  it('is asked as OpenAI is, with the fields that only it knows', () => {
    const fields = { chatId: 'c-1', variables: { city: 'Oslo' }, store: true }
    const { url, body, dropped } = requested(fastgpt, {
      vendor: { format: 'openai-chat', fields },
      maxOutputTokens: 9,
    })
    expect(url).toBe('https://fastgpt.run/api/openapi/v1/chat/completions')
    expect(body).toMatchObject({ chatId: 'c-1', variables: { city: 'Oslo' }, stream: true })
    expect(dropped).toEqual(['store', 'max_tokens'])
  })

  it('is reached at a deployment of one’s own', () => {
    expect(requested(fastgpt, {}, 'https://kb.example/api').url).toBe(
      'https://kb.example/api/v1/chat/completions',
    )
  })

  it('receives no options that it would ignore, and the caller gets a warning', () => {
    const sampling = { temperature: 0, stop: [], candidates: 1 }
    const { body, dropped } = requested(fastgpt, {
      sampling,
      maxOutputTokens: 9,
      reasoning: { effort: 'high' },
    })
    expect(dropped).toEqual(['temperature', 'max_tokens', 'reasoning_effort'])
    expect(Object.keys(body ?? {}).toSorted()).toEqual(['messages', 'model', 'stream'])
  })
})
