import { describe, expect, it } from 'bun:test'
import type { ModelState, ModelStatus } from '@tollgate/api'
import { levelOf, listedModels, troubled, worstDay } from './model-days.ts'

const model = (model_name: string, state: ModelState): ModelStatus => ({
  model_name,
  owner_by: model_name === 'o3' ? 'OpenAI' : '',
  state,
  days: [],
})

describe('days of a model', () => {
  it('have a level by their share of successful calls', () => {
    expect([1, 0.99, 0.989, 0.95, 0.949, null].map(levelOf)).toEqual([
      'good',
      'good',
      'warn',
      'warn',
      'bad',
      'none',
    ])
  })

  it('have a worst one, the latest of equals', () => {
    expect(worstDay([0.9, null, 0.9, 1])).toEqual({ share: 0.9, index: 2 })
    expect(worstDay([null, 1])).toEqual({ share: 1, index: 1 })
    expect(worstDay([null, null])).toBeUndefined()
  })
})

describe('models of the status page', () => {
  const models = [
    model('b', 'operational'),
    model('o3', 'unknown'),
    model('z', 'outage'),
    model('a', 'degraded'),
  ]

  it('come with problems first, and match by name or provider', () => {
    expect(listedModels(models, '').map(({ model_name }) => model_name)).toEqual(['z', 'a', 'b', 'o3'])
    expect(listedModels(models, ' openai').map(({ model_name }) => model_name)).toEqual(['o3'])
    expect(troubled(models)).toBe(2)
  })
})
