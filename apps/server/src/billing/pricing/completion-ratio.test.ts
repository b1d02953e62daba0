import { describe, expect, it } from 'bun:test'
import { completionRatioOf, defaultCompletionRatio, lockedCompletionRatio } from './completion-ratio.ts'

describe('completion ratio', () => {
  it.each([
    ['gpt-4o-2024-05-13', 3, true],
    ['gpt-4o', 4, true],
    ['gpt-4o-mini-2024-07-18', 4, true],
    ['gpt-4o-all', 1, false],
    ['gpt-4o-gizmo-*', 1, false],
    ['gpt-4.5-preview-2025-02-27', 2, true],
    ['gpt-4-turbo-2024-04-09', 3, true],
    ['gpt-4-1106', 3, true],
    ['gpt-4', 2, false],
    ['gpt-4-0613', 2, false],
    ['gpt-4-all', 1, false],
    ['gpt-4-gizmo-*', 1, false],
    ['gpt-4.1-mini', 4, false],
    ['gpt-5-mini', 8, true],
    ['gpt-5.1', 8, true],
    ['gpt-5.4', 6, false],
    ['mistral-small-latest', 4, false],
    ['o1-preview', 4, true],
    ['o3-mini-high', 4, true],
    ['o4-mini', 4, false],
    ['chatgpt-4o-latest', 3, true],
    ['claude-instant-1', 3, true],
    ['claude-2.1', 3, true],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 5, true],
    ['claude-sonnet-4-20250514', 5, true],
    ['gpt-3.5-turbo', 3, true],
    ['gpt-3.5-turbo-0125', 3, true],
    ['gpt-3.5-turbo-1106', 2, true],
    ['gpt-3.5-turbo-16k', 4 / 3, true],
    ['mistral-large-latest', 3, true],
    ['gemini-1.5-pro-latest', 4, true],
    ['gemini-2.5-pro-preview-03-25', 8, true],
    ['gemini-2.5-pro', 8, false],
    ['gemini-2.5-flash', 2.5 / 0.3, false],
    ['gemini-2.5-flash-preview-04-17', 3.5 / 0.15, false],
    ['gemini-2.5-flash-preview-04-17-nothinking', 4, false],
    ['gemini-pro', 4, false],
    ['command-r', 3, true],
    ['command-r-plus', 5, true],
    ['command-r-08-2024', 4, true],
    ['command-light', 4, false],
    ['deepseek-chat', 4, true],
    ['ERNIE-Speed-8K', 2, true],
    ['ERNIE-Lite-8K-0922', 2, true],
    ['ERNIE-4.0-8K', 1, false],
    ['llama2-70b-4096', 0.8 / 0.64, true],
    ['llama3-8b-8192', 2, true],
    ['llama3-70b-8192', 0.79 / 0.59, true],
    ['qwen-turbo', 1, false],
    ['constructor', 1, false],
  ])('of %s is %p where none is stored (locked elsewhere: %p)', (model, ratio, locked) => {
    expect(completionRatioOf(model, {})).toBe(ratio)
    expect(completionRatioOf(model, { [model]: 7 })).toBe(7)
    if (locked) expect(lockedCompletionRatio(model)).toBe(ratio)
  })

  it.each([
    ['gpt-4', undefined],
    ['my-model', undefined],
    ['openai/gpt-4o', undefined],
    ['claude-3-opus', 5],
    // Sold at other ratios today than older gateways charge.
    ['gpt-5.4', 8],
    ['mistral-small-latest', 3],
  ])('that older gateways lock for %s is %p', (model, ratio) => {
    expect(lockedCompletionRatio(model)).toBe(ratio)
  })

  it('defaults to the family of a name with a vendor before it', () => {
    expect(defaultCompletionRatio('vendor/claude-3-opus')).toBe(5)
    expect(completionRatioOf('vendor/claude-3-opus', { 'vendor/claude-3-opus': 1.5 })).toBe(1.5)
  })

  it('reads only what the map itself holds', () => {
    expect(completionRatioOf('toString', {})).toBe(1)
    expect(completionRatioOf('__proto__', {})).toBe(1)
  })
})
