import { describe, expect, it } from 'bun:test'
import type { ModelTurn, RequestText } from '@tollgate/formats'
import { adapt } from '../profile/adapt.ts'
import type { Target } from '../provider.ts'
import { providerFor } from '../registry.ts'
import { targetOf } from '../test-support/target.ts'

const account = '0123456789abcdef0123456789abcdef'

type Wanted = Parameters<NonNullable<ReturnType<typeof providerFor>>['operation']>[2]

function chosen(type: number, wanted: Wanted, more: Partial<Target> = {}, turn?: ModelTurn) {
  const provider = providerFor(type)
  const target = targetOf(provider?.id ?? '', more)
  const operation = provider?.operation('chat', target, wanted, turn && (() => turn))
  if (operation === undefined) throw new Error('no operation')
  const { url } = operation.endpoint(target, { stream: false, query: '', headers: {} })
  return { format: operation.format, url, operation }
}

describe('a caller of Responses', () => {
  const native: readonly (readonly [string, number, string, Partial<Target>])[] = [
    ['OpenAI', 1, 'https://api.openai.com/v1/responses', {}],
    ['Azure', 3, 'https://r.example/openai/v1/responses', { baseUrl: 'https://r.example' }],
    ['Ollama', 4, 'http://localhost:11434/v1/responses', {}],
    ['OpenRouter', 20, 'https://openrouter.ai/api/v1/responses', {}],
    [
      'Cloudflare',
      39,
      `https://api.cloudflare.com/client/v4/accounts/${account}/ai/v1/responses`,
      { other: account, upstreamModel: '@cf/openai/gpt-oss-120b' },
    ],
    ['Volcengine', 45, 'https://ark.cn-beijing.volces.com/api/v3/responses', {}],
    ['xAI', 48, 'https://api.x.ai/v1/responses', {}],
    ['LM Studio', 1007, 'http://localhost:1234/v1/responses', {}],
  ]
  it.each(native)('is served by %s in its own format', (_name, type, url, more) => {
    expect(chosen(type, 'openai-responses', more)).toMatchObject({ format: 'openai-responses', url })
    expect(chosen(type, 'openai-chat', more).format).toBe('openai-chat')
  })

  const converted: readonly (readonly [string, number, Partial<Target>])[] = [
    ['Cloudflare’s other models', 39, { other: account }],
    ['bots of Volcengine', 45, { upstreamModel: 'bot-1' }],
    ['DeepSeek', 43, {}],
    ['an address of its own', 8, { baseUrl: 'https://a.example/v1/chat/completions' }],
  ]
  it.each(converted)('is served by %s through Chat Completions', (_name, type, more) => {
    expect(chosen(type, 'openai-responses', more).format).toBe('openai-chat')
  })
})

it('reaches models that have nothing but Responses, at OpenAI itself', () => {
  for (const upstreamModel of [
    'gpt-5.3-codex',
    'gpt-5-pro',
    'o3-pro',
    'o4-mini-deep-research',
    'gpt-5-codex-high',
    'codex-mini-latest',
    'computer-use-preview',
    'computer-use-preview-2025-03-11',
  ])
    expect(chosen(1, 'openai-chat', { upstreamModel }).format).toBe('openai-responses')
  const elsewhere = { upstreamModel: 'gpt-5.3-codex', baseUrl: 'https://a.example' }
  expect(chosen(1, 'openai-chat', elsewhere).format).toBe('openai-chat')
})

