import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { PublicFormat } from '../canonical/request.ts'
import { scanTopLevel, spliceMembers } from '../json/text.ts'
import type { JsonObject } from '../json/value.ts'
import { costlyFields, withoutFields, withoutItems } from './index.ts'

const own = { type: 'function', name: 'look', function: { name: 'look' } }
const declared = { functionDeclarations: [{ name: 'look' }] }

type Found = readonly [feature: string, param: string, value: string]

function found(format: PublicFormat, body: JsonObject, headers = {}): readonly Found[] {
  return costlyFields(format, body, headers).map(({ feature, param, value }) => [feature, param, value])
}

describe('fields that change the price', () => {
  it.each<[PublicFormat, JsonObject, Found]>([
    ['openai-chat', { service_tier: 'priority' }, ['service-tier', 'service_tier', 'priority']],
    ['openai-chat', { service_tier: 'Auto' }, ['service-tier', 'service_tier', 'Auto']],
    ['openai-responses', { service_tier: 'flex' }, ['service-tier', 'service_tier', 'flex']],
    ['anthropic-messages', { service_tier: 'priority' }, ['service-tier', 'service_tier', 'priority']],
    ['anthropic-messages', { speed: 'fast' }, ['speed', 'speed', 'fast']],
    ['anthropic-messages', { inference_geo: 'us' }, ['inference-geo', 'inference_geo', 'us']],
    ['anthropic-messages', { container: { skills: [{}] } }, ['hosted-tool', 'container', 'code_execution']],
    ['anthropic-messages', { fallbacks: [{ model: 'x' }] }, ['other-model', 'fallbacks', '']],
    ['gemini', { serviceTier: 'PRIORITY' }, ['service-tier', 'serviceTier', 'PRIORITY']],
    ['gemini', { service_tier: 'flex' }, ['service-tier', 'service_tier', 'flex']],
    ['openai-chat', { models: ['dear'] }, ['other-model', 'models', '']],
    ['openai-chat', { provider: { sort: 'throughput' } }, ['other-model', 'provider', '']],
    ['openai-chat', { plugins: [{ id: 'web' }] }, ['hosted-tool', 'plugins', 'plugins']],
    ['openai-chat', { web_search_options: {} }, ['hosted-tool', 'web_search_options', 'web_search']],
    ['openai-chat', { enable_search: true }, ['hosted-tool', 'enable_search', 'web_search']],
    [
      'openai-chat',
      { search_parameters: { mode: 'on' } },
      ['hosted-tool', 'search_parameters', 'live_search'],
    ],
    [
      'openai-chat',
      { extra_body: { enable_search: true } },
      ['hosted-tool', 'extra_body.enable_search', 'web_search'],
    ],
    [
      'openai-chat',
      { extra_body: { google: { tools: [{ google_search: {} }] } } },
      ['hosted-tool', 'extra_body.google.tools[0].google_search', 'googleSearch'],
    ],
    ['openai-chat', { tools: [own, { type: 'live_search' }] }, ['hosted-tool', 'tools[1]', 'live_search']],
    ['openai-chat', { tools: [{ ...own, Type: 'web_search' }] }, ['hosted-tool', 'tools[0]', 'web_search']],
    ['openai-chat', { tools: [{ google_search: {} }] }, ['hosted-tool', 'tools[0]', 'google_search']],
    ['openai-responses', { tools: [{ type: 'web_search' }] }, ['hosted-tool', 'tools[0]', 'web_search']],
    ['openai-responses', { tools: [{ type: 'of_next_week' }] }, ['hosted-tool', 'tools[0]', 'of_next_week']],
    [
      'openai-responses',
      { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
      ['hosted-tool', 'tools[0]', 'shell'],
    ],
    [
      'openai-responses',
      { tools: [{ type: 'namespace', name: 'n', tools: [own, { type: 'file_search' }] }] },
      ['hosted-tool', 'tools[0].tools[1]', 'file_search'],
    ],
    [
      'openai-responses',
      { input: [{}, { type: 'additional_tools', tools: [{ type: 'code_interpreter' }] }] },
      ['hosted-tool', 'input[1].tools[0]', 'code_interpreter'],
    ],
    [
      'anthropic-messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      ['hosted-tool', 'tools[0]', 'web_search_20250305'],
    ],
    ['gemini', { tools: { google_maps: {} } }, ['hosted-tool', 'tools.google_maps', 'googleMaps']],
    [
      'gemini',
      { tools: [declared, { googleSearchRetrieval: {} }] },
      ['hosted-tool', 'tools[1].googleSearchRetrieval', 'googleSearchRetrieval'],
    ],
    [
      'anthropic-messages',
      { anthropic_beta: ['context-1m-2025-08-07'] },
      ['long-context', 'anthropic-beta', 'context-1m-2025-08-07'],
    ],
    ['openai-chat', { store: true }, ['store', 'store', '']],
    ['openai-responses', { safety_identifier: 'u' }, ['safety-identifier', 'safety_identifier', 'u']],
    [
      'openai-chat',
      { stream_options: { include_obfuscation: false } },
      ['stream-obfuscation', 'stream_options.include_obfuscation', ''],
    ],
    [
      'openai-responses',
      { prompt_cache_options: { mode: 'explicit', ttl: '12h' } },
      ['long-cache', 'prompt_cache_options.ttl', '12h'],
    ],
    [
      'openai-responses',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } }] },
      ['hosted-tool', 'tools[0]', 'code_interpreter_64g'],
    ],
  ])('%s: %j', (format, body, expected) => expect(found(format, body)).toEqual([expected]))

  it.each<[PublicFormat, JsonObject]>([
    ['openai-chat', { service_tier: 'auto', store: false, enable_search: false, models: [], plugins: null }],
    ['openai-chat', { tools: [own, { type: 'custom' }], functions: [{ name: 'f' }], user: 'u', n: 4 }],
    ['openai-chat', { search_parameters: { mode: 'off' }, web_search: { enable: false } }],
    ['openai-responses', { service_tier: 'default', prompt_cache_retention: '24h', tools: [own] }],
    [
      'openai-responses',
      { tools: [{ type: 'local_shell' }, { type: 'mcp' }, { type: 'tool_search' }, { type: 'apply_patch' }] },
    ],
    ['openai-responses', { tools: [{ type: 'shell', environment: { type: 'local' } }] }],
    ['openai-responses', { prompt_cache_options: { mode: 'explicit', ttl: '30m' } }],
    ['openai-chat', { prompt_cache_options: { mode: 'implicit' } }],
    ['openai-chat', { tools: [{ type: 'web_search', web_search: { enable: false } }] }],
    ['anthropic-messages', { service_tier: 'standard_only', speed: 'standard', inference_geo: 'global' }],
    [
      'anthropic-messages',
      {
        tools: [
          { name: 'a' },
          { type: 'bash_20250124', name: 'bash' },
          { type: 'memory_20250818', name: 'memory' },
          { type: 'web_fetch_20250910', name: 'web_fetch' },
        ],
        mcp_servers: [{ type: 'url' }],
      },
    ],
    ['gemini', { tools: [declared, { codeExecution: {} }, { urlContext: {} }], cachedContent: 'x' }],
  ])('%s: nothing in %j', (format, body) => expect(found(format, body)).toEqual([]))

  it('finds the beta for long prompts among others in the header, and takes it out alone', () => {
    const headers = { 'anthropic-beta': 'claude-code-1, context-1m-2025-08-07,effort-2', 'x-app': 'cli' }
    const fields = costlyFields('anthropic-messages', {}, headers)
    expect(fields).toMatchObject([{ feature: 'long-context', isOptional: true }])
    expect(withoutItems(headers, fields)).toEqual({
      'anthropic-beta': 'claude-code-1,effort-2',
      'x-app': 'cli',
    })
    expect(withoutItems({ 'anthropic-beta': 'context-1m-2025-08-07' }, fields)).toEqual({})
  })

  it('says of a function that is Google’s search in disguise that it reaches Gemini alone', () =>
    expect(
      costlyFields('openai-chat', { tools: [{ type: 'function', function: { name: 'googleSearch' } }] }, {}),
    ).toMatchObject([{ feature: 'hosted-tool', reaches: 'gemini', value: 'googleSearch' }]))

  it('takes a hosted tool for optional beside tools of the caller’s own, unless it is chosen', () => {
    const tools = [own, { type: 'web_search' }]
    const optional = (choice: unknown) =>
      costlyFields('openai-responses', { tools, tool_choice: choice }, {}).map(({ isOptional }) => isOptional)
    expect([undefined, 'required', { type: 'function', name: 'look' }].map(optional)).toEqual([
      [true],
      [true],
      [true],
    ])
    expect(optional({ type: 'web_search' })).toEqual([false])
    expect(optional({ type: 'allowed_tools', tools: [{ type: 'web_search' }] })).toEqual([false])
    expect(costlyFields('openai-responses', { tools: tools.slice(1) }, {})[0]?.isOptional).toBe(false)
  })

  it('never throws, and edits the text as it edits the body', () => {
    const member = fc.constantFrom(
      'tools',
      'input',
      'service_tier',
      'models',
      'stream_options',
      'tool_choice',
      'extra_body',
      'anthropic_beta',
      'a',
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record({
          type: fc.constantFrom('function', 'web_search', 'additional_tools', 'namespace'),
          tools: fc.jsonValue(),
        }),
      ),
    )
    const format = fc.constantFrom<PublicFormat>(
      'openai-chat',
      'openai-responses',
      'anthropic-messages',
      'gemini',
    )
    fc.assert(
      fc.property(format, fc.dictionary(member, value), (of, provided) => {
        const text = JSON.stringify(provided)
        const body = JSON.parse(text)
        const scan = scanTopLevel(text, 100)
        const fields = costlyFields(of, body, {})
        const stripped = withoutFields(body, fields)
        expect(JSON.stringify(body)).toBe(text)
        if (scan.ok)
          expect(JSON.parse(spliceMembers(text, scan, stripped.edits))).toEqual(
            JSON.parse(JSON.stringify(stripped.body)),
          )
        if (fields.every(({ reaches }) => reaches !== 'gemini'))
          expect(costlyFields(of, stripped.body, {})).toEqual([])
      }),
    )
  })
})

