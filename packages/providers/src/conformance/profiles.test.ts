import { describe, expect, it } from 'bun:test'
import {
  type AssistantPart,
  anthropicMessages,
  type ChatResponse,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  usageOf,
} from '@tollgate/formats'
import type { ResolvedProfile } from '../profile/resolve-profile.ts'
import type { ReasoningSwitch } from '../profile/target-profile.ts'
import { reach, type Target, targets } from '../test-support/targets.ts'
import { type DialectName, dialects, type ReachedBody } from '../test-support/translated-body.ts'

const dialectNames = Object.keys(dialects) as readonly DialectName[] // Its keys are the dialects.
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** A call that asks for an effort as callers of a dialect do; `undefined` where they have no word for it. */
const askers: Readonly<Record<DialectName, (model: string, effort: string) => JsonObject | undefined>> = {
  'openai-chat': (model, effort) => ({
    model,
    messages: [{ role: 'user', content: 'go' }],
    reasoning_effort: effort,
  }),
  'openai-responses': (model, effort) => ({ model, input: 'go', reasoning: { effort } }),
  'anthropic-messages': (model, effort) => {
    const thinking = effort === 'none' ? { type: 'disabled' } : { type: 'adaptive' }
    if (effort === 'minimal') return undefined
    const stated = effort === 'none' ? {} : { output_config: { effort } }
    return { model, max_tokens: 64, messages: [{ role: 'user', content: 'go' }], thinking, ...stated }
  },
  gemini: (_model, effort) => {
    const contents = [{ role: 'user', parts: [{ text: 'go' }] }]
    if (effort === 'none') return { contents, generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }
    if (effort === 'xhigh' || effort === 'max') return undefined
    return { contents, generationConfig: { thinkingConfig: { thinkingLevel: effort } } }
  },
}

/** Tests that a body has thinking switched off by the vendor's own member; `undefined` for switches without any. */
const offs: Readonly<Record<ReasoningSwitch, ((body: JsonObject) => boolean) | undefined>> = {
  effort: undefined,
  budget: undefined,
  always: undefined,
  never: undefined,
  'prompt-mode': ({ prompt_mode: mode }) => mode === undefined || mode === null,
  'thinking-type': ({ thinking }) => objectOf(thinking).type === 'disabled',
  'enable-thinking': ({ enable_thinking: enabled }) => enabled === false,
  'template-enable-thinking': (body) => objectOf(body.chat_template_kwargs).enable_thinking === false,
  'template-thinking': (body) => objectOf(body.chat_template_kwargs).thinking === false,
  'reasoning-object': ({ reasoning }) => objectOf(reasoning).enabled === false,
  'disable-reasoning': (body) => body.disable_reasoning === true,
}

function effortIn({ format, body }: ReachedBody): unknown {
  if (format === 'openai-responses') return objectOf(body.reasoning).effort
  return body.reasoning_effort ?? objectOf(body.reasoning).effort
}

function checkEffort(target: Target, wanted: string, reached: ReachedBody): void {
  const { reasoning } = target.profile
  const effort = effortIn(reached)
  if (reasoning === undefined) {
    expect(effort).not.toBe('default')
    return
  }
  const allowed: readonly unknown[] = [undefined, ...reasoning.efforts]
  expect(allowed).toContain(effort)
  const isChat = reached.format === 'openai-chat'
  const isOff = isChat ? offs[reasoning.switch] : undefined
  if (isOff !== undefined) expect(isOff(reached.body)).toBe(wanted === 'none')
  if (reasoning.switch === 'effort' && wanted === 'none' && reasoning.efforts.includes('none'))
    expect(effort).toBe('none')
  if (wanted !== 'none') expect(effort).not.toBe('none')
}

describe('thinking off is off, and on is on', () => {
  it.each(dialectNames)('for callers of %s, at every target and every effort', (dialect) => {
    for (const target of targets)
      for (const effort of efforts) {
        const requested = askers[dialect](target.model, effort)
        const reached = requested && reach(target, dialect, requested)
        if (reached?.format !== 'openai-chat' && reached?.format !== 'openai-responses') continue
        try {
          checkEffort(target, effort, reached)
        } catch (error) {
          throw new Error(`${target.name}, ${effort}: ${JSON.stringify(reached.body)}`, { cause: error })
        }
      }
  })
})

/** Members that a caller of Chat Completions may write: fields of OpenAI's, and one that nobody knows. */
const everything: JsonObject = {
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'go' },
  ],
  max_completion_tokens: 64,
  temperature: 0.3,
  top_p: 1,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  seed: 7,
  user: `user ${'x'.repeat(400)}`,
  metadata: { a: 'b' },
  store: false,
  prompt_cache_key: 'k'.repeat(99),
  service_tier: 'auto',
  verbosity: 'low',
  logprobs: true,
  top_logprobs: 2,
  parallel_tool_calls: true,
  safety_identifier: 's'.repeat(99),
  repetition_penalty: 1.1,
}

