import { describe, expect, it } from 'bun:test'
import { type JsonObject, scanTopLevel, spliceMembers } from '@tollgate/formats'
import { adapt, compilePlan } from './adapt.ts'
import { profileOf } from './profile-of.ts'
import { profileResolver } from './resolve-profile.ts'

/** A body in a vendor's own format as the model gets it, and what its caller is told of it. */
function sent(provider: string, format: string, model: string, body: JsonObject) {
  const entry = profileOf(provider)
  if ('chat' in entry) throw new Error(`${provider} has no chat`)
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 64)
  const plan = compilePlan(profileResolver(entry)(model), { format, model, vendor: provider })
  if (!scan.ok || plan === undefined) return { body, dropped: [] }
  const { edits, dropped } = adapt(plan, { text, scan, body }, new Map(), false)
  return { body: JSON.parse(spliceMembers(text, scan, edits)) as JsonObject, dropped }
}

const call = { max_tokens: 9000, messages: [{ role: 'user', content: 'go' }] }

function claude(model: string, stated: JsonObject, provider = 'anthropic') {
  const { body, dropped } = sent(provider, 'anthropic-messages', model, { model, ...call, ...stated })
  const { model: _, max_tokens, messages, ...rest } = body
  return { rest, dropped }
}

describe('Claude’s own form of thinking', () => {
  it.each(['claude-opus-4-7', 'claude-sonnet-5', 'claude-haiku-5-5', 'claude-fable-5-1'])(
    'has no budgets at %s: the call thinks adaptively, by the effort of its budget',
    (model) => {
      const thinking = { type: 'enabled', budget_tokens: 2000 }
      expect(claude(model, { thinking })).toEqual({
        rest: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'medium' } },
        dropped: ['thinking.budget_tokens'],
      })
      const own = claude(model, {
        thinking: { ...thinking, display: 'omitted' },
        output_config: { effort: 'max' },
      })
      expect(own.rest).toEqual({
        thinking: { type: 'adaptive', display: 'omitted' },
        output_config: { effort: 'max' },
      })
    },
  )

  it.each([
    'claude-3-7-sonnet-20250219',
    'claude-opus-4-1',
    'claude-sonnet-4@20250514',
    'claude-haiku-4-5-20251001',
  ])('has nothing but budgets at %s', (model) => {
    const adaptive = { thinking: { type: 'adaptive' } }
    expect(claude(model, { ...adaptive, output_config: { effort: 'low' } })).toEqual({
      rest: { thinking: { type: 'enabled', budget_tokens: 1280 } },
      dropped: ['thinking.type', 'output_config.effort'],
    })
    expect(claude(model, { ...adaptive, max_tokens: 2000 })).toEqual({ rest: {}, dropped: ['thinking'] })
    expect(claude(model, { ...adaptive, tool_choice: { type: 'any' } }).rest).toEqual({
      tool_choice: { type: 'any' },
    })
  })

  it('passes as it is where the model takes it', () => {
    for (const thinking of [
      { type: 'enabled', budget_tokens: 1024 },
      { type: 'adaptive' },
      { type: 'disabled' },
    ])
      expect(claude('claude-opus-4-6', { thinking })).toEqual({ rest: { thinking }, dropped: [] })
    const newer = { type: 'by_hand', hands: 2 }
    expect(claude('claude-opus-4-7', { thinking: newer }).rest).toEqual({ thinking: newer })
    expect(claude('another-model', { thinking: newer, temperature: 0.2 }).rest).toEqual({
      thinking: newer,
      temperature: 0.2,
    })
  })

  it('is off where it was off, and otherwise as little as can be', () => {
    const thinking = { type: 'disabled' }
    expect(claude('claude-opus-4-8', { thinking })).toEqual({ rest: {}, dropped: [] })
    expect(claude('claude-3-5-haiku', { thinking })).toEqual({ rest: {}, dropped: [] })
    expect(claude('claude-opus-5-5', { thinking })).toEqual({
      rest: { output_config: { effort: 'low' } },
      dropped: ['thinking'],
    })
    expect(claude('claude-sonnet-5-5', { thinking, output_config: { effort: 'max' } })).toEqual({
      rest: { thinking: { type: 'between_tools' }, output_config: { effort: 'high' } },
      dropped: ['thinking'],
    })
    expect(claude('claude-haiku-5-5', { thinking: { type: 'between_tools' } }).rest).toEqual({ thinking })
    expect(
      claude('claude-opus-5', { thinking, output_config: { effort: 'xhigh', format: { a: 1 } } }).rest,
    ).toEqual({ thinking, output_config: { effort: 'high', format: { a: 1 } } })
  })

  it('goes without sampling where the model refuses it', () => {
    const sampling = { temperature: 0.2, top_p: 0.5, top_k: 3 }
    const all = Object.keys(sampling)
    expect(claude('claude-opus-4-7', sampling)).toEqual({ rest: {}, dropped: all })
    expect(claude('claude-opus-4-7', { temperature: 1 }).rest).toEqual({ temperature: 1 })
    expect(claude('claude-sonnet-4', sampling)).toEqual({ rest: sampling, dropped: [] })
    expect(claude('claude-sonnet-4-5', sampling)).toEqual({
      rest: { temperature: 0.2, top_k: 3 },
      dropped: ['top_p'],
    })
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    expect(claude('claude-sonnet-4', { ...sampling, thinking })).toEqual({ rest: { thinking }, dropped: all })
    expect(claude('claude-sonnet-4', { top_p: 0.97, thinking }).rest).toEqual({ top_p: 0.97, thinking })
  })

  it.each([
    ['aws', 'us.anthropic.claude-opus-4-7'],
    ['vertex', 'claude-opus-4-7'],
    ['azure-ai-foundry', 'claude-opus-4-7'],
  ])('is the same at %s', (provider, model) => {
    const requested = { thinking: { type: 'enabled', budget_tokens: 9000 }, temperature: 0 }
    expect(claude(model, requested, provider).rest).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    })
  })
})

