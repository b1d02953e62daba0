import { describe, expect, it } from 'bun:test'
import { type JsonObject, objectOf, scanTopLevel } from '@tollgate/formats'
import { defaultModelOptions, type ModelOptions } from '../models/model-options.ts'
import { modelVariant } from './gemini-variant.ts'

type Format = Parameters<typeof modelVariant>[0]

/** The model that is asked for, and the edits of a body. */
function requested(
  format: Format,
  name: string,
  body: JsonObject = {},
  options: ModelOptions = defaultModelOptions,
): Record<string, unknown> | undefined {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 16)
  if (!scan.ok) throw new Error('no object')
  const variant = modelVariant(format, name, options)
  if (variant === undefined) return undefined
  const edits = [...variant.edits({ text, scan, body })]
  return {
    model: variant.model,
    ...Object.fromEntries(edits.map(([key, value]) => [key, value && JSON.parse(value)])),
  }
}

const claude = (name: string, body?: JsonObject, options?: ModelOptions) =>
  requested('anthropic-messages', name, body, options)
const gemini = (name: string, body?: JsonObject, options?: ModelOptions) =>
  requested('gemini', name, body, options)
/** Returns the part of Gemini's configuration that a name requests. */
const thinking = (name: string, config: JsonObject = {}) => {
  const edits = gemini(name, { generationConfig: config })
  return objectOf(edits?.generationConfig).thinkingConfig
}

describe('names of Claude models', () => {
  it('are their own without an ending', () => {
    expect(claude('claude-opus-5')).toBeUndefined()
    expect(claude('kimi-k2-thinking')).toBeUndefined()
    expect(requested('openai-chat', 'claude-opus-4-thinking')).toBeUndefined()
  })

  it('ask for a share of the output limit, with room for the least budget', () => {
    expect(claude('claude-sonnet-4-20250514-thinking', { max_tokens: 100, top_p: 1 })).toEqual({
      model: 'claude-sonnet-4-20250514',
      max_tokens: 1280,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
    })
    expect(claude('us.anthropic.claude-3-7-sonnet-thinking', { max_tokens: 5000 })).toMatchObject({
      model: 'us.anthropic.claude-3-7-sonnet',
      thinking: { budget_tokens: 4000 },
    })
  })

  it('take the operator’s limit and share', () => {
    const options = {
      ...defaultModelOptions,
      claude: { ...defaultModelOptions.claude, defaultMaxTokens: { default: 3000 }, budgetShare: 1 },
    }
    expect(claude('claude-opus-4-thinking', {}, options)).toMatchObject({
      max_tokens: 3000,
      thinking: { budget_tokens: 2999 },
    })
    const off = { ...options, claude: { ...options.claude, thinkingSuffix: false } }
    expect(claude('claude-opus-4-thinking', {}, off)).toBeUndefined()
  })

  it('leave the spending to newer models', () => {
    for (const model of ['claude-opus-4-6', 'claude-opus-5', 'claude-sonnet-5-5', 'claude-opus-4-10'])
      expect(claude(`${model}-thinking`)).toEqual({
        model,
        thinking: { type: 'adaptive', display: 'summarized' },
      })
  })

  it('do not overrule a caller, or what the model would refuse', () => {
    const called = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] }
    for (const body of [
      { thinking: { type: 'disabled' } },
      { tool_choice: { type: 'any' } },
      { messages: [{ role: 'user', content: 'hi' }, called] },
    ])
      expect(claude('claude-opus-4-thinking', body)).toEqual({ model: 'claude-opus-4' })
  })
})

describe('names of Gemini models', () => {
  it.each([
    ['gemini-2.5-flash-nothinking', {}, { thinkingBudget: 0 }],
    ['gemini-2.5-pro-nothinking', {}, { thinkingBudget: 128 }],
    ['gemini-2.5-flash-thinking', { maxOutputTokens: 1000 }, { includeThoughts: true, thinkingBudget: 600 }],
    ['gemini-2.5-flash-thinking', {}, { includeThoughts: true, thinkingBudget: -1 }],
    ['gemini-2.5-pro-thinking', { maxOutputTokens: 100 }, { includeThoughts: true, thinkingBudget: 128 }],
    ['gemini-2.5-flash-lite-thinking-100', {}, { includeThoughts: true, thinkingBudget: 512 }],
    ['gemini-2.5-pro-thinking-99999', {}, { includeThoughts: true, thinkingBudget: 32768 }],
    ['gemini-2.5-flash-thinking-0', {}, { includeThoughts: true, thinkingBudget: 0 }],
    ['gemini-2.5-pro-high', {}, { thinkingBudget: 26214 }],
    ['gemini-2.5-flash-minimal', {}, { thinkingBudget: 1228 }],
    ['gemini-3.8-flash-thinking-4096', {}, { includeThoughts: true, thinkingLevel: 'medium' }],
    ['gemini-3.1-pro-preview-nothinking', {}, { thinkingLevel: 'low' }],
    ['gemini-3.8-flash-thinking', {}, { includeThoughts: true }],
    ['gemini-3.8-flash-xhigh', {}, { thinkingLevel: 'high' }],
  ])('%s with %p asks for %p', (name, config: JsonObject, expected: JsonObject) => {
    expect(thinking(name, config)).toEqual(expected)
  })

  it('are stripped of their endings, and others are left alone', () => {
    expect(gemini('gemini-2.5-flash-thinking-1024')?.model).toBe('gemini-2.5-flash')
    for (const name of ['gemini-2.0-flash-thinking-exp-01-21', 'gemini-2.5-flash', 'learnlm-thinking'])
      expect(gemini(name)).toBeUndefined()
    expect(gemini('gemini-2.0-flash-thinking')).toEqual({ model: 'gemini-2.0-flash' })
  })

  it('do not overrule a caller, in either spelling', () => {
    const config = { thinking_config: { thinking_budget: 5 } }
    expect(gemini('gemini-2.5-flash-nothinking', { generation_config: config })).toEqual({
      model: 'gemini-2.5-flash',
    })
  })

  it('ask for search beside reasoning, unless the caller has tools that exclude it', () => {
    expect(gemini('gemini-2.5-flash-nothinking-search')).toMatchObject({
      model: 'gemini-2.5-flash',
      tools: [{ googleSearch: {} }],
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    })
    const tools = [{ functionDeclarations: [] }]
    expect(gemini('gemini-2.5-flash-search', { tools })).toEqual({ model: 'gemini-2.5-flash' })
    expect(gemini('gemini-3.8-flash-search', { tools })?.tools).toEqual([...tools, { googleSearch: {} }])
  })
})
