import { describe, expect, it } from 'bun:test'
import { modelFacts, type PricingRow } from '@tollgate/api'
import { callableModels, chooseModels } from './model-choice.ts'
import { setups } from './setups.ts'

/** A row of the price list, with the facts that the table of models has. */
function row(model_name: string, output: number, fields: Partial<PricingRow> = {}): PricingRow {
  const facts = modelFacts(model_name)
  return {
    model_name,
    quota_type: 0,
    model_ratio: output,
    completion_ratio: 1,
    model_price: 0,
    enable_groups: ['default'],
    available: true,
    supported_endpoint_types: ['openai'],
    owner_by: facts?.vendor ?? '',
    ...(facts?.contextSize !== undefined && { context_size: facts.contextSize }),
    ...(facts && { capabilities: [...facts.capabilities] }),
    ...(facts?.released !== undefined && { released: facts.released }),
    ...fields,
  }
}

const models = [
  row('claude-haiku-5-5', 0.5),
  row('claude-opus-5-5', 20),
  row('claude-sonnet-5-5', 10),
  row('claude-fable-5', 50),
  row('claude-3-opus-20240229', 75),
  row('gpt-6-luna', 0.5),
  row('gpt-6.2-sol', 10),
  row('gpt-4o', 10),
  row('gemini-3.8-flash', 7.5),
  row('gemini-3.5-flash-lite', 2.5),
  row('own-model', 1),
]

describe('the models of a set-up', () => {
  it.each([
    ['claudeCode', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
    ['codex', 'gpt-6.2-sol', 'gpt-6-luna'],
    ['geminiCli', 'gemini-3.8-flash', 'gemini-3.5-flash-lite'],
    ['openai', 'gpt-6.2-sol', 'claude-haiku-5-5'],
  ] as const)('of %s are of its provider and of this year', (name, main, small) => {
    expect(chooseModels(models, setups[name].needs)).toEqual({ main, small })
  })

  it('are those that there are, where none meets a need', () => {
    const only = (...names: readonly string[]) => names.map((name, index) => row(name, index + 1))
    const { needs } = setups.claudeCode
    expect(chooseModels(only('own-model'), needs)).toEqual({ main: 'own-model', small: 'own-model' })
    expect(chooseModels(only('gpt-3.5-turbo-instruct', 'deepseek-v4-pro'), needs).main).toBe(
      'deepseek-v4-pro',
    )
    expect(chooseModels([], needs).main).toBe('model-name')
    expect(chooseModels([row('by-call', 0, { quota_type: 1 }), row('own', 1)], {}).small).toBe('own')
  })

  it('are some that this key can call for a conversation, with a price', () => {
    const rows = [
      row('text-embedding-3-small', 1),
      row('priced', 1),
      row('own-embedding', 1, { supported_endpoint_types: ['embeddings'] }),
      row('free-of-price', 1, { unpriced: true }),
      row('of-others', 1, { enable_groups: ['vip'] }),
      row('switched-off', 1, { available: false }),
    ]
    const names = (...[group, limits]: [string, (readonly string[])?]) =>
      callableModels(rows, group, limits).map(({ model_name }) => model_name)
    expect(names('default')).toEqual(['priced'])
    expect(names('vip')).toEqual(['of-others'])
    expect(names('default', ['free-of-price', 'of-others'])).toEqual(['free-of-price'])
    expect(names('default', [])).toEqual([])
  })
})