/** A body against a profile, read without the code that fits it. */
function faultsOf({ fields, limits = {}, history }: ResolvedProfile, body: JsonObject): readonly string[] {
  const { takes = 'any', drops = [], names = {}, ranges = {}, messages: rules = {} } = fields ?? {}
  const turns = listOf(body.messages).filter(isObject)
  const members = turns.flatMap((turn) => Object.keys(turn))
  return [
    ...Object.keys(body).filter(
      (name) => takes !== 'any' && ![...takes, ...Object.values(names)].includes(name),
    ),
    ...[...drops, ...Object.keys(names)].filter((name) => name in body),
    ...Object.entries(ranges).flatMap(([name, [min, max]]) =>
      Number(body[name] ?? min) < min || Number(body[name] ?? min) > max ? [name] : [],
    ),
    ...turns.flatMap(({ role }) => (Object.hasOwn(rules.roles ?? {}, String(role)) ? [`role ${role}`] : [])),
    ...members.filter((name) => rules.drops?.includes(name)),
    ...Object.entries(limits.texts ?? {}).flatMap(([name, { min = 0, max }]) => {
      const text = body[name]
      return typeof text === 'string' && (text.length < min || text.length > max) ? [name] : []
    }),
    ...(history?.reasoning === 'forbidden' ? members.filter((name) => name.startsWith('reasoning')) : []),
  ]
}

it('sends a caller of Chat Completions nothing that a target refuses', () => {
  for (const target of targets) {
    const { model, profile } = target
    const reached = reach(target, 'openai-chat', { model, ...everything })
    if (reached?.format !== 'openai-chat') continue
    expect([target.name, faultsOf(profile, reached.body)]).toEqual([target.name, []])
  }
})

const toolName = `mcp__plugin_a_long_plugin_name__server__do_a_rather_long_operation_v2x`
const callId = `call.${'0123456789'.repeat(8)}:0`
const schema = { type: 'object', properties: { p: { type: 'string' } } }

/** A turn that called a tool with a long name and a long id, and its result. */
const longCalls: Readonly<Record<DialectName, (model: string) => JsonObject>> = {
  'openai-chat': (model) => ({
    model,
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: callId, type: 'function', function: { name: toolName, arguments: '{"p":"a"}' } }],
      },
      { role: 'tool', tool_call_id: callId, content: 'r' },
    ],
    tools: [{ type: 'function', function: { name: toolName, parameters: schema } }],
  }),
  'openai-responses': (model) => ({
    model,
    input: [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: callId, name: toolName, arguments: '{"p":"a"}' },
      { type: 'function_call_output', call_id: callId, output: 'r' },
    ],
    tools: [{ type: 'function', name: toolName, parameters: schema }],
  }),
  'anthropic-messages': (model) => ({
    model,
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'first look', signature: 'c2lnbmVkIGJ5IGFub3RoZXI=' },
          { type: 'tool_use', id: callId.replace(/[.:]/g, '_'), name: toolName, input: { p: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: callId.replace(/[.:]/g, '_'), content: 'r' }],
      },
    ],
    tools: [{ name: toolName, input_schema: schema }],
  }),
  gemini: () => ({
    contents: [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { name: toolName, args: { p: 'a' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: toolName, response: { r: 1 } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: toolName, parameters: schema }] }],
  }),
}

/** Every text under these names, wherever it stands. */
function textsUnder(names: readonly string[], value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsUnder(names, item))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    names.includes(name) && typeof inner === 'string' ? [inner] : textsUnder(names, inner),
  )
}

describe('names of tools and ids of calls', () => {
  it.each(dialectNames)('of callers of %s fit every target, and name each other there', (dialect) => {
    for (const target of targets) {
      const reached = reach(target, dialect, longCalls[dialect](target.model))
      if (reached === undefined || !/^(openai|anthropic|gemini|bedrock)/.test(reached.format)) continue
      const { limits = {} } = target.profile
      const limit = limits.toolName?.max ?? (reached.format === dialect ? toolName.length : 128)
      const names = textsUnder(['name'], reached.body)
      expect([target.name, names.filter((name) => name.length > limit)]).toEqual([target.name, []])
      for (const name of new Set(names)) expect([toolName, reached.toolNames.get(name)]).toContain(toolName)
      const ids = textsUnder(['tool_call_id', 'call_id', 'tool_use_id', 'toolUseId'], reached.body)
      expect([target.name, ids.filter((id) => id.length > (limits.callId?.max ?? 128))]).toEqual([
        target.name,
        [],
      ])
    }
  })
})

