import { describe, expect, it } from 'bun:test'
import { endpointUrl, fillModel } from './endpoint-url.ts'

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