const contents = [{ role: 'user', parts: [{ text: 'go' }] }]

function gemini(model: string, thinkingConfig: JsonObject) {
  const { body, dropped } = sent('gemini', 'gemini', model, {
    contents,
    generationConfig: { topK: 2, thinkingConfig },
  })
  return { config: (body.generationConfig as JsonObject).thinkingConfig, dropped }
}

const budget = 'generationConfig.thinkingConfig.thinkingBudget'
const level = 'generationConfig.thinkingConfig.thinkingLevel'

describe('Google’s own form of thinking', () => {
  it.each([
    ['gemini-2.5-pro', 0, 128],
    ['gemini-2.5-pro', 40_000, 32_768],
    ['gemini-2.5-flash', 30_000, 24_576],
    ['gemini-2.5-flash-lite-preview-09-2025', 100, 512],
  ])('keeps to the budgets of %s: %d becomes %d', (model, wanted, thinkingBudget) => {
    const stated = { includeThoughts: true, thinkingBudget: wanted }
    expect(gemini(model, stated)).toEqual({
      config: { includeThoughts: true, thinkingBudget },
      dropped: [budget],
    })
  })

  it('passes what the model takes, byte for byte', () => {
    for (const [model, stated] of [
      ['gemini-2.5-pro', { thinkingBudget: -1 }],
      ['gemini-2.5-flash', { thinkingBudget: 0 }],
      ['gemini-3-pro-preview', { thinkingLevel: 'HIGH' }],
      ['gemini-3-pro-preview', { thinkingBudget: 900 }],
      ['a-tuned-model', { thinkingBudget: 0, thinkingLevel: 'low' }],
    ] as const)
      expect(gemini(model, stated)).toEqual({ config: stated, dropped: [] })
  })

  it('has levels in the place of a budget of 0 from Gemini 3 on, and no budget beside a level', () => {
    expect(gemini('gemini-3-pro-preview', { thinkingBudget: 0 })).toEqual({
      config: { thinkingLevel: 'low' },
      dropped: [budget],
    })
    expect(gemini('gemini-3.5-flash-lite', { thinkingBudget: 0 }).config).toEqual({
      thinkingLevel: 'minimal',
    })
    expect(gemini('gemini-3-flash', { thinkingBudget: 512, thinkingLevel: 'low' })).toEqual({
      config: { thinkingLevel: 'low' },
      dropped: [budget],
    })
    expect(gemini('gemini-3-pro', { thinkingLevel: 'MINIMAL' })).toEqual({
      config: { thinkingLevel: 'low' },
      dropped: [],
    })
  })

  it('has budgets in the place of levels before Gemini 3, and nothing before 2.5', () => {
    expect(gemini('gemini-2.5-flash', { thinkingLevel: 'LOW' })).toEqual({
      config: { thinkingBudget: 1024 },
      dropped: [level],
    })
    expect(gemini('gemini-2.5-pro', { thinkingLevel: 'minimal', includeThoughts: false }).config).toEqual({
      includeThoughts: false,
      thinkingBudget: 512,
    })
    expect(gemini('gemini-2.0-flash', { thinkingBudget: 500 })).toEqual({
      config: undefined,
      dropped: [budget],
    })
    expect(gemini('gemini-2.0-flash', { thinkingBudget: 0 })).toEqual({ config: undefined, dropped: [] })
  })

  it('is read in both spellings', () => {
    const stated = { generation_config: { thinking_config: { thinking_budget: 0 } } }
    const { body, dropped } = sent('vertex', 'gemini', 'gemini-2.5-pro', { contents, ...stated })
    expect(body.generation_config).toEqual({ thinking_config: { thinking_budget: 128 } })
    expect(dropped).toEqual(['generation_config.thinking_config.thinking_budget'])
  })
})