describe('functions of a model that reasons', () => {
  const callers = ['openai-chat', 'anthropic-messages', 'gemini'] as const
  const efforts = ['', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
  const hosts = [
    [1, ''],
    [1, 'https://api.openai.com'],
    [3, 'https://r.example'],
  ] as const
  /** The efforts beside which Chat Completions takes functions. */
  const models: Readonly<Record<string, readonly string[]>> = {
    'gpt-4o': efforts,
    'gpt-35-turbo': efforts,
    'gpt-5': efforts,
    'gpt-5.2': efforts,
    'gpt-5.3-chat-latest': efforts,
    'gpt-5.4': ['', 'none'],
    'gpt-5.5-2026-04-23': ['', 'none'],
    'gpt-5.6-sol': ['none'],
    'gpt-6-luna': ['none'],
    'gpt-6.1-terra': ['none'],
  }
  const rows = Object.keys(models).flatMap((upstreamModel) =>
    hosts.flatMap(([type, baseUrl]) =>
      callers.map((caller) => [upstreamModel, type, baseUrl, caller] as const),
    ),
  )

  it.each(rows)(
    'go to Responses at %s (%i %s) where Chat Completions refuses them, for callers of %s',
    (...row) => {
      const [upstreamModel, type, baseUrl, caller] = row
      const formatOf = (turn: ModelTurn) => chosen(type, caller, { upstreamModel, baseUrl }, turn).format
      for (const effort of efforts) {
        const expected = models[upstreamModel]?.includes(effort) ? 'openai-chat' : 'openai-responses'
        expect([effort, formatOf({ offersFunctions: true, effort })]).toEqual([effort, expected])
        expect(formatOf({ offersFunctions: false, effort })).toBe('openai-chat')
      }
    },
  )

  it('ask for no text of the reasoning, which unverified organizations are refused', () => {
    const turn = { offersFunctions: true, effort: 'high' }
    for (const [type, baseUrl] of hosts) {
      const silent = (upstreamModel: string, wanted: Wanted = 'openai-chat') =>
        chosen(type, wanted, { upstreamModel, baseUrl }, turn).operation.silentReasoning
      expect(silent('gpt-5.6-sol')).toBe(true)
      expect(silent('gpt-5.6-sol', 'openai-responses')).toBeUndefined()
      expect(silent('gpt-5.5-pro')).toBeUndefined()
    }
  })

  it('count an effort at the end of the name, unless the call says one', () => {
    const turn = { offersFunctions: true, effort: '' }
    const formatOf = (upstreamModel: string, effort = '') =>
      chosen(1, 'openai-chat', { upstreamModel }, { ...turn, effort }).format
    expect(formatOf('gpt-5.4-high')).toBe('openai-responses')
    expect(formatOf('gpt-5.4-high', 'none')).toBe('openai-chat')
    expect(formatOf('gpt-5.6-sol-none')).toBe('openai-chat')
  })

  it('stay where the host is another one', () => {
    const turn = { offersFunctions: true, effort: 'high' }
    const upstreamModel = 'gpt-5.6-sol'
    for (const [type, baseUrl] of [
      [1, 'https://a.example'],
      [3, 'https://gateway.ai.cloudflare.com/v1/a/g/azure-openai/r'],
      [20, ''],
    ] as const)
      expect(chosen(type, 'openai-chat', { upstreamModel, baseUrl }, turn).format).toBe('openai-chat')
  })
})

it('reads the kind of a failure inside an event', () => {
  const { operation } = chosen(1, 'openai-responses')
  const error = { code: 'rate_limit_exceeded', message: 'Slow down' }
  const body = JSON.stringify({ type: 'response.failed', response: { error } })
  expect(operation.decodeError({ status: 200, headers: {}, body })).toMatchObject({
    kind: 'rate_limited',
    message: 'Slow down',
  })
})

it('says the effort in a model’s name where this format says it', () => {
  const { operation } = chosen(1, 'openai-responses')
  const edits = (model: string, body: object) => {
    const plan = operation.planFor?.(model)
    return plan && Object.fromEntries(adapt(plan, { body } as RequestText, new Map(), false).edits)
  }
  expect(edits('gpt-5.6-luna-high', { reasoning: { summary: 'auto' } })).toEqual({
    model: '"gpt-5.6-luna"',
    reasoning: '{"summary":"auto","effort":"high"}',
  })
  expect(edits('gpt-5.6-luna', {})).toEqual({})
})