describe('a body without its costly fields', () => {
  const stripped = (format: PublicFormat, body: JsonObject) =>
    withoutFields(body, costlyFields(format, body, {})).body

  it.each<[string, PublicFormat, JsonObject, JsonObject]>([
    [
      'keeps other tools',
      'openai-chat',
      { tools: [own, { type: 'x' }], tool_choice: 'auto' },
      { tools: [own], tool_choice: 'auto' },
    ],
    [
      'has no choice among no tools',
      'openai-chat',
      { tools: [{ type: 'x' }], tool_choice: 'auto', parallel_tool_calls: true },
      {},
    ],
    [
      'has no choice of a tool that is gone',
      'openai-responses',
      {
        tools: [own, { type: 'web_search' }],
        tool_choice: { type: 'web_search' },
        parallel_tool_calls: true,
      },
      { tools: [own], parallel_tool_calls: true },
    ],
    [
      'keeps the choice of another tool',
      'anthropic-messages',
      {
        tools: [{ name: 'a' }, { type: 'web_search_1', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'a' },
      },
      { tools: [{ name: 'a' }], tool_choice: { type: 'tool', name: 'a' } },
    ],
    [
      'has no list of tools without tools',
      'openai-responses',
      {
        input: [
          { role: 'user' },
          { type: 'additional_tools', role: 'developer', tools: [{ type: 'web_search' }] },
        ],
      },
      { input: [{ role: 'user' }] },
    ],
    [
      'keeps the other member of an entry',
      'gemini',
      { tools: [{ ...declared, googleSearch: {} }] },
      { tools: [declared] },
    ],
    [
      'keeps other options',
      'openai-chat',
      { stream_options: { include_usage: true, include_obfuscation: true } },
      { stream_options: { include_usage: true } },
    ],
  ])('%s', (_, format, body, expected) => expect(stripped(format, body)).toEqual(expected))
})