/** Reasoning of several vendors before a call of a tool. */
const thoughts: Readonly<Record<string, readonly AssistantPart[]>> = {
  none: [],
  'a plain text': [{ type: 'reasoning', text: 'first look' }],
  'a text that Anthropic signed': [
    { type: 'reasoning', text: 'first look', signature: { vendor: 'anthropic', value: 'c2ln' } },
  ],
  'what only Anthropic can read': [
    { type: 'reasoning', text: '', encrypted: { vendor: 'anthropic', value: 'c2ln' } },
  ],
  'what only OpenAI can read': [
    { type: 'reasoning', text: 'summary', encrypted: { vendor: 'openai', value: 'gAAA' } },
  ],
  'a text that Bedrock signed': [
    { type: 'reasoning', text: 'first look', signature: { vendor: 'bedrock', value: 'c2ln' } },
  ],
}

function responseWith(parts: readonly AssistantPart[]): ChatResponse {
  const call = {
    type: 'tool-call',
    id: 'call_1',
    name: 'read',
    arguments: '{"p":"a"}',
    signature: { vendor: 'gemini', value: 'c2ln' },
  } as const
  const candidate = { index: 0, parts: [...parts, call], stop: { reason: 'tool-calls' } } as const
  return {
    id: 'r',
    model: 'm',
    createdAt: 1,
    candidates: [candidate],
    usage: usageOf({ inputTokens: 1, outputTokens: 1 }),
  }
}

const responded = { model: 'm', responseId: 'r', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }

/** The turn after a response, as an agent of each dialect sends it. */
const nextTurns: Readonly<Record<DialectName, (model: string, response: JsonObject) => JsonObject>> = {
  'openai-chat': (model, { choices }) => ({
    model,
    messages: [
      { role: 'user', content: 'go' },
      objectOf(listOf(choices)[0]).message,
      { role: 'tool', tool_call_id: 'call_1', content: 'r' },
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: schema } }],
  }),
  'openai-responses': (model, { output }) => ({
    model,
    input: [
      { role: 'user', content: 'go' },
      ...listOf(output),
      { type: 'function_call_output', call_id: 'call_1', output: 'r' },
    ],
    tools: [{ type: 'function', name: 'read', parameters: schema }],
  }),
  'anthropic-messages': (model, { content }) => ({
    model,
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'r' }] },
    ],
    tools: [{ name: 'read', input_schema: schema }],
  }),
  gemini: (_model, { candidates }) => ({
    contents: [
      { role: 'user', parts: [{ text: 'go' }] },
      objectOf(listOf(candidates)[0]).content,
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { r: 1 } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'read', parameters: schema }] }],
  }),
}

function checkHistory({ name, profile: { history, reasoning } }: Target, { body }: ReachedBody): void {
  const calling = listOf(body.messages)
    .filter(isObject)
    .filter((turn) => 'tool_calls' in turn)
  expect([name, calling.length]).toEqual([name, 1])
  const [turn = {}] = calling
  const held = ['reasoning_content', 'reasoning', 'reasoning_details'].filter((member) => member in turn)
  if (history?.reasoning === 'required' && reasoning?.unasked === 'thinks') {
    expect([name, String(turn[history.field] ?? '').length > 0]).toEqual([name, true])
  }
  if (history?.reasoning === 'forbidden' && history.exceptCalls !== true)
    expect([name, held]).toEqual([name, []])
  if (history?.refusesOtherNames === true && history.reasoning !== 'forbidden')
    expect([name, held.filter((member) => member !== history.field)]).toEqual([name, []])
}

describe('an agent’s session that another vendor began', () => {
  const pairs = dialectNames.flatMap((dialect) =>
    Object.keys(thoughts).map((kind) => [dialect, kind] as const),
  )

  it.each(pairs)('of a caller of %s goes on at every target after %s', (dialect, kind) => {
    const response = objectOf(dialects[dialect].encodeResponse(responseWith(thoughts[kind] ?? []), responded))
    for (const target of targets) {
      const reached = reach(target, dialect, nextTurns[dialect](target.model, response))
      if (reached?.format === 'openai-chat') checkHistory(target, reached)
    }
  })

  it('reads the reasoning that is at hand, marked as another model’s', () => {
    const target = targets.find(({ model, provider }) => provider.id === 'deepseek' && model === 'a-model')
    const parts = thoughts['a text that Anthropic signed'] ?? []
    const response = objectOf(anthropicMessages.encodeResponse(responseWith(parts), responded))
    const body = nextTurns['anthropic-messages']('a-model', response)
    const reached = target && reach(target, 'anthropic-messages', body)
    expect(JSON.stringify(reached?.body)).toContain('[reasoning of another model]\\nfirst look')
  })
})
