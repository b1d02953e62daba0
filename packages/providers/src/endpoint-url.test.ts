import { describe, expect, it } from 'bun:test'
import { endpointUrl, fillModel, withoutEndpoint } from './endpoint-url.ts'
import { openAiFormats } from './openai/openai-compatible.ts'
import type { EndpointCall } from './provider.ts'
import { providers } from './registry.ts'
import { rowOf } from './table.ts'

const chat = '/chat/completions'

describe('endpointUrl', () => {
  it.each([
    ['https://api.openai.com', '/v1', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/', '/v1', 'https://api.openai.com/v1/chat/completions'],
    [' https://api.openai.com/v1/ ', '/v1', 'https://api.openai.com/v1/chat/completions'],
    ['https://host/proxy', '/v1', 'https://host/proxy/v1/chat/completions'],
    ['http://127.0.0.1:8080', '/v1', 'http://127.0.0.1:8080/v1/chat/completions'],
    ['https://v1.example.com', '/v1', 'https://v1.example.com/v1/chat/completions'],
    ['https://openrouter.ai/api', '/v1', 'https://openrouter.ai/api/v1/chat/completions'],
    ['https://openrouter.ai/api/v1', '/v1', 'https://openrouter.ai/api/v1/chat/completions'],
    [
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai',
      '/v1',
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions',
    ],
    ['https://api.deepinfra.com/v1/openai', '/v1', 'https://api.deepinfra.com/v1/openai/chat/completions'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai',
      '/v1',
      'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    ],
    ['https://open.bigmodel.cn', '/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [
      'https://open.bigmodel.cn/api/paas/v4',
      '/api/paas/v4',
      'https://open.bigmodel.cn/api/paas/v4/chat/completions',
    ],
    [
      'https://api.z.ai/api/coding/paas/v4',
      '/api/paas/v4',
      'https://api.z.ai/api/coding/paas/v4/chat/completions',
    ],
    [
      'https://dashscope.aliyuncs.com/compatible-mode',
      '/compatible-mode/v1',
      'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions',
    ],
    [
      'https://api.cloudflare.com/client/v4',
      '/client/v4/accounts/a/ai',
      'https://api.cloudflare.com/client/v4/accounts/a/ai/chat/completions',
    ],
    ['https://api.perplexity.ai', '', 'https://api.perplexity.ai/chat/completions'],
  ])('puts %s and %s together', (base, root, expected) => {
    expect(endpointUrl(base, root, chat)).toBe(expected)
  })

  it('puts no version twice where the path has one of its own', () => {
    const base = 'https://api.cloudflare.com/client/v4/accounts/a/ai'
    expect(endpointUrl(`${base}/v1`, '/client/v4/accounts/a/ai', `/v1${chat}`)).toBe(`${base}/v1${chat}`)
  })
})

describe('withoutEndpoint', () => {
  it.each([
    ['https://api.deepseek.com/chat/completions', 'https://api.deepseek.com'],
    [' https://openrouter.ai/api/v1/chat/completions/ ', 'https://openrouter.ai/api/v1'],
    ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
    ['https://api.openai.com/v1/responses', 'https://api.openai.com/v1'],
    ['https://h.example/v1beta/models/gemini-3:generateContent', 'https://h.example/v1beta'],
    ['https://h.example/v1', 'https://h.example/v1'],
    ['https://h.example/messages', 'https://h.example/messages'],
    ['https://h.example/models', 'https://h.example/models'],
    ['https://h.example/v1/acc/gw/anthropic', 'https://h.example/v1/acc/gw/anthropic'],
  ])('reads %s as %s', (address, base) => {
    expect(withoutEndpoint(address)).toBe(base)
  })

  const call: EndpointCall = { stream: false, query: '', headers: {} }
  const formats = ['openai-responses', 'anthropic-messages', 'gemini'] as const
  const copied = providers
    .filter(({ id }) => rowOf(id).address === undefined)
    .flatMap((provider) =>
      provider.modes.flatMap((mode) =>
        [openAiFormats[mode], ...formats].flatMap((format) => {
          const addressAt = (baseUrl: string) => {
            const key = provider.id === 'aws' ? 'id|secret|us-east-1' : 'key'
            const target = {
              baseUrl,
              key,
              upstreamModel: 'a-model',
              openaiOrganization: '',
              other: 'account',
            }
            try {
              return provider.operation(mode, target, format as never)?.endpoint(target, call).url
            } catch {
              return undefined
            }
          }
          const address = addressAt('https://h.example')
          const isCopied = address !== undefined && withoutEndpoint(address) !== address
          return isCopied ? [{ name: `${provider.id}: ${mode} as ${format}`, address, addressAt }] : []
        }),
      ),
    )

  it('leads every provider to the endpoint that was copied', () => {
    expect(copied.length).toBeGreaterThan(100)
    for (const { name, address, addressAt } of copied)
      expect(addressAt(withoutEndpoint(address)), name).toBe(address)
  })
})

describe('fillModel', () => {
  it('fills every place, as it must be written there', () => {
    expect(fillModel('https://h/{model}/x/{model}', 'a/b:c')).toBe('https://h/a/b:c/x/a/b:c')
    expect(fillModel('https://h/x?m={model}&n=1', 'a/b c&d=$&')).toBe(
      'https://h/x?m=a%2Fb%20c%26d%3D%24%26&n=1',
    )
    expect(fillModel('https://h/{model}', 'a?b#c')).toBe('https://h/a%3Fb%23c')
    expect(fillModel('https://h/fixed', 'm')).toBe('https://h/fixed')
  })

  it.each(['a/../../admin', '../admin', 'a/..', 'a/./b'])(
    'never lets %s climb to another path of the host',
    (model) => {
      const { pathname } = new URL(fillModel('https://h/deployments/{model}/chat', model))
      expect(pathname).toStartWith('/deployments/')
      expect(pathname.split('/')).toHaveLength(4)
    },
  )
})
