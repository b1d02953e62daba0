import { describe, expect, it } from 'bun:test'
import { changedRatios, wordChanges } from './upgrade-record.ts'

const options = (maps: Readonly<Record<string, unknown>>) =>
  Object.entries(maps).map(([key, value]) => ({ key, value: JSON.stringify(value) }))

describe('the prices that an upgrade changes', () => {
  it('are stored ratios that were ignored: of families that were locked, at another ratio than theirs', () => {
    const CompletionRatio = {
      'gpt-5.9': 2,
      'gpt-5': 8,
      'gpt-4.1': 9,
      'my-model': 3,
      'claude-3-opus': 4,
      o1: 5,
    }
    expect(changedRatios(options({ CompletionRatio, ModelPrice: { o1: 0.1 } }))).toEqual([
      { model: 'gpt-5.9', charged: 8, stored: 2 },
      { model: 'claude-3-opus', charged: 5, stored: 4 },
    ])
  })

  it('are none where no ratio is stored, or a text that is no map', () => {
    expect(changedRatios([])).toEqual([])
    expect(changedRatios([{ key: 'CompletionRatio', value: '[' }])).toEqual([])
    expect(changedRatios(options({ CompletionRatio: null }))).toEqual([])
  })
})

describe('what an upgrade says of blocked words', () => {
  const stored = (value: string) => wordChanges([{ key: 'SensitiveWords', value }])

  it('is that the default is empty now, where no list is stored', () => {
    expect(wordChanges([])).toEqual([expect.stringContaining('is empty from now on')])
  })

  it('is what the test word costs, where it alone is stored', () => {
    expect(stored('test_sensitive\n')).toEqual([expect.stringContaining('Empty the list')])
  })

  it('is nothing of a list of the operator', () => {
    for (const value of ['', 'secret', 'test_sensitive\nsecret']) expect(stored(value)).toEqual([])
  })
})
