import { describe, expect, it } from 'bun:test'
import type { ChatRequest, ReasoningOptions } from '../../canonical/request.ts'
import { assistant, call, encode, newer, older, result, text, tool, user } from '../test-support/requests.ts'

describe('reasoning', () => {
  const thinking = (reasoning: ReasoningOptions, model: string, request: Partial<ChatRequest> = {}) => {
    const { body, dropped } = encode({ reasoning, ...request }, model)
    const { thinking, max_tokens, output_config } = body
    return { thinking, max_tokens, output_config, dropped }
  }

  it('turns an effort into a budget for older models and leaves room for the response', () => {
    expect(thinking({ effort: 'low' }, older)).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 1280 },
      max_tokens: 8192,
    })
    expect(thinking({ effort: 'high' }, older, { maxOutputTokens: 100 })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 4096 },
      max_tokens: 4196,
    })
    expect(thinking({ budgetTokens: 10, includeThoughts: false }, older).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 1024,
      display: 'omitted',
    })
  })

  it('says an effort to newer models', () => {
    expect(thinking({ effort: 'xhigh' }, newer)).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
      max_tokens: 8192,
      output_config: { effort: 'xhigh' },
      dropped: [],
    })
    expect(thinking({ effort: 'xhigh' }, 'claude-opus-4-6').output_config).toEqual({ effort: 'high' })
    expect(thinking({ budgetTokens: 30000 }, 'claude-opus-4-6').thinking).toMatchObject({
      budget_tokens: 30000,
    })
    expect(thinking({ budgetTokens: 5000 }, newer)).toMatchObject({
      output_config: { effort: 'medium' },
      dropped: ['budgetTokens'],
    })
  })

  it('switches it off as the model wants it', () => {
    expect(thinking({ effort: 'none' }, 'claude-sonnet-5').thinking).toEqual({ type: 'disabled' })
    expect(thinking({ effort: 'none' }, newer).thinking).toBeUndefined()
    expect(thinking({ effort: 'none' }, 'claude-fable-5')).toMatchObject({
      output_config: { effort: 'low' },
      dropped: ['reasoning'],
    })
    expect(thinking({ effort: 'high' }, 'claude-3-5-sonnet-20241022')).toMatchObject({
      dropped: ['reasoning'],
    })
    expect(thinking({ includeThoughts: false }, newer).thinking).toBeUndefined()
  })

  it('goes without it where it would be refused: with a forced tool, and after calls whose thoughts are gone', () => {
    const request = { tools: [tool], toolChoice: { type: 'required' } } as const
    expect(thinking({ effort: 'high' }, older, request)).toMatchObject({
      thinking: { type: 'disabled' },
      dropped: ['reasoning'],
    })
    const messages = [user(text('a')), assistant(call('1')), user(result('1', 'x'))]
    expect(thinking({ effort: 'high' }, older, { messages })).toMatchObject({ dropped: ['reasoning'] })
    expect(thinking({ effort: 'high' }, newer, { messages })).toMatchObject({
      thinking: { type: 'adaptive' },
    })
    const signature = { vendor: 'anthropic', value: 's' } as const
    const retained = [user(text('a')), assistant({ type: 'reasoning', text: '', signature }, call('1'))]
    expect(thinking({ effort: 'high' }, older, { messages: retained }).dropped).toEqual([])
  })
})
